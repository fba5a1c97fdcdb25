import type { Value } from "../wire/Values.ts"

/** The key of a vertex without an id in its file: no edge can name it. */
export const NO_KEY = ""

/** A property that the import creates. */
export interface NewProperty {
  readonly key: string
  /** Its value as the preview shows it. */
  readonly value: Value
  /** Its value in GraphSON, with the type of the file. */
  readonly sent: unknown
  /** Its meta-properties in GraphSON. */
  readonly meta?: ReadonlyArray<readonly [key: string, sent: unknown]>
}

/** A vertex that the import creates. */
export interface NewVertex {
  /** Its id in the file, by which edges name it; {@link NO_KEY} without one. */
  readonly key: string
  readonly label: string
  readonly properties: ReadonlyArray<NewProperty>
}

/** An edge that the import creates. */
export interface NewEdge {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly properties: ReadonlyArray<NewProperty>
}

/** What a file contains. */
export interface ParsedFile {
  readonly vertices: ReadonlyArray<NewVertex>
  readonly edges: ReadonlyArray<NewEdge>
  /** Columns or keys with the types of their values, for the preview. */
  readonly columns: ReadonlyArray<FileColumn>
}

/** A column of a file. */
interface FileColumn {
  readonly name: string
  readonly type: string
  /** Its values may be read with each of these types; undefined where the file says the type. */
  readonly choices?: ReadonlyArray<string>
}

/** Types that the user chose, by the names of the columns. */
export type ChosenTypes = ReadonlyMap<string, string>

/** The first vertex that an edge names and that neither the file nor `known` has; undefined if there is none. */
export const missingEnd = (
  { edges, vertices }: Pick<ParsedFile, "edges" | "vertices">,
  known: { readonly has: (key: string) => boolean }
): string | undefined => {
  const own = new Set(vertices.map(({ key }) => key).filter((key) => key !== NO_KEY))
  for (const { from, to } of edges) for (const key of [from, to]) if (!own.has(key) && !known.has(key)) return key
  return undefined
}

/** The first id that two vertices of a file have; undefined if there is none. An edge could mean either of them. */
export const repeatedKey = (vertices: ReadonlyArray<Pick<NewVertex, "key">>): string | undefined => {
  const seen = new Set<string>()
  for (const { key } of vertices) {
    if (key === NO_KEY) continue
    if (seen.has(key)) return key
    seen.add(key)
  }
  return undefined
}

/** The keys of which a vertex has several values. */
export const keysOfLists = (vertices: ReadonlyArray<NewVertex>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { properties } of vertices) {
    const own = new Set<string>()
    for (const { key } of properties) {
      if (own.has(key)) found.add(key)
      own.add(key)
    }
  }
  return found
}
