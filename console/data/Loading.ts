import { collect } from "../shell/Server.ts"
import type { Value } from "../wire/Values.ts"
import type { NewEdge, NewVertex, ParsedFile } from "./Parsing.ts"

/** Elements that one request makes. */
const ELEMENTS_PER_REQUEST = 200

/** Makes the vertices of a list of rows, and returns their ids. */
const MAKE_VERTICES = `ids = []
for (row in rows) {
  t = g.addV(row.label)
  for (p in row.properties) { t = t.property(p[0], p[1]) }
  ids << t.id().next()
}
ids`

/** Makes the edges of a list of rows. A row names its vertices by their ids. */
const MAKE_EDGES = `for (row in rows) {
  t = g.V(row.from).addE(row.label).to(__.V(row.to))
  for (p in row.properties) { t = t.property(p[0], p[1]) }
  t.iterate()
}
rows.size()`

const typed = (value: Value): unknown => {
  if (typeof value === "bigint") return { "@type": "g:Int64", "@value": value }
  if (typeof value !== "number") return typeof value === "object" && value !== null ? String(value) : value
  if (!Number.isInteger(value)) return { "@type": "g:Double", "@value": value }
  return { "@type": Math.abs(value) > 0x7fff_ffff ? "g:Int64" : "g:Int32", "@value": value }
}

const list = (items: ReadonlyArray<unknown>): unknown => ({ "@type": "g:List", "@value": items })

const rowOf = (parts: Readonly<Record<string, unknown>>, properties: NewVertex["properties"]): unknown => ({
  "@type": "g:Map",
  "@value": [
    ...Object.entries(parts).flat(),
    "properties",
    list(properties.map(([name, value]) => list([name, typed(value)])))
  ]
})

/** The ids of the vertices of earlier files, by their ids in the files. */
const known = new Map<string, unknown>()

const idOf = (key: string): unknown => {
  const id = known.get(key)
  if (id === undefined)
    throw new Error(`an edge names the vertex ${key}, which no file of this page had: import the vertices first`)
  return id
}

const toRaw = (value: Value): unknown =>
  typeof value === "number" || typeof value === "bigint" ? { "@type": "g:Int64", "@value": value } : value

/** Makes the elements of a file. `progress` is told how many are made. Each batch is one transaction. */
export const load = async ({ edges, vertices }: ParsedFile, progress: (made: number) => void): Promise<void> => {
  for (const { from, to } of edges) {
    // All vertices of edges must be known before anything is made.
    for (const key of [from, to]) if (!vertices.some((vertex) => vertex.key === key)) idOf(key)
    if (vertices.length > 0) break
  }
  let made = 0
  for (let at = 0; at < vertices.length; at += ELEMENTS_PER_REQUEST) {
    const batch = vertices.slice(at, at + ELEMENTS_PER_REQUEST)
    const rows = batch.map(({ label, properties }) => rowOf({ label }, properties))
    const ids = await collect(MAKE_VERTICES, { rows: list(rows) })
    batch.forEach(({ key }, index) => {
      known.set(key, toRaw(ids[index] ?? null))
    })
    progress((made += batch.length))
  }
  for (let at = 0; at < edges.length; at += ELEMENTS_PER_REQUEST) {
    const batch: ReadonlyArray<NewEdge> = edges.slice(at, at + ELEMENTS_PER_REQUEST)
    const rows = batch.map(({ from, label, properties, to }) =>
      rowOf({ label, from: idOf(from), to: idOf(to) }, properties)
    )
    await collect(MAKE_EDGES, { rows: list(rows) })
    progress((made += batch.length))
  }
}
