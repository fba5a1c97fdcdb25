/**
 * Claims of blocks of ids, in the table `janusgraph_ids`. The row is the partition and the kind of id. The column is
 * the negated end of the block, so that the newest claim sorts first, then the time of the claim and the claiming
 * instance. The value is empty.
 */

/** The kinds of ids with their numbers in JanusGraph's format. */
const idKinds = {
  vertex: 0,
  unmodifiableVertex: 1,
  partitionedVertex: 2,
  relation: 3,
  schema: 4
} as const

/** A kind of id. */
export type IdKind = keyof typeof idKinds

/** The number of counts in a block; `size` is the setting `ids.block-size`. JanusGraph's rule. */
export const blockSize = (kind: IdKind, size: number): number => {
  switch (kind) {
    case "vertex":
      return size
    case "unmodifiableVertex":
      return Math.max(10, Math.floor(size / 10))
    case "partitionedVertex":
      return Math.max(10, Math.floor(size / 100))
    case "relation":
      return 8 * size
    case "schema":
      return 50
  }
}

/** The key of a row of claims. `tag` is the claimant's tag, where counts carry a tag in their low bits. */
export const claimKey = (kind: IdKind, partition: number, partitionBits: number, tag = 0): Buffer => {
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32BE(partition * 2 ** (32 - partitionBits) + tag, 0)
  key.writeUInt32BE(idKinds[kind], 4)
  return key
}

interface Claim {
  /** The first count after the block. */
  readonly end: bigint
  /** Microseconds since the epoch. */
  readonly time: bigint
  readonly instance: string
}

/** Encodes a claim. */
export const claimColumn = ({ end, time, instance }: Claim): Buffer => {
  const head = Buffer.allocUnsafe(16)
  head.writeBigInt64BE(-end, 0)
  head.writeBigInt64BE(time, 8)
  return Buffer.concat([head, Buffer.from(instance, "utf8")])
}

/** Decodes the column of a claim. */
export const readClaim = (column: Uint8Array): Claim => {
  const buffer = Buffer.from(column.buffer, column.byteOffset, column.length)
  return {
    end: -buffer.readBigInt64BE(0),
    time: buffer.readBigInt64BE(8),
    instance: buffer.toString("utf8", 16)
  }
}
