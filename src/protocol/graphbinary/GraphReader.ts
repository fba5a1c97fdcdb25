import { BigMap } from "../../structure/BigMap.ts"
import { type Detached, type Edge, Property, type Vertex } from "../../structure/Element.ts"
import { keyOf } from "../../structure/Equivalence.ts"
import { SubGraph } from "../../structure/SubGraph.ts"
import { makeOf } from "../ReadParts.ts"
import type { ValueReader } from "./CustomTypes.ts"

/** A reader of values that knows where elements live. */
interface ElementReader extends ValueReader {
  readonly elements: Detached
  list(): Array<unknown>
  metaOf(properties: readonly unknown[]): ReadonlyMap<string, unknown> | null
}

/** The vertices of a graph that is being read. */
interface Vertices {
  readonly list: Array<Vertex>
  readonly byId: BigMap<unknown, Vertex>
}

/** Reads a graph: its elements have forms of their own, without type codes around their properties. */
export const readGraph = (reader: ElementReader): SubGraph => {
  const none: Vertices = { list: [], byId: new BigMap() }
  const vertices = readEach(reader, reader.length(10, "a graph's vertices"), none, ({ byId, list }) => {
    const vertex = readVertex(reader)
    list.push(vertex)
    byId.set(keyOf(vertex.id), vertex)
  })
  const edges = readEach(reader, reader.length(18, "a graph's edges"), [] as Array<Edge>, (found) => {
    found.push(readEdge(reader, vertices.byId))
  })
  return new SubGraph(vertices.list, edges)
}

/** Reads so many items by `read`, which adds one to `items`, a slice at a time where the message is read so; gives the items. */
const readEach = <A>(reader: ElementReader, count: number, items: A, read: (items: A) => void): A => {
  const loop = reader.slices?.enter(reader.position, items, reader.position, 0)
  const found = (loop?.items ?? items) as A
  if (loop !== undefined) reader.position = loop.position
  for (let i = (loop?.state ?? 0) as number; i < count; i++) {
    read(found)
    reader.slices?.step(reader.position, i + 1)
  }
  reader.slices?.leave(count)
  return found
}

const readVertex = (reader: ElementReader): Vertex => {
  const id = reader.value()
  const label = reader.string()
  const count = reader.length(14, "a vertex's properties")
  const { elements } = reader
  if (count === 0) return elements.addVertex(id, label)
  const begun: { readonly elements: Detached; readonly vertex: Vertex } = {
    elements,
    vertex: elements.addVertex(id, label)
  }
  // A vertex that an earlier slice has begun lives among the elements of that one.
  return readEach(reader, count, begun, (read) => {
    const propertyId = reader.value()
    const key = reader.string()
    const value = reader.value()
    reader.value()
    read.elements.addVertexProperty(read.vertex, propertyId, key, value, reader.metaOf(reader.list()))
  }).vertex
}

const readEdge = (reader: ElementReader, vertices: BigMap<unknown, Vertex>): Edge => {
  const start = reader.position
  const id = reader.value()
  const label = reader.string()
  const into = readEnd(reader, vertices)
  const out = readEnd(reader, vertices)
  reader.value()
  const properties = reader.list()
  const begin = (): { readonly elements: Detached; readonly edge: Edge } => ({
    elements: reader.elements,
    edge: reader.elements.addEdge(id, label, out, into)
  })
  const place = { start, end: reader.position, count: properties.length }
  return makeOf(reader.slices, place, properties, begin, ({ edge, elements }, item) => {
    const { key, value } = propertyOf(reader, item)
    elements.addEdgeProperty(edge, key, value)
  }).edge
}

/** The vertex of this id, and the label behind it, which is always null. */
const readEnd = (reader: ElementReader, vertices: BigMap<unknown, Vertex>): Vertex => {
  const vertex = vertices.get(keyOf(reader.value()))
  reader.value()
  return vertex ?? reader.fail("An edge of a graph has a vertex that is not in it")
}

const propertyOf = (reader: ElementReader, item: unknown): { readonly key: string; readonly value: unknown } =>
  item instanceof Property ? item : reader.fail("A property of an edge is no Property")
