import { signal } from "@preact/signals"
import { readMetrics, total } from "../live/Metrics.ts"
import { about, collect, messageOf, readText, source } from "../shell/Server.ts"
import { Mapping, textOf, type Value } from "../wire/Values.ts"
import { names } from "./Names.ts"

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
  /** Vertices of indexes that are being built. */
  readonly building: number
}

export const schema = signal<GraphSchema | null>(null)
export const problem = signal("")

/** The management calls that list a schema. Nothing is changed: it ends with rollback(). */
const listing = (graph: string): string => `
m = ${graph}.openManagement()
keys = m.getRelationTypes(PropertyKey.class).collect{[name: it.name(), type: "\${it.dataType()}", cardinality: "\${it.cardinality()}"]}
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
[keys: keys, vertices: vertices, edges: edges, indexes: indexes]`

/** Edges of the sample that shows which labels are joined. */
const SAMPLED_EDGES = 5_000
const SAMPLED_ELEMENTS = 1_000

const rowsOf = (value: Value | undefined): ReadonlyArray<Row> =>
  (Array.isArray(value) ? value : [])
    .filter((row): row is Mapping => row instanceof Mapping)
    .map((row) => Object.fromEntries(row.entries.map(([key, cell]) => [textOf(key), textOf(cell)])))

const countsOf = (value: Value | undefined): ReadonlyMap<string, string> =>
  new Map(
    value instanceof Mapping
      ? value.entries.map(([label, count]) => [textOf(label), Number(count).toLocaleString("en")])
      : []
  )

const merged = (rows: ReadonlyArray<Row>, counts: ReadonlyMap<string, string>): ReadonlyArray<Row> => {
  const known = new Set(rows.map(({ name }) => name))
  const others = [...counts.keys()].filter((name) => !known.has(name)).map((name): Row => ({ name }))
  return [...rows, ...others].map((row) => ({ ...row, count: counts.get(row.name ?? "") ?? "0" }))
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

/** Reads the schema of the graph of the chosen source. */
export const readSchema = async (): Promise<void> => {
  try {
    const graph = about.value?.sources.find(({ name }) => name === source.value)?.graph
    const isName = graph !== undefined && /^[A-Za-z_]\w*$/.test(graph)
    const kept = isName ? await collect(listing(graph)).catch(() => undefined) : undefined
    const listed = kept?.[0] instanceof Mapping ? kept[0] : undefined
    const [[vertices], [edges], connections] = await Promise.all([
      collect("g.V().groupCount().by(label)"),
      collect("g.E().groupCount().by(label)"),
      connectionsOf()
    ])
    schema.value = {
      isKept: listed !== undefined,
      vertexLabels: merged(rowsOf(listed?.get("vertices")), countsOf(vertices)),
      edgeLabels: merged(rowsOf(listed?.get("edges")), countsOf(edges)),
      keys: listed === undefined ? await sampledKeys() : rowsOf(listed.get("keys")),
      indexes: rowsOf(listed?.get("indexes")),
      connections,
      building: await readText("metrics").then(
        (text) => total(readMetrics(text), "engine_server_index_building_vertices"),
        () => 0
      )
    }
    problem.value = ""
    offerNames(schema.value)
  } catch (error) {
    problem.value = messageOf(error)
  }
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
