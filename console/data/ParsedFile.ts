import type { Value } from "../wire/Values.ts"

/** The key of a vertex without an id in its file: no edge can name it. */
export const NO_KEY = ""

/** A vertex that the import creates. */
export interface NewVertex {
  /** Its id in the file, by which edges name it; {@link NO_KEY} without one. */
  readonly key: string
  readonly label: string
  readonly properties: ReadonlyArray<readonly [string, Value]>
}

/** An edge that the import creates. */
export interface NewEdge {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly properties: ReadonlyArray<readonly [string, Value]>
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
