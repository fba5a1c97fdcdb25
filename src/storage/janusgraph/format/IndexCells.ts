import type { Attribute } from "./Attribute.ts"
import { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import type { CardinalityName } from "./EnumAttributes.ts"
import type { Id, VertexId } from "./Ids.ts"

/**
 * Cells of the composite indexes, in the table `graphindex`. The row is the id of the index and the values of its
 * fields, without null flags. The column depends on the index's cardinality. The value is the id of the element.
 */

/** Appends the key of the row with the entries of these values. */
export const writeIndexKey = (
  writer: ByteWriter,
  index: number,
  types: ReadonlyArray<Attribute>,
  values: ReadonlyArray<unknown>
): void => {
  writer.varint(index)
  for (let i = 0; i < types.length; i++) types[i]!.write(writer, values[i])
}

/** Decodes the key of a row. `typesOf` returns the data types of the fields of an index. Throws for other bytes. */
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
 * Appends the column of an entry. An index of the cardinality SINGLE (unique) has one column for each row; SET has one
 * for each element; LIST has one for each combination of properties with the values, identified by their relation ids.
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

/** Decodes the column of an entry. A unique index has no element in the column. */
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

/** Reads the value of an edge's entry. */
export const readEdgeEntry = (
  reader: ByteReader
): { readonly relation: Id; readonly out: VertexId; readonly type: number; readonly into: VertexId } => {
  const relation = reader.varint()
  const out = reader.vertexId()
  const type = Number(reader.varint())
  return { relation, out, type, into: reader.vertexId() }
}
