import { Entry, type PropertyState, stateWith } from "../../shared/Properties.ts"
import { CellCursor } from "../cells/Cells.ts"
import { readTyped } from "../format/Attribute.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { decodeRelation, type Relation } from "../format/Relations.ts"
import type { RelationType, TypeLookup } from "../format/RelationTypes.ts"
import type { Group } from "./Row.ts"

const cursor = new CellCursor()
const reader = new ByteReader(new Uint8Array(0))

/** What is under a property key, decoded once. The ids of the entries are ids of relations. */
export const stateOfGroup = (group: Group, type: RelationType, types: TypeLookup): PropertyState => {
  if (group.state !== null) return group.state
  const entries: Array<Entry> = []
  for (let piece: Group | null = group; piece !== null; piece = piece.next) {
    cursor.within(piece.bytes, piece.start, piece.end)
    while (cursor.next()) entries.push(entryOf(piece.bytes, type, types))
  }
  const state = stateWith(entries)!
  group.state = state
  return state
}

/** The property in the cell that the cursor is at. */
const entryOf = (bytes: Uint8Array, type: RelationType, types: TypeLookup): Entry => {
  if (type.multiplicity === "MANY2ONE") {
    // The usual property, without meta-properties, is read without more ado.
    reader.over(bytes, cursor.columnEnd, cursor.valueEnd)
    const value = readTyped(reader, type.dataType)
    const id = reader.varint()
    if (!reader.more && type.signature.length === 0) return new Entry(id, value, null)
  }
  const { columnStart, columnEnd, valueEnd } = cursor
  const relation = decodeRelation(bytes, columnStart, columnEnd, valueEnd, types)
  return new Entry(relation.relation, relation.value, namedProperties(relation))
}

/** Properties of a relation by the names of their keys; null when there are none. */
const namedProperties = ({ properties }: Pick<Relation, "properties">): ReadonlyMap<string, unknown> | null => {
  if (properties.size === 0) return null
  const named = new Map<string, unknown>()
  for (const [key, value] of properties) named.set(key.name, value)
  return named
}

/** The relation in the cell that begins at a place. */
export const relationAt = (bytes: Uint8Array, at: number, end: number, types: TypeLookup): Relation => {
  cursor.within(bytes, at, end)
  cursor.next()
  return decodeRelation(bytes, cursor.columnStart, cursor.columnEnd, cursor.valueEnd, types)
}
