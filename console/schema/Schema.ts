import { signal } from "@preact/signals"
import { readMetrics } from "../live/Metrics.ts"
import { about, collect, messageOf, readJson, readText, source } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import { Mapping, textOf, type Value } from "../wire/Values.ts"
import { names, noNames } from "./Names.ts"

/** A row of a table of the schema. */
export type Row = Readonly<Record<string, string>>

/** Edges of one label between vertices of two labels, in a sample of the edges. */
export interface Connection {
  readonly from: string
  readonly label: string
  readonly to: string
  readonly count: number
}

/** The schema of a graph, as far as the user may see it. */
export interface GraphSchema {
  /** The graph keeps a schema, and the user may read it. */
  readonly isKept: boolean
  readonly vertexLabels: ReadonlyArray<Row>
  readonly edgeLabels: ReadonlyArray<Row>
  readonly keys: ReadonlyArray<Row>
  readonly indexes: ReadonlyArray<Row>
  readonly connections: ReadonlyArray<Connection>
  /** What is not known, and why. */
  readonly notes: ReadonlyArray<string>
  /** Vertices that were examined for the indexes of this graph that are being built, by the name of the index. */
  readonly building: ReadonlyMap<string, number>
  /** Vertices of the graph; undefined where they are not counted. */
  readonly vertices: number | undefined
}

/** The schema of the chosen graph; null until it is read. */
export const schema = signal<GraphSchema | null>(null)
/** Why the schema was not read; empty if it was. */
export const problem = signal("")

/**
 * The management calls that list a schema. Nothing is changed: it ends with rollback(). The result is a list with one map, because
 * the entries of a map would be results by themselves.
 */
const listing = (graph: string): string => `
m = ${graph}.openManagement()
keys = m.getRelationTypes(PropertyKey.class).collect{[name: it.name(), type: it.dataType().simpleName, cardinality: "\${it.cardinality()}"]}
vertices = m.getVertexLabels().collect{[name: it.name()]}
edges = m.getRelationTypes(EdgeLabel.class).collect{[name: it.name(), multiplicity: "\${it.multiplicity()}"]}
indexes = []
for (type in [Vertex.class, Edge.class]) {
  for (i in m.getGraphIndexes(type)) {
    indexes << [name: i.name(), kind: i.isCompositeIndex() ? 'composite' : 'mixed or ordered', unique: "\${i.isUnique()}",
      on: i.getFieldKeys().collect{k -> k.name()}.join(', '), state: i.getFieldKeys().collect{k -> "\${i.getIndexStatus(k)}"}.join(', ')]
  }
}
m.rollback()
[[keys: keys, vertices: vertices, edges: edges, indexes: indexes]]`

/** Edges of the sample that shows which labels are joined. */
const SAMPLED_EDGES = 5_000
const SAMPLED_ELEMENTS = 1_000

const rowsOf = (value: Value | undefined): ReadonlyArray<Row> =>
  (Array.isArray(value) ? value : [])
    .filter((row): row is Mapping => row instanceof Mapping)
    .map((row) => Object.fromEntries(row.entries.map(([key, cell]) => [textOf(key), textOf(cell)])))

/** Elements by their label, as the page shows them. */
type Counts = ReadonlyMap<string, string>

/** What a graph knows of its elements, and why it does not know more. */
interface Elements {
  readonly vertices: Counts
  readonly edges: Counts
  /** Vertices of all labels; undefined where they are not counted. */
  readonly all?: number
  readonly connections: ReadonlyArray<Connection>
  readonly keys: ReadonlyArray<Row>
  readonly notes: ReadonlyArray<string>
}

const formatted = (counts: Readonly<Record<string, number>>): Counts =>
  new Map(Object.entries(counts).map(([label, count]) => [label, count.toLocaleString("en")]))

/** The counters of the graph; undefined if it keeps none. Nothing is scanned. */
const counters = async (): Promise<Pick<Elements, "vertices" | "edges" | "all"> | undefined> => {
  try {
    const path = `propertygraph/statistics/summary?source=${encodeURIComponent(source.value)}`
    const { payload } = (await readJson(path)) as { readonly payload: { readonly graphSummary: Summary } }
    const { edgeLabelCounts, nodeLabelCounts, numNodes } = payload.graphSummary
    return { vertices: formatted(nodeLabelCounts), edges: formatted(edgeLabelCounts), all: numNodes }
  } catch {
    return undefined
  }
}

interface Summary {
  readonly numNodes: number
  readonly nodeLabelCounts: Readonly<Record<string, number>>
  readonly edgeLabelCounts: Readonly<Record<string, number>>
}

/** The labels of the first elements, without a number: the others are not read. */
const sampledLabels = async (): Promise<Pick<Elements, "vertices" | "edges">> => {
  const [vertices, edges] = await Promise.all(
    ["V", "E"].map((kind) => collect(`g.${kind}().limit(${SAMPLED_ELEMENTS}).label().dedup()`))
  )
  const unknown = (labels: ReadonlyArray<Value> = []): Counts => new Map(labels.map((label) => [textOf(label), ""]))
  return { vertices: unknown(vertices), edges: unknown(edges) }
}

