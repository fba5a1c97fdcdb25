import { canonicalId, type Id, normalId, PARTITIONED_VERTEX, partitionOf, type VertexId } from "./Ids.ts"
import { isUnique, type RelationType } from "./RelationTypes.ts"
import { rowKey } from "./RowKeys.ts"

/**
 * A partitioned vertex has one row in each partition, its representatives. Their ids differ only in the bits of the
 * partition. The canonical representative has the properties and the label. An edge of the vertex is in the row of the
 * partition of its other end. Clients see the canonical id only. The rules are those of JanusGraph's VertexIDAssigner.
 */

/** True for the id of a representative of a partitioned vertex. */
export const isPartitionedId = (id: VertexId): boolean =>
  typeof id === "number" ? (id & 7) === PARTITIONED_VERTEX : typeof id === "bigint" && (id & 7n) === 2n

/** The id of the representative of a partitioned vertex in a partition. */
const representative = (id: VertexId, partition: number, partitionBits: number): Id => {
  const bits = BigInt(partitionBits)
  const count = BigInt(id) >> (3n + bits)
  return normalId((((count << bits) | BigInt(partition)) << 3n) | BigInt(PARTITIONED_VERTEX))
}

/** The canonical id of the partitioned vertex with this count. */
export const partitionedVertexId = (count: number, partitionBits: number): Id =>
  canonicalId(normalId((BigInt(count) << BigInt(3 + partitionBits)) | BigInt(PARTITIONED_VERTEX)), partitionBits) as Id

/** The keys of all rows of a vertex, in the order of their partitions: one row, unless the vertex is partitioned. */
export const rowKeysOf = (id: VertexId, partitionBits: number): ReadonlyArray<Buffer> =>
  isPartitionedId(id)
    ? Array.from({ length: 2 ** partitionBits }, (_, at) =>
        rowKey(representative(id, at, partitionBits), partitionBits)
      )
    : [rowKey(id, partitionBits)]

/** The exclusive or of the groups of `partitionBits` bits of a relation id. */
const partitionOfRelation = (relation: Id, partitionBits: number): number => {
  const bits = BigInt(partitionBits)
  let partition = 0n
  for (let rest = BigInt(relation); rest > 0n; rest >>= bits) partition ^= rest & ((1n << bits) - 1n)
  return Number(partition)
}

/** One end of an edge, as the other end and the type determine its representative. */
interface EdgeEnd {
  readonly vertex: VertexId
  /** True for the in-vertex. */
  readonly isIn: boolean
  readonly other: VertexId
  readonly relation: Id
  readonly type: RelationType
}

/**
 * The id of the representative of an end of an edge. An end that is not partitioned has its own id. An end that can have
 * only one such edge is canonical. Otherwise the edge is in the partition of the other end, or in one that its relation
 * id determines if both ends are partitioned.
 */
export const representativeOf = ({ isIn, other, relation, type, vertex }: EdgeEnd, partitionBits: number): VertexId => {
  if (!isPartitionedId(vertex)) return vertex
  if (isUnique(type.multiplicity, isIn)) return canonicalId(vertex, partitionBits)
  const partition = isPartitionedId(other)
    ? partitionOfRelation(relation, partitionBits)
    : partitionOf(other, partitionBits)
  return representative(vertex, partition, partitionBits)
}

/** The ids of both ends of an edge as JanusGraph stores them in index entries. */
export const storedEnds = (
  type: RelationType,
  relation: Id,
  out: VertexId,
  into: VertexId,
  partitionBits: number
): { readonly out: VertexId; readonly into: VertexId } =>
  isPartitionedId(out) || isPartitionedId(into)
    ? {
        out: representativeOf({ vertex: out, isIn: false, other: into, relation, type }, partitionBits),
        into: representativeOf({ vertex: into, isIn: true, other: out, relation, type }, partitionBits)
      }
    : { out, into }
