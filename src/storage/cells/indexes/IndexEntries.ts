import type { Table } from "../CellStore.ts"
import { writeOrdered } from "../codec/Attribute.ts"
import { ByteWriter } from "../codec/ByteWriter.ts"
import type { Id, VertexId } from "../codec/Ids.ts"
import { writeEdgeEntry, writeIndexColumn, writeIndexKey, writeVertexEntry } from "../codec/IndexCells.ts"
import { encodeRelation, type Relation } from "../codec/Relations.ts"
import type { GraphIndex, PropertyKey } from "../schema/Schema.ts"
import { indexedValue } from "./IndexValues.ts"

/** One cell of an index. */
export interface IndexEntry {
  readonly index: GraphIndex
  readonly table: Table
  readonly key: Buffer
  readonly column: Buffer
  readonly value: Buffer
}

/** A property as an index sees it. */
export interface IndexedProperty {
  readonly relation: Id
  readonly value: unknown
}

/** The element whose entries are made. */
export type IndexedElement =
  | {
      readonly kind: "vertex"
      readonly id: VertexId
      /** Id of its label, 0 without one. */
      readonly label: number
      /** The cell of a property that an index keeps a copy of; undefined when there is none. */
      inline(key: PropertyKey): Relation | undefined
    }
  | {
      readonly kind: "edge"
      readonly relation: Id
      readonly out: VertexId
      /** Id of its label. */
      readonly label: number
      readonly into: VertexId
    }

const writer = new ByteWriter()

/** The entries of an element in an index; none unless it has all the fields. */
export const entriesOf = (
  index: GraphIndex,
  element: IndexedElement,
  properties: (key: PropertyKey) => ReadonlyArray<IndexedProperty>
): ReadonlyArray<IndexEntry> => {
  if (index.element !== element.kind || (index.onlyLabel !== undefined && index.onlyLabel !== element.label)) return []
  let combinations: ReadonlyArray<ReadonlyArray<IndexedProperty>> = [[]]
  for (const key of index.fields) {
    const found = properties(key)
    combinations = combinations.flatMap((before) => found.map((property) => [...before, property]))
  }
  if (combinations.length === 0) return []
  const value = entryValue(index, element)
  return index.kind === "range"
    ? combinations.map((fields) => rangeEntry(index, element, fields, value))
    : combinations.map((fields) => equalityEntry(index, element, fields, value))
}

/** The row of these values. */
export const indexRow = (index: GraphIndex, values: ReadonlyArray<unknown>): Buffer => {
  writeIndexKey(
    writer.reset(),
    index.id,
    index.fields.map(({ dataType }) => dataType),
    values.map(indexedValue)
  )
  return writer.copy()
}

const equalityEntry = (
  index: GraphIndex,
  element: IndexedElement,
  fields: ReadonlyArray<IndexedProperty>,
  value: Buffer
): IndexEntry => {
  const key = indexRow(
    index,
    fields.map((field) => field.value)
  )
  const id = element.kind === "vertex" ? element.id : element.relation
  const relations = fields.map(({ relation }) => relation)
  writeIndexColumn(writer.reset(), index.cardinality, id, relations)
  return { index, table: "graphindex", key, column: writer.copy(), value }
}

const entryValue = (index: GraphIndex, element: IndexedElement): Buffer => {
  writer.reset()
  if (element.kind === "edge") writeEdgeEntry(writer, element.relation, element.out, element.label, element.into)
  else {
    writeVertexEntry(writer, element.id)
    for (const key of index.inlineKeys) {
      const cell = element.inline(key)
      if (cell !== undefined) writeInline(cell)
    }
  }
  return writer.copy()
}

/** A copy of a property: its length, the length of its column, column and value. */
const writeInline = (cell: Relation): void => {
  const at = writer.room(8)
  const columnEnd = encodeRelation(writer, cell)
  writer.bytes.writeInt32BE(writer.length - at - 8, at)
  writer.bytes.writeInt32BE(columnEnd - at - 8, at + 4)
}

/** The one row of a range index. */
export const rangeRow = (index: GraphIndex): Buffer => {
  writer.reset().varint(index.id)
  return writer.copy()
}

/** What the columns of entries with these values begin with. */
export const rangePrefix = (index: GraphIndex, values: ReadonlyArray<unknown>): Buffer => {
  writer.reset()
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (typeof value === "string") writeSortedText(value, true)
    else writeOrdered(writer, index.fields[i]!.dataType, value)
  }
  return writer.copy()
}

/** What columns begin with whose last value begins with a text. */
export const rangeTextPrefix = (text: string): Buffer => {
  writer.reset()
  writeSortedText(text, false)
  return writer.copy()
}

/** By UTF-16 units; a unit 0 has a 1 behind it, so that any text can be sorted by. */
const writeSortedText = (text: string, ended: boolean): void => {
  writer.byte(0)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const at = writer.room(unit === 0 ? 4 : 2)
    if (unit === 0) writer.bytes.writeUInt32BE(1, at)
    else writer.bytes.writeUInt16BE(unit, at)
  }
  if (ended) writer.int32(0)
}

const rangeEntry = (
  index: GraphIndex,
  element: IndexedElement,
  fields: ReadonlyArray<IndexedProperty>,
  value: Buffer
): IndexEntry => {
  const prefix = rangePrefix(
    index,
    fields.map((field) => field.value)
  )
  writer.reset().raw(prefix)
  if (element.kind === "vertex") writer.vertexId(element.id)
  else writer.varint(element.relation)
  const column = writer.copy()
  return { index, table: "engine_ranges", key: rangeRow(index), column, value }
}
