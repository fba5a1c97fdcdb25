import { keyOf } from "../../structure/collections/Equivalence.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import { type Detached, type Edge, Property, type Vertex } from "../../structure/elements/Element.ts"
import { SubGraph } from "../../structure/elements/SubGraph.ts"
import { valueOfParts } from "../ValueParts.ts"
import { metaOf } from "./ElementReaders.ts"
import { readItems, type ValueReader } from "./ValueReader.ts"

/** The vertices of a graph that is being read. */
interface Vertices {
  readonly list: Array<Vertex>
  readonly byId: BigMap<unknown, Vertex>
}

/**
 * Reads a graph after its type code. Elements inside a graph are encoded differently from other elements: properties have no
 * type codes, and the vertices of an edge have no labels.
 */
export const readGraph = (reader: ValueReader): SubGraph => {
  const none: Vertices = { list: [], byId: new BigMap() }
  const vertices = readItems(reader, reader.input.length(10, "a graph's vertices"), none, addVertex)
  const edges = readItems(reader, reader.input.length(18, "a graph's edges"), [] as Array<Edge>, (_, found) => {
    found.push(readEdge(reader, vertices.byId))
  })
  return new SubGraph(vertices.list, edges)
}

const addVertex = (reader: ValueReader, { byId, list }: Vertices): void => {
  const vertex = readVertex(reader)
  list.push(vertex)
  byId.set(keyOf(vertex.id), vertex)
}

/** The vertex that is being read, with its container. Each slice has a new container. */
interface VertexInProgress {
  readonly elements: Detached
  readonly vertex: Vertex
}

const readVertex = (reader: ValueReader): Vertex => {
  const { elements, input } = reader
  const id = reader.value()
  const label = input.string()
  const count = input.length(14, "a vertex's properties")
  const vertex = elements.addVertex(id, label)
  const begun: VertexInProgress = { elements, vertex }
  return count === 0 ? vertex : readItems(reader, count, begun, addProperty).vertex
}

const addProperty = (reader: ValueReader, { elements, vertex }: VertexInProgress): void => {
  const id = reader.value()
  const key = reader.input.string()
  const value = reader.value()
  // The parent is always null.
  reader.value()
  elements.addVertexProperty(vertex, id, key, value, metaOf(reader, reader.list()))
}

const readEdge = (reader: ValueReader, vertices: BigMap<unknown, Vertex>): Edge => {
  const start = reader.input.position
  const id = reader.value()
  const label = reader.input.string()
  const into = readEnd(reader, vertices)
  const out = readEnd(reader, vertices)
  reader.value()
  const properties = reader.list()
  const begin = (): { readonly elements: Detached; readonly edge: Edge } => ({
    elements: reader.elements,
    edge: reader.elements.addEdge(id, label, out, into)
  })
  const place = { start, end: reader.input.position, count: properties.length }
  return valueOfParts(reader.input.slices, place, properties, begin, ({ edge, elements }, item) => {
    const { key, value } = propertyOf(reader, item)
    elements.addEdgeProperty(edge, key, value)
  }).edge
}

/** Reads the end of an edge: the id of a vertex of the graph, and a label that is always null. */
const readEnd = (reader: ValueReader, vertices: BigMap<unknown, Vertex>): Vertex => {
  const vertex = vertices.get(keyOf(reader.value()))
  reader.value()
  return vertex ?? reader.input.fail("An edge of a graph refers to a vertex that the graph does not contain")
}

const propertyOf = (reader: ValueReader, item: unknown): { readonly key: string; readonly value: unknown } =>
  item instanceof Property ? item : reader.input.fail("A property of an edge is not a Property")
