import { type BulkSet, GremlinMap, type MapEntry } from "../../structure/collections/Collections.ts"
import type { Tree } from "../../structure/collections/Tree.ts"
import type { Edge, Property, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import type { Path } from "../../structure/elements/Path.ts"
import type { SubGraph } from "../../structure/elements/SubGraph.ts"
import { relationParts } from "../JanusGraphTypes.ts"
import { writeRelationIdentifier } from "./CustomWriters.ts"
import { DataType } from "./DataType.ts"
import { type ValueWriter, writeMade, writeMembers } from "./ValueWriter.ts"

// Elements and collections. Long ones are written in slices.

const writeValue = (writer: ValueWriter, value: unknown): void => writer.value(value)

/** Writes a collection with this type code. */
export const writeCollection = (
  writer: ValueWriter,
  code: number,
  size: number,
  values: Iterable<unknown> & object
): void => {
  writer.output.type(code)
  writer.output.int(size)
  writeMembers(writer, values, size, writeValue)
}

/** Writes a list. */
export const writeList = (writer: ValueWriter, values: readonly unknown[]): void => {
  const { mode, output } = writer
  output.type(DataType.List)
  output.int(values.length)
  if (mode.longOf(values) !== null) {
    writeMembers(writer, values, values.length, writeValue)
    return
  }
  const start = output.position
  for (let i = 0; i < values.length; i++) {
    writer.value(values[i])
    mode.checkLength(output.position - start)
  }
}

/** Writes a map. */
export const writeMap = (writer: ValueWriter, map: GremlinMap): void => {
  const { mode, output } = writer
  output.type(DataType.Map)
  output.int(map.size)
  if (mode.longOf(map) !== null) {
    writeMembers(writer, map, map.size, writeKeyThenValue)
    return
  }
  const start = output.position
  map.forEach((value, key) => {
    writer.value(key)
    writer.value(value)
    mode.checkLength(output.position - start)
  })
}

const writeKeyThenValue = (writer: ValueWriter, [key, value]: readonly [unknown, unknown]): void => {
  writer.value(key)
  writer.value(value)
}

/** Writes an entry of a map as a map. */
export const writeEntry = (writer: ValueWriter, { key, value }: MapEntry): void => {
  const { long } = writer.mode
  const make = (): GremlinMap => new GremlinMap([[key, value]])
  const write = (map: GremlinMap): undefined => {
    writeMap(writer, map)
  }
  if (long === null) write(make())
  else long.one(make, write, writer.resumed)
}

/** Writes a map of names to values, without a type code. */
export const writeNamedValues = (writer: ValueWriter, map: ReadonlyMap<string, unknown>): void => {
  writer.output.int(map.size)
  for (const entry of map) writeKeyThenValue(writer, entry)
}

/** Writes a bulk set: its different values with their counts. */
export const writeBulkSet = (writer: ValueWriter, set: BulkSet): void => {
  const { mode, output } = writer
  output.type(DataType.BulkSet)
  output.int(set.uniqueSize)
  const long = mode.longOf(set)
  if (long !== null) {
    const write = (entry: [unknown, number]): undefined => {
      writeCounted(writer, entry)
    }
    long.members(set.uniqueSize, set.entries(), write, writer.resumed)
    return
  }
  const start = output.position
  for (const entry of set.entries()) {
    writeCounted(writer, entry)
    mode.checkLength(output.position - start)
  }
}

const writeCounted = (writer: ValueWriter, [value, count]: readonly [unknown, number]): void => {
  writer.value(value)
  writer.output.longOfNumber(count)
}

/** Writes a traverser: a value and its bulk. */
export const writeTraverser = (writer: ValueWriter, value: unknown, bulk: number): void => {
  writer.output.type(DataType.Traverser)
  writer.output.longOfNumber(bulk)
  writer.value(value)
}

/** Writes a vertex with its properties. */
export const writeVertex = (writer: ValueWriter, vertex: Vertex): void => {
  const { output } = writer
  output.type(DataType.Vertex)
  writer.value(vertex.id)
  output.string(vertex.label)
  if (!writer.properties) {
    output.null()
    return
  }
  output.type(DataType.List)
  writeMade(writer, () => counted(writer, vertex.properties()), writeVertexProperty)
}

/** Writes the number of members that follow. */
const counted = <A>({ output }: ValueWriter, members: ReadonlyArray<A>): ReadonlyArray<A> => {
  output.int(members.length)
  return members
}

/** Writes a property of a vertex with its meta-properties. */
export const writeVertexProperty = (writer: ValueWriter, property: VertexProperty): void => {
  const { output } = writer
  output.type(DataType.VertexProperty)
  writeVertexPropertyHead(writer, property)
  if (!writer.properties) {
    output.null()
    return
  }
  output.type(DataType.List)
  writeMetaProperties(writer, property)
}

/** Writes a property of a vertex up to its parent, which is always null. */
const writeVertexPropertyHead = (writer: ValueWriter, property: VertexProperty): void => {
  const { output } = writer
  writeRelationId(writer, property.id)
  output.string(property.key)
  writer.value(property.value)
  output.null()
}

const writeMetaProperties = (writer: ValueWriter, { meta }: VertexProperty): void => {
  writer.output.int(meta === null ? 0 : meta.size)
  if (meta !== null && meta.size > 0) writeMade(writer, () => [...meta], writeMetaProperty)
}

const writeMetaProperty = (writer: ValueWriter, [key, value]: readonly [string, unknown]): void =>
  writeKeyAndValue(writer, key, value)

/** Writes a property of an edge or a meta-property. */
export const writeProperty = (writer: ValueWriter, { key, value }: Property): void =>
  writeKeyAndValue(writer, key, value)

const writeKeyAndValue = (writer: ValueWriter, key: string, value: unknown): void => {
  const { output } = writer
  output.type(DataType.Property)
  output.string(key)
  writer.value(value)
  output.null()
}

/** Writes the id of an edge or a property. */
const writeRelationId = (writer: ValueWriter, id: unknown): void => {
  const parts = writer.janusGraph ? relationParts(id) : undefined
  if (parts === undefined) writer.value(id)
  else writeRelationIdentifier(writer.output, parts)
}

/** Writes an edge with its properties and the ids and labels of its vertices. */
export const writeEdge = (writer: ValueWriter, edge: Edge): void => {
  const { output } = writer
  const { inVertex, outVertex } = edge
  output.type(DataType.Edge)
  writeRelationId(writer, edge.id)
  output.string(edge.label)
  writer.value(inVertex.id)
  output.string(inVertex.label)
  writer.value(outVertex.id)
  output.string(outVertex.label)
  output.null()
  if (!writer.properties) {
    output.null()
    return
  }
  output.type(DataType.List)
  writeEdgeProperties(writer, edge)
}

const writeEdgeProperties = (writer: ValueWriter, edge: Edge): void =>
  writeMade(writer, () => counted(writer, edge.properties()), writeProperty)

/** Writes a path: the labels and the objects of its steps. */
export const writePath = (writer: ValueWriter, path: Path): void => {
  const { output } = writer
  output.type(DataType.Path)
  output.type(DataType.List)
  output.int(path.labels.length)
  writeMembers(writer, path.labels, path.labels.length, writeLabels)
  writeList(writer, path.objects)
}

const writeLabels = (writer: ValueWriter, labels: ReadonlySet<string>): void =>
  writeCollection(writer, DataType.Set, labels.size, labels)

/** Writes a tree without its type code. */
export const writeTree = (writer: ValueWriter, { children }: Tree): void => {
  writer.output.int(children.size)
  writeMembers(writer, children, children.size, writeBranch)
}

const writeBranch = (writer: ValueWriter, [key, child]: readonly [unknown, unknown]): void => {
  writer.value(key)
  writeTree(writer, child as Tree)
}

/**
 * Writes a graph. Its elements have forms of their own: properties have no type codes, and the vertices of an edge have no
 * labels.
 */
export const writeGraph = (writer: ValueWriter, { edges, vertices }: SubGraph): void => {
  const { output } = writer
  output.type(DataType.Graph)
  output.int(vertices.length)
  writeMembers(writer, vertices, vertices.length, writeGraphVertex)
  output.int(edges.length)
  writeMembers(writer, edges, edges.length, writeGraphEdge)
}

const writeGraphVertex = (writer: ValueWriter, vertex: Vertex): void => {
  const { output } = writer
  writer.value(vertex.id)
  output.string(vertex.label)
  writeMade(writer, () => counted(writer, vertex.properties()), writeGraphVertexProperty)
}

const writeGraphVertexProperty = (writer: ValueWriter, property: VertexProperty): void => {
  writeVertexPropertyHead(writer, property)
  writeMetaProperties(writer, property)
}

const writeGraphEdge = (writer: ValueWriter, edge: Edge): void => {
  const { output } = writer
  writeRelationId(writer, edge.id)
  output.string(edge.label)
  writer.value(edge.inVertex.id)
  output.null()
  writer.value(edge.outVertex.id)
  output.null()
  output.null()
  writeEdgeProperties(writer, edge)
}
