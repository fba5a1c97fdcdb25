import { type Edge, Property, type Vertex } from "../../structure/Element.ts"
import { keyOf } from "../../structure/Equivalence.ts"
import { SubGraph } from "../../structure/SubGraph.ts"
import type { GraphBinaryReader } from "./GraphBinaryReader.ts"

/** Reads a graph: its elements have forms of their own, without type codes around their properties. */
export const readGraph = (reader: GraphBinaryReader): SubGraph => {
  const vertices: Array<Vertex> = []
  const byId = new Map<unknown, Vertex>()
  for (let left = reader.length(10, "a graph's vertices"); left > 0; left--) {
    const vertex = readVertex(reader)
    vertices.push(vertex)
    byId.set(keyOf(vertex.id), vertex)
  }
  const edges: Array<Edge> = []
  for (let left = reader.length(18, "a graph's edges"); left > 0; left--) edges.push(readEdge(reader, byId))
  return new SubGraph(vertices, edges)
}

const readVertex = (reader: GraphBinaryReader): Vertex => {
  const id = reader.value()
  const vertex = reader.elements.addVertex(id, reader.string())
  for (let left = reader.length(14, "a vertex's properties"); left > 0; left--) {
    const propertyId = reader.value()
    const key = reader.string()
    const value = reader.value()
    reader.value()
    reader.elements.addVertexProperty(vertex, propertyId, key, value, reader.metaOf(reader.list()))
  }
  return vertex
}

const readEdge = (reader: GraphBinaryReader, vertices: ReadonlyMap<unknown, Vertex>): Edge => {
  const id = reader.value()
  const label = reader.string()
  const into = readEnd(reader, vertices)
  const out = readEnd(reader, vertices)
  reader.value()
  const edge = reader.elements.addEdge(id, label, out, into)
  for (const { key, value } of reader.list().map((item) => propertyOf(reader, item))) {
    reader.elements.addEdgeProperty(edge, key, value)
  }
  return edge
}

/** The vertex of this id, and the label behind it, which is always null. */
const readEnd = (reader: GraphBinaryReader, vertices: ReadonlyMap<unknown, Vertex>): Vertex => {
  const vertex = vertices.get(keyOf(reader.value()))
  reader.value()
  return vertex ?? reader.fail("An edge of a graph has a vertex that is not in it")
}

const propertyOf = (reader: GraphBinaryReader, item: unknown): { readonly key: string; readonly value: unknown } =>
  item instanceof Property ? item : reader.fail("A property of an edge is no Property")
