/**
 * Claims of blocks of ids (`janusgraph_ids`). Row: partition and kind of id. Column: the negated end of the block, so that
 * the newest claim sorts first, the time of the claim and who claims. The value is empty.
 */
export const idKinds = {
  vertex: 0,
  unmodifiableVertex: 1,
  partitionedVertex: 2,
  relation: 3,
  schema: 4
} as const

export type IdKind = keyof typeof idKinds

/** Counts in a block, for an `ids.block-size` of so many. */
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

/** The key of the row of claims; `tag` is that of the claimant, where counts have one in their low bits. */
export const claimKey = (kind: IdKind, partition: number, partitionBits: number, tag = 0): Buffer => {
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32BE(partition * 2 ** (32 - partitionBits) + tag, 0)
  key.writeUInt32BE(idKinds[kind], 4)
  return key
}

interface Claim {
  /** First count behind the block. */
  readonly end: bigint
  /** Microseconds since 1970. */
  readonly time: bigint
  readonly instance: string
}

export const claimColumn = ({ end, time, instance }: Claim): Buffer => {
  const head = Buffer.allocUnsafe(16)
  head.writeBigInt64BE(-end, 0)
  head.writeBigInt64BE(time, 8)
  return Buffer.concat([head, Buffer.from(instance, "utf8")])
}

export const readClaim = (column: Uint8Array): Claim => {
  const buffer = Buffer.from(column.buffer, column.byteOffset, column.length)
  return {
    end: -buffer.readBigInt64BE(0),
    time: buffer.readBigInt64BE(8),
    instance: buffer.toString("utf8", 16)
  }
}
