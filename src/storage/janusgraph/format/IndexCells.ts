import type { Attribute } from "./Attribute.ts"
import { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import type { CardinalityName } from "./EnumAttributes.ts"
import type { Id, VertexId } from "./Ids.ts"

/**
 * Cells of `graphindex`, the composite indexes. Row: the index and the bare values of its fields. Column: by the
 * index's cardinality. Value: where the element is.
 */

/** Appends the key of the row that holds the entries of these values. */
export const writeIndexKey = (
  writer: ByteWriter,
  index: number,
  types: ReadonlyArray<Attribute>,
  values: ReadonlyArray<unknown>
): void => {
  writer.varint(index)
  for (let i = 0; i < types.length; i++) types[i]!.write(writer, values[i])
}

/** Index and values of a row. `typesOf` gives the types of an index's fields. */
export const readIndexKey = (
  key: Uint8Array,
  typesOf: (index: number) => ReadonlyArray<Attribute>
): { readonly index: number; readonly values: ReadonlyArray<unknown> } => {
  const reader = new ByteReader(key)
  const index = Number(reader.varint())
  const values = typesOf(index).map((type) => type.read(reader))
  if (reader.more) throw new Error(`The key of a row of the index ${index} is longer than its values`)
  return { index, values }
}

/**
 * Appends the column of an entry. SINGLE (a unique index) has one column, SET one for each element, LIST one for each
 * combination of the properties that have the values, given by their relation ids.
 */
export const writeIndexColumn = (
  writer: ByteWriter,
  cardinality: CardinalityName,
  element: VertexId,
  relations: ReadonlyArray<Id>
): void => {
  writer.byte(0)
  if (cardinality === "SINGLE") return
  writer.vertexId(element)
  if (cardinality === "LIST") for (const relation of relations) writer.varint(relation)
}

export const readIndexColumn = (
  column: Uint8Array,
  cardinality: CardinalityName
): { readonly element: VertexId | undefined; readonly relations: ReadonlyArray<Id> } => {
  const reader = new ByteReader(column, 1)
  if (cardinality === "SINGLE") return { element: undefined, relations: [] }
  const element = reader.vertexId()
  const relations: Array<Id> = []
  while (reader.more) relations.push(reader.varint())
  return { element, relations }
}

/** Appends the value of a vertex's entry. */
export const writeVertexEntry = (writer: ByteWriter, vertex: VertexId): void => writer.vertexId(vertex)

/** Appends the value of an edge's entry. */
export const writeEdgeEntry = (writer: ByteWriter, relation: Id, out: VertexId, type: number, into: VertexId): void => {
  writer.varint(relation)
  writer.vertexId(out)
  writer.varint(type)
  writer.vertexId(into)
}

export const readEdgeEntry = (
  reader: ByteReader
): { readonly relation: Id; readonly out: VertexId; readonly type: number; readonly into: VertexId } => {
  const relation = reader.varint()
  const out = reader.vertexId()
  const type = Number(reader.varint())
  return { relation, out, type, into: reader.vertexId() }
}
