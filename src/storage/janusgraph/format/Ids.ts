/**
 * Ids of JanusGraph's format: positive 63-bit numbers whose low bits tell the kind, or, for vertices, a text. Numbers
 * that a plain number holds exactly are plain numbers everywhere inside; only larger ones, found in a foreign keyspace,
 * are bigints.
 */
export type Id = number | bigint

/** Id of a vertex: a number, or text where the graph allows it. */
export type VertexId = Id | string

/** A bigint as an {@link Id}. */
export const normalId = (id: bigint): Id => (id <= 9007199254740991n ? Number(id) : id)

/** Low three bits of the id of a vertex that users see. */
export const NORMAL_VERTEX = 0
const PARTITIONED_VERTEX = 2
/** Kinds of schema vertices: what follows the count in the id, and how many bits that takes. */
export const schemaKinds = {
  propertyKey: { suffix: 0b000101, bits: 6 },
  systemPropertyKey: { suffix: 0b100101, bits: 6 },
  edgeLabel: { suffix: 0b010101, bits: 6 },
  systemEdgeLabel: { suffix: 0b110101, bits: 6 },
  vertexLabel: { suffix: 0b01101, bits: 5 },
  other: { suffix: 0b1001, bits: 4 }
} as const

export type SchemaKind = keyof typeof schemaKinds

/** The id of the schema vertex with this count. */
export const schemaId = (kind: SchemaKind, count: number): number => {
  const { suffix, bits } = schemaKinds[kind]
  return count * 2 ** bits + suffix
}

/** Schema ids end in binary 01, and nothing else does. */
export const isSchemaId = (id: VertexId): boolean =>
  typeof id === "number" ? id % 4 === 1 : typeof id === "bigint" && (id & 3n) === 1n

/** The count of a relation type: what its cells begin with. */
export const typeCount = (typeId: number): number => Math.floor(typeId / 64)

/** The id of the normal vertex with this count in a partition. */
export const vertexId = (count: number, partition: number, partitionBits: number): number =>
  (count * 2 ** partitionBits + partition) * 8 + NORMAL_VERTEX

/** The id of the relation with this count in a partition. */
export const relationId = (count: number, partition: number, partitionBits: number): number =>
  count * 2 ** partitionBits + partition

/** The partition of a vertex, 0 for one with a text as its id. */
export const partitionOf = (id: VertexId, partitionBits: number): number => {
  if (typeof id === "number") return Math.floor(id / 8) % 2 ** partitionBits
  return typeof id === "bigint" ? Number((id >> 3n) & ((1n << BigInt(partitionBits)) - 1n)) : 0
}

/**
 * The canonical id of a partitioned vertex, which has a row in several partitions: its partition is the exclusive or of
 * the groups of bits of its count. Other ids are canonical.
 */
export const canonicalId = (id: VertexId, partitionBits: number): VertexId => {
  if (typeof id === "string" || Number(BigInt(id) & 7n) !== PARTITIONED_VERTEX) return id
  const bits = BigInt(partitionBits)
  const count = BigInt(id) >> (3n + bits)
  let partition = 0n
  for (let rest = count; rest > 0n; rest >>= bits) partition ^= rest & ((1n << bits) - 1n)
  return normalId((((count << bits) | partition) << 3n) | BigInt(PARTITIONED_VERTEX))
}

/** Why a text cannot be the id of a vertex; undefined when it can. */
export const textIdProblem = (id: string): string | undefined => {
  if (id === "") return "is empty"
  if (!/^[\x20-\x7e]*$/.test(id)) return "has a character that is not printable ASCII"
  return id.includes("-") ? "has a '-', which separates the parts of edge ids" : undefined
}
