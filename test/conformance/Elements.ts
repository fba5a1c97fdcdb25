import { same } from "./Compare.ts"
import type { EdgeName, Elements } from "./Notation.ts"
import { type EdgeValue, show, string, type Value, type VertexPropertyValue, type VertexValue } from "./Value.ts"
import { decode } from "./wire/GraphSON.ts"
import { type Json, parseJson } from "./wire/Json.ts"

const unknown = (what: string): never => {
  throw new Error(`the graph has no ${what}`)
}

/** First edge with this label between vertices of these names, among edges and vertices in the order of the graph. */
const findEdge = (name: EdgeName, vertices: ReadonlyArray<VertexValue>, edges: ReadonlyArray<EdgeValue>): EdgeValue => {
  const named = (id: Value, wanted: string): boolean =>
    vertices.some((vertex) => same(vertex.id, id) && hasName(vertex, wanted))
  return (
    edges.find((edge) => edge.label === name.label && named(edge.out.id, name.out) && named(edge.in.id, name.in)) ??
    unknown(`edge ${name.out}-${name.label}->${name.in}`)
  )
}

const hasName = (vertex: VertexValue, name: string): boolean =>
  vertex.properties?.some((property) => property.label === "name" && same(property.value, string(name))) ?? false

const findProperty = (vertex: VertexValue, key: string, value: Value): VertexPropertyValue =>
  vertex.properties?.find((property) => property.label === key && same(property.value, value)) ??
  unknown(`vertex property ${key} with ${show(value)}`)

const member = (json: Json | undefined, key: string): Json | undefined =>
  json instanceof Map ? json.get(key) : undefined
const members = (json: Json | undefined): ReadonlyArray<readonly [string, ReadonlyArray<Json>]> =>
  json instanceof Map ? [...json].map(([key, items]) => [key, items as ReadonlyArray<Json>] as const) : []

/**
 * The elements of a toy graph. They come from the dataset in the Maven artifact, not from the tested server, so that a server
 * whose toy graphs have other ids, labels or values fails.
 *
 * @param dataset GraphSON 3, one vertex with its edges per line
 */
export const datasetElements = (dataset: string): Elements => {
  const lines = dataset.split("\n").filter((line) => line.trim() !== "")
  const documents = lines.map(parseJson)
  const vertices = documents.map((document): VertexValue => {
    const properties = members(member(document, "properties")).flatMap(([label, items]) =>
      items.map((item): VertexPropertyValue => {
        const [id, value] = [decode(member(item, "id") ?? null), decode(member(item, "value") ?? null)]
        return { kind: "vertexProperty", id, label, value }
      })
    )
    return {
      kind: "vertex",
      id: decode(member(document, "id") ?? null),
      label: String(member(document, "label")),
      properties
    }
  })
  const byId = new Map(vertices.map((vertex) => [show(vertex.id), vertex]))
  const end = (id: Value) => ({ id, label: (byId.get(show(id)) ?? unknown(`vertex ${show(id)}`)).label })
  const edges = documents.flatMap((document, index) =>
    members(member(document, "outE")).flatMap(([label, items]) =>
      items.map((item): EdgeValue => {
        const id = decode(member(item, "id") ?? null)
        const properties = [...((member(item, "properties") as ReadonlyMap<string, Json> | undefined) ?? [])].map(
          ([key, value]) => ({ key, value: decode(value) })
        )
        const [out, into] = [end(vertices[index]!.id), end(decode(member(item, "inV") ?? null))]
        return { kind: "edge", id, label, out, in: into, properties }
      })
    )
  )
  const vertex = (name: string): VertexValue =>
    vertices.find((candidate) => hasName(candidate, name)) ?? unknown(`vertex named ${name}`)
  return {
    vertex: async (name) => vertex(name),
    edge: async (name) => findEdge(name, vertices, edges),
    vertexProperty: async (name, key, value) => findProperty(vertex(name), key, value)
  }
}

/** The elements of a graph that scenarios change. Each look-up queries the server. */
export const serverElements = (ask: (gremlin: string) => Promise<ReadonlyArray<Value>>): Elements => {
  const vertices = async (): Promise<ReadonlyArray<VertexValue>> =>
    (await ask("g.V()")).filter((value) => value.kind === "vertex")
  const vertex = async (name: string): Promise<VertexValue> =>
    (await vertices()).find((candidate) => hasName(candidate, name)) ?? unknown(`vertex named ${name}`)
  return {
    vertex,
    edge: async (name) =>
      findEdge(
        name,
        await vertices(),
        (await ask("g.E()")).filter((value) => value.kind === "edge")
      ),
    vertexProperty: async (name, key, value) => findProperty(await vertex(name), key, value)
  }
}
