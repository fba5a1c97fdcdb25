import { wordsOf } from "../../../structure/characters/FullText.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import type { Table } from "../cells/CellStore.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import { writeEdgeEntry, writeIndexColumn, writeIndexKey, writeVertexEntry } from "../format/IndexCells.ts"
import { encodeRelation, type Relation } from "../format/Relations.ts"
import type { FieldForm, GraphIndex, PropertyKey } from "../schema/Schema.ts"
import { cellsOf } from "./GeoCells.ts"
import { indexedValueOf } from "./IndexValues.ts"
import { ABSENT, orderedValue } from "./OrderedValues.ts"

/** A cell of an index. */
export interface IndexEntry {
  readonly index: GraphIndex
  readonly table: Table
  readonly key: Buffer
  readonly column: Buffer
  readonly value: Buffer
  /** The field of a mixed index to which the entry belongs. */
  readonly field?: PropertyKey
  /** TTL in seconds; 0 for none. Absent: the entry does not expire, and none that was stored in its place does. */
  ttl?: number
  /** In a bulk load: the caller's number of the element. */
  origin?: number
}

/** A property that an index contains. */
export interface IndexedProperty {
  readonly relation: Id
  readonly value: unknown
  /** Seconds until the property expires, 0 if it does not. Absent: not known. */
  readonly ttl?: () => number
}

/** An element whose entries are made. */
export type IndexedElement =
  | {
      readonly kind: "vertex"
      readonly id: VertexId
      /** The id of the label; 0 for the default label. */
      readonly label: number
      /** The cell of a property of which the entry has a copy; undefined when the vertex does not have the property. */
      inline(key: PropertyKey): Relation | undefined
    }
  | {
      readonly kind: "edge"
      readonly relation: Id
      readonly out: VertexId
      /** The id of the label. */
      readonly label: number
      readonly into: VertexId
    }

const writer = new ByteWriter()

/** True for an entry whose TTL is needed. */
export type IsDated = (entry: IndexEntry) => boolean

/**
 * The entries of an element in an index. A composite index has entries only for elements with all of its fields. An
 * ordered index has entries by the fields before the first missing one. A mixed index has entries for each existing
 * field. Only entries for which `isDated` is true get the TTL of their properties.
 */
export const entriesOf = (
  index: GraphIndex,
  element: IndexedElement,
  properties: (key: PropertyKey) => ReadonlyArray<IndexedProperty>,
  isDated: IsDated = () => true
): ReadonlyArray<IndexEntry> => {
  if (index.element !== element.kind || (index.onlyLabel !== undefined && index.onlyLabel !== element.label)) return []
  if (index.kind === "mixed") return mixedEntries(index, element, properties, isDated)
  let combinations: ReadonlyArray<ReadonlyArray<IndexedProperty>> = [[]]
  let fields = 0
  for (const key of index.fields) {
    const found = properties(key)
    if (found.length === 0) break
    combinations = combinations.flatMap((before) => found.map((property) => [...before, property]))
    fields++
  }
  if (fields === 0 || (index.kind === "equality" && fields < index.fields.length)) return []
  const value = entryValue(index, element)
  if (index.kind === "equality")
    return combinations.map((found) => withTtl(equalityEntry(index, element, found, value), found, isDated))
  const key = indexRowPrefix(index)
  return combinations.map((found) => {
    const columns = found.map((field, at) => orderedValue(index.fields[at]!, field.value))
    if (fields < index.fields.length) columns.push(ABSENT)
    // The element still belongs into the index without the fields after the first one.
    const entry: IndexEntry = { index, table: "engine_ranges", key, column: withElement(columns, element), value }
    return withTtl(entry, found.slice(0, 1), isDated)
  })
}

/** Sets the TTL of an entry to that of the property that expires first, where this is known. */
const withTtl = (entry: IndexEntry, properties: ReadonlyArray<IndexedProperty>, isDated: IsDated): IndexEntry => {
  if (properties.every(({ ttl }) => ttl === undefined) || !isDated(entry)) return entry
  for (const property of properties) {
    const ttl = property.ttl?.() ?? 0
    if (ttl > 0 && (entry.ttl === undefined || ttl < entry.ttl)) entry.ttl = ttl
  }
  return entry
}

const mixedEntries = (
  index: GraphIndex,
  element: IndexedElement,
  properties: (key: PropertyKey) => ReadonlyArray<IndexedProperty>,
  isDated: IsDated
): ReadonlyArray<IndexEntry> => {
  const entries: Array<IndexEntry> = []
  let cell: Buffer | undefined
  index.fields.forEach((key, at) => {
    const found = properties(key)
    if (found.length === 0) return
    cell ??= entryValue(index, element)
    for (const form of index.forms[at]!) {
      const row = fieldRow(index, key, form)
      for (const property of found) {
        for (const begin of columnsOf(key, form, property.value)) {
          const column = withElement([begin], element)
          const entry: IndexEntry = { index, table: "engine_ranges", key: row, column, value: cell, field: key }
          entries.push(withTtl(entry, [property], isDated))
        }
      }
    }
  })
  return entries
}

/** The first bytes of the columns of a value in a field of a mixed index. */
const columnsOf = (key: PropertyKey, form: FieldForm, value: unknown): ReadonlyArray<Buffer> => {
  switch (form) {
    case "ordered":
      return [orderedValue(key, value)]
    case "text":
      return typeof value === "string" ? [...new Set(wordsOf(value))].map(wholeWord) : []
    default:
      return value instanceof Geoshape ? cellsOf(value.shape) : []
  }
}

/** The first bytes of the column of a word. Longer words that begin with it sort after it. */
export const wholeWord = (word: string): Buffer => Buffer.from(`${word}\0`)

/** The word at the start of a column. */
export const wordOfColumn = (column: Uint8Array): string => {
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.length)
  return bytes.toString("utf8", 0, bytes.indexOf(0))
}

/** Appends the id of the element, which makes the column unique. */
const withElement = (begin: ReadonlyArray<Buffer>, element: IndexedElement): Buffer => {
  writer.reset()
  for (const bytes of begin) writer.raw(bytes)
  if (element.kind === "vertex") writer.vertexId(element.id)
  else writer.varint(element.relation)
  return writer.copy()
}

/** The key of the row of these values in a composite index. */
export const indexRow = (index: GraphIndex, values: ReadonlyArray<unknown>): Buffer => {
  writeIndexKey(
    writer.reset(),
    index.id,
    index.fields.map(({ dataType }) => dataType),
    index.fields.map((field, i) => indexedValueOf(field, values[i]))
  )
  return writer.copy()
}

/** The common first bytes of the keys of all rows of an index. It is the key of the only row of an ordered index. */
export const indexRowPrefix = (index: Pick<GraphIndex, "id">): Buffer => {
  writer.reset().varint(index.id)
  return writer.copy()
}

const formLetters = { ordered: "o", text: "t", geo: "g" } as const

/** The key of the row of a field of a mixed index, for one form of the field. */
export const fieldRow = (index: GraphIndex, key: PropertyKey, form: FieldForm): Buffer => {
  writer.reset().varint(index.id)
  writer.varint(key.id)
  writer.byte(formLetters[form].charCodeAt(0))
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

/** Appends a copy of a property: its length and the length of its column (4 bytes each), its column and its value. */
const writeInline = (cell: Relation): void => {
  const at = writer.room(8)
  const columnEnd = encodeRelation(writer, cell)
  writer.bytes.writeInt32BE(writer.length - at - 8, at)
  writer.bytes.writeInt32BE(columnEnd - at - 8, at + 4)
}
