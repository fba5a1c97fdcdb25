import { successor } from "../cells/Cells.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { headerNumber, prefixes, type RelationType, systemType } from "../format/RelationTypes.ts"

/** What the columns of one type in one direction begin with. */
export interface Header {
  /** The same for the same prefix and number: what groups of cells are found by. */
  readonly key: number
  readonly bytes: Buffer
  /** The first column behind all of them. */
  readonly end: Buffer
}

export interface TypeHeaders {
  /** Of a property, or an edge in the out-vertex's row. */
  readonly out: Header
  readonly in: Header
}

export const headerKey = (prefix: number, number: number): number => number * 8 + prefix

const header = (prefix: number, number: number): Header => {
  const writer = new ByteWriter(16)
  writer.prefixed(prefix, number)
  const bytes = writer.copy()
  return { key: headerKey(prefix, number), bytes, end: successor(bytes)! }
}

const known = new WeakMap<RelationType, TypeHeaders>()

/** Headers of the cells of a type; those of the copies for the type of a relation index. */
export const headersOf = (type: RelationType, copies = false): TypeHeaders => {
  const found = known.get(type)
  if (found !== undefined) return found
  const system = systemType(type.id) !== undefined
  const kind = type.isKey ? prefixes.property : prefixes.edge
  const prefix = system ? kind - 2 : copies ? kind + 2 : kind
  const headers = {
    out: header(prefix, headerNumber(type.id, false)),
    in: header(prefix, headerNumber(type.id, true))
  }
  known.set(type, headers)
  return headers
}

/** Columns of all properties, and before them those of the system: whether the vertex exists, and its label. */
export const PROPERTIES_END = Buffer.from([prefixes.edge << 5])
/** Columns of all edges. */
export const EDGES_START = PROPERTIES_END
export const EDGES_END = Buffer.from([prefixes.propertyCopy << 5])
