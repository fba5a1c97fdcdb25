/**
 * An id of JanusGraph's format: a positive 63-bit number whose low bits are the kind of id. It is a bigint only where a
 * plain number cannot hold it exactly, which happens in keyspaces that JanusGraph has filled.
 */
export type Id = number | bigint

/** The id of a vertex: a number, or text where the graph allows it. */
export type VertexId = Id | string

/** A bigint as an {@link Id}. */
export const normalId = (id: bigint): Id => (id <= 9007199254740991n ? Number(id) : id)

/** The low three bits of the id of an ordinary vertex. */
export const NORMAL_VERTEX = 0
/** The low three bits of the id of a partitioned vertex. */
export const PARTITIONED_VERTEX = 2
/** The low three bits of the id of a vertex with a static label, which JanusGraph does not change. */
export const STATIC_VERTEX = 4

/** True for the id of a vertex with a static label. A user-defined id does not show the label. */
export const isStaticId = (id: VertexId): boolean =>
  typeof id === "number" ? id % 8 === STATIC_VERTEX : typeof id === "bigint" && Number(id & 7n) === STATIC_VERTEX

/** Kinds of schema vertices: the low bits of their ids, which follow the count, and the number of these bits. */
export const schemaKinds = {
  propertyKey: { suffix: 0b000101, bits: 6 },
  systemPropertyKey: { suffix: 0b100101, bits: 6 },
  edgeLabel: { suffix: 0b010101, bits: 6 },
  systemEdgeLabel: { suffix: 0b110101, bits: 6 },
  vertexLabel: { suffix: 0b01101, bits: 5 },
  other: { suffix: 0b1001, bits: 4 }
} as const

/** A kind of schema vertex. */
export type SchemaKind = keyof typeof schemaKinds

/** The id of the schema vertex with this count. */
export const schemaId = (kind: SchemaKind, count: number): number => {
  const { suffix, bits } = schemaKinds[kind]
  return count * 2 ** bits + suffix
}

/** True for the id of a schema vertex: only these ids end in binary 01. */
export const isSchemaId = (id: VertexId): boolean =>
  typeof id === "number" ? id % 4 === 1 : typeof id === "bigint" && (id & 3n) === 1n

/** The count in the id of a relation type: the headers of its cells contain it. */
export const typeCount = (typeId: number): number => Math.floor(typeId / 64)

/** 2 to the power of `bits`, from 0 to 52. A shift is quick, and `**` is not: V8 calls a function for an exponent that varies. */
export const powerOfTwo = (bits: number): number => (bits < 31 ? 1 << bits : 2 ** bits)

/** The id of the normal vertex with this count in a partition. */
export const vertexId = (count: number, partition: number, partitionBits: number): number =>
  (count * powerOfTwo(partitionBits) + partition) * 8 + NORMAL_VERTEX

/** The id of the relation with this count in a partition. */
export const relationId = (count: number, partition: number, partitionBits: number): number =>
  count * powerOfTwo(partitionBits) + partition

/** The partition of a vertex; 0 for a text id. */
export const partitionOf = (id: VertexId, partitionBits: number): number => {
  if (typeof id === "number") return Math.floor(id / 8) % powerOfTwo(partitionBits)
  return typeof id === "bigint" ? Number((id >> 3n) & ((1n << BigInt(partitionBits)) - 1n)) : 0
}

/**
 * The canonical id of a vertex. A partitioned vertex has rows in several partitions; its canonical partition is the
 * exclusive or of the groups of `partitionBits` bits of its count. Other ids are canonical already.
 */
export const canonicalId = (id: VertexId, partitionBits: number): VertexId => {
  if (typeof id === "string" || (typeof id === "number" ? id & 7 : Number(id & 7n)) !== PARTITIONED_VERTEX) return id
  const bits = BigInt(partitionBits)
  const count = BigInt(id) >> (3n + bits)
  let partition = 0n
  for (let rest = count; rest > 0n; rest >>= bits) partition ^= rest & ((1n << bits) - 1n)
  return normalId((((count << bits) | partition) << 3n) | BigInt(PARTITIONED_VERTEX))
}

/**
 * True for a text that may be the id of a stored vertex. JanusGraph gives ids with '-', such as UUIDs, if its environment variable
 * JANUSGRAPH_RELATION_DELIMITER names another separator for ids of edges.
 */
export const isStoredTextId = (id: string): boolean => /^[\x20-\x7e]+$/.test(id)

/** Why a text cannot be the id of a new vertex, as the end of a sentence; undefined when it can. */
export const textIdProblem = (id: string): string | undefined => {
  if (id === "") return "is empty"
  if (!/^[\x20-\x7e]*$/.test(id)) return "has a character that is not printable ASCII"
  return id.includes("-") ? "has a '-', which separates the parts of edge ids" : undefined
}
