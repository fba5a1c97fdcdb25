import { schema } from "../schema/Schema.ts"
import { collect, source } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import type { Value } from "../wire/Values.ts"
import {
  keysOfLists,
  missingEnd,
  type NewEdge,
  type NewProperty,
  type NewVertex,
  NO_KEY,
  type ParsedFile,
  repeatedKey
} from "./ParsedFile.ts"

/** Elements that one request creates. */
const ELEMENTS_PER_REQUEST = 200

/**
 * A script that creates the vertices of a list of rows, and returns their ids. A property is its key, its value, and the keys and
 * values of its meta-properties, of which there are at most `most`. `many` has the cardinality of keys with several values.
 */
const makeVertices = (most: number): string => {
  const calls = Array.from({ length: most + 1 }, (_, metas) => {
    const names = Array.from({ length: 2 + 2 * metas }, (_, at) => `p[${at}]`)
    return `if (p.size() == ${names.length}) { t = t.property(many[p[0]], ${names.join(", ")}) }`
  })
  return `ids = []
for (row in rows) {
  t = g.addV(row.label)
  for (p in row.properties) {
    ${calls.join("\n    ")}
  }
  ids << t.id().next()
}
ids`
}

/** Number of vertices that are searched for one of a sample. A graph with a sample is mostly small. */
const SEARCHED_VERTICES = 1_000

/** Whether the first vertices of a traversal source have one of a sample. False if the server refuses the search. */
export const hasSample = async (
  { key, label, value }: Readonly<Record<"label" | "key" | "value", string>>,
  from: string
): Promise<boolean> => {
  const search = `g.V().limit(${SEARCHED_VERTICES}).has(ofLabel, ofKey, wanted).limit(1).id()`
  try {
    return (await collect(search, { ofLabel: label, ofKey: key, wanted: value }, { from })).length > 0
  } catch {
    return false
  }
}

/** Returns the ids of the vertices with the values of a key: at most two for each value, of which there may be several forms. */
const FIND_ENDS = `ids = []
for (forms in wanted) { ids << g.V().has(ofKey, within(forms)).limit(2).id().toList() }
ids`

/** A value of a file, and the number whose text it is: `7`, but not `007`, which is another value. */
const formsOf = (text: string): unknown => {
  const number = Number(text)
  const isNumber =
    /^-?(?:\d{1,15}|\d{1,12}\.\d{1,12})$/.test(text) && [text, text.replace(/\.0$/, "")].includes(`${number}`)
  return list(isNumber ? [text, { "@type": "g:Double", "@value": number }] : [text])
}

/** The vertices of the graph that the edges of a file name by the values of a property. Fails if a value has none, or several. */
const foundEnds = async (
  { edges, vertices }: ParsedFile,
  key: string,
  from: string
): Promise<ReadonlyMap<string, unknown>> => {
  const own = new Set(vertices.map((vertex) => vertex.key))
  const names = [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))].filter((name) => !own.has(name))
  const found = new Map<string, unknown>()
  for (let at = 0; at < names.length; at += ELEMENTS_PER_REQUEST) {
    const batch = names.slice(at, at + ELEMENTS_PER_REQUEST)
    const ids = await collect(FIND_ENDS, { wanted: list(batch.map(formsOf)), ofKey: key }, { from })
    batch.forEach((name, index) => {
      const those = ids[index]
      if (!Array.isArray(those) || those.length !== 1) {
        const isMissing = !Array.isArray(those) || those.length === 0
        throw new Error(isMissing ? texts.data.noEnd(key, name) : texts.data.severalEnds(key, name))
      }
      found.set(name, toRaw(those[0] as Value))
    })
  }
  return found
}

/** Creates the edges of a list of rows. A row names its vertices by their ids. Fails if a vertex is gone. */
const MAKE_EDGES = `for (row in rows) {
  t = g.V(row.from).addE(row.label).to(__.V(row.to))
  for (p in row.properties) { t = t.property(p[0], p[1]) }
  if (!t.hasNext()) { throw new IllegalStateException(gone) }
}
rows.size()`

