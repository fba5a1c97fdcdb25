import { LONG_MAX } from "../structure/numbers/Numbers.ts"

/**
 * The parts of the id of an edge or a vertex property, for clients that have JanusGraph's types. The text of an id is
 * `relation-out-type-in` in base 36, for a property `relation-out-type`. An id of a vertex that is a text has the prefix S.
 */
export interface RelationParts {
  readonly relation: bigint
  readonly out: bigint | string
  readonly type: bigint
  /** Undefined for a property. */
  readonly into: bigint | string | undefined
}

/** Characters of an id of a vertex that is a text. It is the name of a row, which has at most so many bytes in Cassandra. */
export const LONGEST_TEXT_ID = 65_535

/**
 * The parts of an id. Undefined for any other value, and for a text that its parts would change: a client would make another id of
 * them.
 */
export const relationParts = (id: unknown): RelationParts | undefined => {
  const parts = typeof id === "string" ? id.split("-", MAX_PARTS + 1) : []
  if (parts.length !== MAX_PARTS && parts.length !== MAX_PARTS - 1) return undefined
  const [relation, type] = [numberOf(parts[0]!), numberOf(parts[2]!)]
  const out = vertexOf(parts[1]!)
  const into = parts.length === MAX_PARTS ? vertexOf(parts[3]!) : undefined
  if (relation === undefined || type === undefined || out === undefined) return undefined
  // GraphBinary has 0 in the place of the second vertex of a property.
  return parts.length === MAX_PARTS && (into === undefined || into === 0n) ? undefined : { relation, out, type, into }
}

const MAX_PARTS = 4

const vertexOf = (text: string): bigint | string | undefined =>
  /^S[ -~]+$/.test(text) && text.length <= LONGEST_TEXT_ID + 1 ? text.slice(1) : numberOf(text)

/** The number with this text: a Long from 0 on, without needless zeros. */
const numberOf = (text: string): bigint | undefined => {
  if (!/^(?:0|[1-9a-z][0-9a-z]{0,12})$/.test(text)) return undefined
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value <= LONG_MAX ? value : undefined
}
