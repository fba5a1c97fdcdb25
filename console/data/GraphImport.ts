import { collect, source } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import { typed } from "../wire/Decode.ts"
import { textOf, type Value } from "../wire/Values.ts"
import { missingEnd, type NewEdge, type NewVertex, NO_KEY, type ParsedFile } from "./ParsedFile.ts"

/** Elements that one request creates. */
const ELEMENTS_PER_REQUEST = 200

/** Creates the vertices of a list of rows, and returns their ids. */
const MAKE_VERTICES = `ids = []
for (row in rows) {
  t = g.addV(row.label)
  for (p in row.properties) { t = t.property(p[0], p[1]) }
  ids << t.id().next()
}
ids`

/** Creates the edges of a list of rows. A row names its vertices by their ids. Fails if a vertex is gone. */
const MAKE_EDGES = `for (row in rows) {
  t = g.V(row.from).addE(row.label).to(__.V(row.to))
  for (p in row.properties) { t = t.property(p[0], p[1]) }
  if (!t.hasNext()) { throw new IllegalStateException(gone) }
}
rows.size()`

const propertyOf = (value: Value): unknown =>
  typeof value === "object" && value !== null ? textOf(value) : typed(value)

const list = (items: ReadonlyArray<unknown>): unknown => ({ "@type": "g:List", "@value": items })

const rowOf = (parts: Readonly<Record<string, unknown>>, properties: NewVertex["properties"]): unknown => ({
  "@type": "g:Map",
  "@value": [
    ...Object.entries(parts).flat(),
    "properties",
    list(properties.map(([name, value]) => list([name, propertyOf(value)])))
  ]
})

/** The ids of the vertices of earlier files by their ids in the files, for each traversal source. */
const imported = new Map<string, Map<string, unknown>>()

const importedInto = (name: string): Map<string, unknown> => {
  const known = imported.get(name) ?? new Map<string, unknown>()
  imported.set(name, known)
  return known
}

const toRaw = (value: Value): unknown =>
  typeof value === "number" || typeof value === "bigint" ? { "@type": "g:Int64", "@value": value } : value

/**
 * Creates the elements of a file. Each batch is one transaction. `progress` gets the number of elements so far. Fails before it
 * creates anything if an edge names an unknown vertex.
 */
export const load = async ({ edges, vertices }: ParsedFile, progress: (made: number) => void): Promise<void> => {
  // The user may choose another source before the end.
  const from = source.value
  const known = importedInto(from)
  const missing = missingEnd({ edges, vertices }, known)
  if (missing !== undefined) {
    throw new Error(texts.data.missingEnd(missing))
  }
  let made = 0
  for (let at = 0; at < vertices.length; at += ELEMENTS_PER_REQUEST) {
    const batch = vertices.slice(at, at + ELEMENTS_PER_REQUEST)
    const rows = batch.map(({ label, properties }) => rowOf({ label }, properties))
    const ids = await collect(MAKE_VERTICES, { rows: list(rows) }, { from })
    batch.forEach(({ key }, index) => {
      if (key !== NO_KEY) known.set(key, toRaw(ids[index] ?? null))
    })
    progress((made += batch.length))
  }
  for (let at = 0; at < edges.length; at += ELEMENTS_PER_REQUEST) {
    const batch: ReadonlyArray<NewEdge> = edges.slice(at, at + ELEMENTS_PER_REQUEST)
    const rows = batch.map(({ from, label, properties, to }) =>
      rowOf({ label, from: known.get(from), to: known.get(to) }, properties)
    )
    await collect(MAKE_EDGES, { rows: list(rows), gone: texts.data.goneEnd }, { from })
    progress((made += batch.length))
  }
}
