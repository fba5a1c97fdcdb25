import { successor } from "../cells/Cells.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { headerNumber, prefixes, type RelationType, systemType } from "../format/RelationTypes.ts"

/** The common first bytes of the columns of one type in one direction. */
export interface Header {
  /** Identifies the header; see {@link headerKey}. */
  readonly key: number
  readonly bytes: Buffer
  /** The exclusive end of the range of columns that begin with the header. */
  readonly end: Buffer
}

/** The headers of a relation type in both directions. */
export interface TypeHeaders {
  /** For properties, and for edges in the row of their out-vertex. */
  readonly out: Header
  /** For edges in the row of their in-vertex. */
  readonly in: Header
}

/** A header as one number: its lowest 3 bits are the prefix. */
export const headerKey = (prefix: number, number: number): number => number * 8 + prefix

const header = (prefix: number, number: number): Header => {
  const writer = new ByteWriter(16)
  writer.prefixed(prefix, number)
  const bytes = writer.copy()
  return { key: headerKey(prefix, number), bytes, end: successor(bytes)! }
}

/** True when the columns with the second header directly follow those with the first one. */
export const isNextHeader = (first: Header, second: Header): boolean => Buffer.compare(first.end, second.bytes) === 0

const known = new WeakMap<RelationType, TypeHeaders>()

/** The headers of the cells of a type. `copies`: the type is that of a vertex-centric index, whose cells are copies. */
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

/**
 * The exclusive end of the columns of properties. They follow the system's columns: the vertex exists, and its label.
 */
export const PROPERTIES_END = Buffer.from([prefixes.edge << 5])
/** The first column of the edges. */
export const EDGES_START = PROPERTIES_END
/** The exclusive end of the columns of edges; the copies of vertex-centric indexes follow. */
export const EDGES_END = Buffer.from([prefixes.propertyCopy << 5])
