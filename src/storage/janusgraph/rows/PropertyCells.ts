import { Entry, type PropertyState, stateWith } from "../../shared/Properties.ts"
import { CellCursor } from "../cells/Cells.ts"
import { readTyped } from "../format/Attribute.ts"
import { ByteReader } from "../format/ByteReader.ts"
import type { Id } from "../format/Ids.ts"
import { decodeRelation, type Relation } from "../format/Relations.ts"
import type { RelationType, TypeLookup } from "../format/RelationTypes.ts"
import type { Group } from "./Row.ts"

const cursor = new CellCursor()
const reader = new ByteReader(new Uint8Array(0))

/**
 * The values of a property key in a group. They are decoded by the first call and kept with the group. The ids of the
 * entries are relation ids.
 */
export const stateOfGroup = (group: Group, type: RelationType, types: TypeLookup): PropertyState => {
  if (group.state !== null) return group.state
  const state =
    group.count === 1 && group.next === null ? onlyEntry(group, type, types) : allEntries(group, type, types)
  group.state = state
  return state
}

const onlyEntry = ({ bytes, end, start }: Group, type: RelationType, types: TypeLookup): Entry => {
  cursor.within(bytes, start, end).next()
  return entryOf(cursor, type, types)
}

const allEntries = (group: Group, type: RelationType, types: TypeLookup): PropertyState => {
  const entries: Array<Entry> = []
  for (let part: Group | null = group; part !== null; part = part.next) {
    cursor.within(part.bytes, part.start, part.end)
    while (cursor.next()) entries.push(entryOf(cursor, type, types))
  }
  return stateWith(entries)!
}

/** Decodes the values of a property key in a group one by one, without keeping them. */
export function* entriesOfGroup(group: Group, type: RelationType, types: TypeLookup): Generator<Entry> {
  const each = new CellCursor()
  for (let part: Group | null = group; part !== null; part = part.next) {
    each.within(part.bytes, part.start, part.end)
    while (each.next()) yield entryOf(each, type, types)
  }
}

/** Decodes the current cell of a cursor. */
const entryOf = (cursor: CellCursor, type: RelationType, types: TypeLookup): Entry => {
  const { bytes } = cursor
  if (type.multiplicity === "MANY2ONE") {
    // Fast path for a SINGLE property without meta-properties.
    reader.over(bytes, cursor.columnEnd, cursor.valueEnd)
    const value = readTyped(reader, type.dataType)
    const id = reader.varint()
    if (!reader.more && type.signature.length === 0) return new Entry(id, value, null)
  }
  const { columnStart, columnEnd, valueEnd } = cursor
  const relation = decodeRelation(bytes, columnStart, columnEnd, valueEnd, types)
  return new Entry(relation.relation, relation.value, namedProperties(relation))
}

/** The properties of a relation by the names of their keys; null when there are none. */
const namedProperties = ({ properties }: Pick<Relation, "properties">): ReadonlyMap<string, unknown> | null => {
  if (properties.size === 0) return null
  const named = new Map<string, unknown>()
  for (const [key, value] of properties) named.set(key.name, value)
  return named
}

/** The column of the cell that begins at `at`. */
export const columnAt = (bytes: Uint8Array, at: number, end: number): Buffer => {
  cursor.within(bytes, at, end).next()
  return Buffer.from(cursor.column())
}

/**
 * The stored columns of the values of a LIST or SET key, by the id of the relation. A column that is encoded again may have other
 * bytes: that of a SET key contains the value, and other programs compress long texts in another way. Decodes no value.
 */
export const columnsOf = (group: Group, { multiplicity }: RelationType): ReadonlyMap<Id, Buffer> => {
  const columns = new Map<Id, Buffer>()
  for (let part: Group | null = group; part !== null; part = part.next) {
    cursor.within(part.bytes, part.start, part.end)
    while (cursor.next()) {
      reader.over(part.bytes, cursor.columnEnd, cursor.valueEnd)
      columns.set(multiplicity === "MULTI" ? reader.backward() : reader.varint(), Buffer.from(cursor.column()))
    }
  }
  return columns
}

/** Decodes the cell that begins at `at`. Throws UnknownType for a type that the schema does not have. */
export const relationAt = (bytes: Uint8Array, at: number, end: number, types: TypeLookup): Relation => {
  cursor.within(bytes, at, end)
  cursor.next()
  return decodeRelation(bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, types)
}