const list = (items: ReadonlyArray<unknown>): unknown => ({ "@type": "g:List", "@value": items })

const rowOf = (parts: Readonly<Record<string, unknown>>, properties: NewVertex["properties"]): unknown => ({
  "@type": "g:Map",
  "@value": [
    ...Object.entries(parts).flat(),
    "properties",
    list(properties.map(({ key, meta = [], sent }) => list([key, sent, ...meta.flat()])))
  ]
})

/** The ids of the vertices of earlier files by their ids in the files, for each traversal source. */
const imported = new Map<string, Map<string, unknown>>()

/** What has been imported into each traversal source since the page was opened. */
const finished = new Set<string>()

/** Names a content by its length and a hash (FNV-1a): the content itself may be long. */
const contentKey = (text: string, from: string): string => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${from} ${text.length} ${hash}`
}

/** Remembers that a file is in the graph of a traversal source. */
export const finish = (text: string, from: string): void => void finished.add(contentKey(text, from))

/** Whether a file with this content was imported into the chosen traversal source. */
export const isFinished = (text: string): boolean => finished.size > 0 && finished.has(contentKey(text, source.value))

const importedInto = (name: string): Map<string, unknown> => {
  const known = imported.get(name) ?? new Map<string, unknown>()
  imported.set(name, known)
  return known
}

/** The cardinality of the keys that have several values: that of the schema, if it is `SET`. */
const cardinalitiesOf = (vertices: ReadonlyArray<NewVertex>): unknown => {
  const sets = new Set(schema.value?.keys.filter(({ cardinality }) => cardinality === "SET").map(({ name }) => name))
  const pairs = Array.from(keysOfLists(vertices), (key) => [
    key,
    { "@type": "g:Cardinality", "@value": sets.has(key) ? "set" : "list" }
  ])
  return { "@type": "g:Map", "@value": pairs.flat() }
}

/** The largest number of meta-properties of one property. */
const mostMeta = (vertices: ReadonlyArray<NewVertex>): number =>
  vertices.reduce(
    (most, { properties }) =>
      properties.reduce((found, { meta = [] }: NewProperty) => Math.max(found, meta.length), most),
    0
  )

const toRaw = (value: Value): unknown =>
  typeof value === "number" || typeof value === "bigint" ? { "@type": "g:Int64", "@value": value } : value

/**
 * Creates the elements of a file. Each batch is one transaction. `progress` gets the number of elements so far. Fails before it
 * creates anything if an edge names an unknown vertex.
 *
 * @param endKey the key by whose values the edges name vertices of the graph; empty: by the ids of files that were imported before
 * @param from the traversal source, which stays the same when the user chooses another one before the end
 */
export const load = async (
  file: ParsedFile,
  endKey: string,
  progress: (made: number) => void,
  from: string
): Promise<void> => {
  const { edges, vertices } = file
  const imported = importedInto(from)
  const known = endKey === "" ? imported : new Map([...imported, ...(await foundEnds(file, endKey, from))])
  const missing = missingEnd({ edges, vertices }, known)
  if (missing !== undefined) {
    throw new Error(texts.data.missingEnd(missing))
  }
  const repeated = repeatedKey(vertices)
  if (repeated !== undefined) throw new Error(texts.data.repeatedId(repeated))
  const many = cardinalitiesOf(vertices)
  const script = makeVertices(mostMeta(vertices))
  let made = 0
  for (let at = 0; at < vertices.length; at += ELEMENTS_PER_REQUEST) {
    const batch = vertices.slice(at, at + ELEMENTS_PER_REQUEST)
    const rows = batch.map(({ label, properties }) => rowOf({ label }, properties))
    const ids = await collect(script, { rows: list(rows), many }, { from })
    batch.forEach(({ key }, index) => {
      const id = toRaw(ids[index] ?? null)
      if (key === NO_KEY) return
      known.set(key, id)
      imported.set(key, id)
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
