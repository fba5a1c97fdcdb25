import { readOrdered, readTyped, writeOrdered, writeTyped } from "./Attribute.ts"
import { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import type { Id, VertexId } from "./Ids.ts"
import {
  headerNumber,
  isUnique,
  prefixes,
  type RelationType,
  systemType,
  type TypeLookup,
  typeIdOfHeader
} from "./RelationTypes.ts"

/** A decoded cell of a vertex's row: a property, or an edge as the vertex of the row sees it. */
export interface Relation {
  readonly prefix: number
  readonly type: RelationType
  /** True in the row of an edge's in-vertex. */
  readonly isIn: boolean
  readonly relation: Id
  /** The vertex at the other end; undefined for a property. */
  readonly other: VertexId | undefined
  /** The value of a property; undefined for an edge. */
  readonly value: unknown
  /** The properties of an edge, or the meta-properties of a property. */
  readonly properties: ReadonlyMap<RelationType, unknown>
}

/** The type of a cell is not in the schema: the cell was written with a newer schema. */
export class UnknownType extends Error {
  readonly typeId: number
  constructor(typeId: number) {
    super(
      `The graph has a cell of a type with the id ${typeId}, which its schema does not have. If another server has just made ` +
        "the type, run the request again in a moment."
    )
    this.typeId = typeId
  }
}

const find = (types: TypeLookup, id: number): RelationType => {
  const type = systemType(id) ?? types(id)
  if (type === undefined) throw new UnknownType(id)
  return type
}

/**
 * Decodes a cell whose value follows its column in `bytes`. Throws UnknownType when the schema does not have a type of
 * the cell, and an Error for bytes that are not a cell.
 */
export const decodeRelation = (
  bytes: Uint8Array,
  start: number,
  columnEnd: number,
  end: number,
  types: TypeLookup
): Relation => {
  const reader = new ByteReader(bytes, start, end)
  const header = Number(reader.prefixed())
  const { prefix } = reader
  const type = find(types, typeIdOfHeader(prefix, header))
  const isIn = header % 2 === 1
  const sortStart = reader.at
  let sortEnd = sortStart
  let relation: Id = 0
  let other: VertexId | undefined
  let value: unknown
  if (!type.isKey) {
    if (type.multiplicity === "MULTI") {
      reader.at = columnEnd
      relation = reader.backward()
      other = reader.vertexIdBackward()
      sortEnd = reader.at
      reader.at = columnEnd
    } else {
      if (isUnique(type.multiplicity, isIn)) other = reader.vertexId()
      else {
        reader.at = columnEnd
        other = reader.vertexIdBackward()
        reader.at = columnEnd
      }
      relation = reader.varint()
    }
  } else if (type.multiplicity === "MULTI") {
    reader.at = columnEnd
    relation = reader.backward()
    sortEnd = reader.at
    reader.at = columnEnd
    value = readTyped(reader, type.dataType)
  } else {
    value = readTyped(reader, type.dataType)
    relation = reader.varint()
  }
  const properties = new Map<RelationType, unknown>()
  if (type.multiplicity === "MULTI" && type.sortKey.length > 0) {
    readSortKey(bytes, sortStart, sortEnd, type, properties)
  }
  readRest(reader, type, types, properties)
  return { prefix, type, isIn, relation, other, value, properties }
}

const readSortKey = (
  bytes: Uint8Array,
  start: number,
  end: number,
  type: RelationType,
  into: Map<RelationType, unknown>
): void => {
  const sorted = Uint8Array.prototype.slice.call(bytes, start, end)
  if (type.descending) for (let i = 0; i < sorted.length; i++) sorted[i]! ^= 255
  const reader = new ByteReader(sorted)
  for (const key of type.sortKey) {
    const value = readOrdered(reader, key.dataType)
    if (value !== null) into.set(key, value)
  }
}

/** Reads the values of the signature, then every other property as the number of its key and its value. */
const readRest = (
  reader: ByteReader,
  type: RelationType,
  types: TypeLookup,
  into: Map<RelationType, unknown>
): void => {
  for (const key of type.signature) {
    const value = readTyped(reader, key.dataType)
    if (value !== null) into.set(key, value)
  }
  while (reader.more) {
    const key = find(types, keyIdOf(Number(reader.varint())))
    into.set(key, readTyped(reader, key.dataType))
  }
}

/** A key is stored without the low four bits of its id, which are the same for all property keys. */
const keyIdOf = (short: number): number => short * 16 + 0b0101
const shortKeyId = (id: number): number => Math.floor(id / 16)

/**
 * Appends the column and then the value of a cell. Returns where the value begins. Throws UnsupportedValue for a value that
 * cannot be written, such as a text with U+0000 in a sort key.
 */
export const encodeRelation = (writer: ByteWriter, cell: Relation): number => {
  const { prefix, type, isIn, relation, other, value, properties } = cell
  writer.prefixed(prefix, headerNumber(type.id, isIn))
  const sortStart = writer.length
  if (type.multiplicity === "MULTI") {
    for (const key of type.sortKey) writeOrdered(writer, key.dataType, properties.get(key) ?? null)
    if (type.descending) writer.invert(sortStart, writer.length)
  }
  let columnEnd: number
  if (!type.isKey) columnEnd = writeEnds(writer, type, isIn, relation, other!)
  else if (type.multiplicity === "MULTI") {
    writer.backward(relation)
    columnEnd = writer.length
    writeTyped(writer, type.dataType, value)
  } else {
    columnEnd = writer.length
    writeTyped(writer, type.dataType, value)
    if (type.multiplicity === "SIMPLE") columnEnd = writer.length
    writer.varint(relation)
  }
  for (const key of type.signature) writeTyped(writer, key.dataType, properties.get(key) ?? null)
  for (const [key, property] of sortedRest(type, properties)) {
    writer.varint(shortKeyId(key.id))
    writeTyped(writer, key.dataType, property)
  }
  return columnEnd
}

/** Writes the other end and the relation id of an edge; returns where the value begins. */
const writeEnds = (
  writer: ByteWriter,
  { multiplicity }: RelationType,
  isIn: boolean,
  relation: Id,
  other: VertexId
): number => {
  if (multiplicity === "MULTI") {
    writer.vertexIdBackward(other)
    writer.backward(relation)
    return writer.length
  }
  let columnEnd = writer.length
  if (isUnique(multiplicity, isIn)) writer.vertexId(other)
  else {
    writer.vertexIdBackward(other)
    columnEnd = writer.length
  }
  writer.varint(relation)
  return columnEnd
}

/** The properties that are neither in the sort key nor in the signature, sorted by the ids of their keys. */
const sortedRest = (
  { sortKey, signature }: RelationType,
  properties: ReadonlyMap<RelationType, unknown>
): ReadonlyArray<readonly [RelationType, unknown]> => {
  if (properties.size === 0) return []
  const rest = [...properties].filter(([key]) => !sortKey.includes(key) && !signature.includes(key))
  return rest.length < 2 ? rest : rest.sort(([a], [b]) => a.id - b.id)
}

const none: ReadonlyMap<RelationType, unknown> = new Map()

/** The cell of a property without meta-properties. */
export const propertyCell = (type: RelationType, relation: Id, value: unknown): Relation => ({
  prefix: systemType(type.id) === undefined ? prefixes.property : prefixes.systemProperty,
  type,
  isIn: false,
  relation,
  other: undefined,
  value,
  properties: none
})

/** The cell of an edge in the row of one of its ends. */
export const edgeCell = (
  type: RelationType,
  isIn: boolean,
  relation: Id,
  other: VertexId,
  properties: ReadonlyMap<RelationType, unknown> = none
): Relation => ({
  prefix: systemType(type.id) === undefined ? prefixes.edge : prefixes.systemEdge,
  type,
  isIn,
  relation,
  other,
  value: undefined,
  properties
})
