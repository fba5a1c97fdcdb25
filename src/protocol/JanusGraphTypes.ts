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

/** The parts of an id; undefined for any other value. */
export const relationParts = (id: unknown): RelationParts | undefined => {
  const parts = typeof id === "string" ? id.split("-") : []
  if (parts.length !== 3 && parts.length !== 4) return undefined
  const [relation, type] = [numberOf(parts[0]!), numberOf(parts[2]!)]
  const out = vertexOf(parts[1]!)
  const into = parts.length === 4 ? vertexOf(parts[3]!) : undefined
  if (relation === undefined || type === undefined || out === undefined) return undefined
  return parts.length === 4 && into === undefined ? undefined : { relation, out, type, into }
}

const vertexOf = (text: string): bigint | string | undefined => (/^S./.test(text) ? text.slice(1) : numberOf(text))

const numberOf = (text: string): bigint | undefined => {
  if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}