/** Reads what the graph knows of its elements. A part that the server refuses is left out with the reason. */
const elementsOf = async (isKept: boolean): Promise<Elements> => {
  const notes: Array<string> = []
  const orNone = async <A>(part: Promise<A>, none: A): Promise<A> =>
    part.catch((error: unknown) => {
      const reason = messageOf(error)
      if (!notes.includes(reason)) notes.push(reason)
      return none
    })
  const none = { vertices: new Map(), edges: new Map() }
  const counted = await counters()
  if (counted === undefined) notes.push(texts.schema.noCounters)
  const [labels, connections, keys] = await Promise.all([
    counted ?? orNone(sampledLabels(), none),
    orNone(connectionsOf(), []),
    isKept ? [] : orNone(sampledKeys(), [])
  ])
  return { ...labels, connections, keys, notes }
}

/** The labels of a schema and of elements. `uncounted` is the number of a label without counted elements. */
const merged = (rows: ReadonlyArray<Row>, counts: Counts, uncounted: "0" | ""): ReadonlyArray<Row> => {
  const known = new Set(rows.map(({ name }) => name))
  const others = [...counts.keys()].filter((name) => !known.has(name)).map((name): Row => ({ name }))
  return [...rows, ...others].map((row) => ({ ...row, count: counts.get(row.name ?? "") ?? uncounted }))
}

const connectionsOf = async (): Promise<ReadonlyArray<Connection>> => {
  const [found] = await collect(
    `g.E().limit(${SAMPLED_EDGES}).groupCount().by(project('from','label','to').by(outV().label()).by(label).by(inV().label()))`
  )
  if (!(found instanceof Mapping)) return []
  return found.entries.map(([key, count]) => {
    const of = (name: string): string => textOf((key instanceof Mapping ? key.get(name) : null) ?? "")
    return { from: of("from"), label: of("label"), to: of("to"), count: Number(count) }
  })
}

const sampledKeys = async (): Promise<ReadonlyArray<Row>> => {
  const keys = await Promise.all(
    ["V", "E"].map((kind) => collect(`g.${kind}().limit(${SAMPLED_ELEMENTS}).properties().key().dedup()`))
  )
  return [...new Set(keys.flat().map(textOf))].sort().map((name) => ({ name }))
}

/** The graph of the chosen source, where scripts can name it. */
const graphName = (): string | undefined => {
  const graph = about.value?.sources.find(({ name }) => name === source.value)?.graph
  return graph !== undefined && /^[A-Za-z_]\w*$/.test(graph) ? graph : undefined
}

/** What the management of the graph lists; undefined where it lists nothing, or the user may not read it. */
const listed = async (): Promise<Mapping | undefined> => {
  const graph = graphName()
  if (graph === undefined) return undefined
  const found = await collect(listing(graph)).catch(() => undefined)
  return found?.[0] instanceof Mapping ? found[0] : undefined
}

/** The progress of the indexes of the graph, from the metrics. Another worker may build them. */
const progress = async (): Promise<GraphSchema["building"]> => {
  const graph = graphName()
  const text = await readText("metrics").catch(() => "")
  const own = readMetrics(text).filter(
    ({ labels, name }) => name === "engine_server_index_building_vertices" && labels.graph === graph
  )
  return new Map(own.map(({ labels, value }) => [labels.index ?? "", value]))
}

/** Forgets the schema that a user saw, when the user has logged out. */
export const forgetSchema = (): void => {
  schema.value = null
  problem.value = ""
  names.value = noNames
}

/** Reads the schema of the graph of the chosen source. */
export const readSchema = async (): Promise<void> => {
  const asked = [about.value, source.value]
  const isOutdated = (): boolean => asked[0] !== about.value || asked[1] !== source.value
  try {
    const kept = await listed()
    const { all, connections, edges, keys, notes, vertices } = await elementsOf(kept !== undefined)
    const building = await progress()
    if (isOutdated()) return
    // Without counters, a label that the sample does not have may have elements, too.
    const uncounted = all === undefined ? "" : "0"
    schema.value = {
      isKept: kept !== undefined,
      vertexLabels: merged(rowsOf(kept?.get("vertices")), vertices, uncounted),
      edgeLabels: merged(rowsOf(kept?.get("edges")), edges, uncounted),
      keys: kept === undefined ? keys : rowsOf(kept.get("keys")),
      indexes: rowsOf(kept?.get("indexes")),
      connections,
      notes,
      building,
      vertices: all
    }
    problem.value = ""
    offerNames(schema.value)
  } catch (error) {
    if (!isOutdated()) problem.value = messageOf(error)
  }
}

/** Reads the states of the indexes and the progress of their building again, and nothing else of the schema. */
export const readProgress = async (): Promise<void> => {
  const [kept, building] = await Promise.all([listed(), progress()])
  const known = schema.value
  if (known !== null) schema.value = { ...known, indexes: rowsOf(kept?.get("indexes")), building }
}

/** Gives the editor the names to complete. */
const offerNames = ({ edgeLabels, indexes, keys, vertexLabels }: GraphSchema): void => {
  const nameOf = ({ name = "" }: Row): string => name
  names.value = {
    vertexLabels: vertexLabels.map(nameOf),
    edgeLabels: edgeLabels.map(nameOf),
    keys: keys.map(nameOf),
    indexed: new Set(indexes.flatMap(({ on = "" }) => on.split(", ")))
  }
}
