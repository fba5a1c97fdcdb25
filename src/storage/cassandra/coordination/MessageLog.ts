import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import { writeString } from "../../janusgraph/format/Strings.ts"
import type { ColumnStore, ColumnTable, Consistency } from "../ColumnStore.ts"
import type { Clock } from "./Clock.ts"
import type { LogSettings } from "./GlobalConfiguration.ts"

/** Time span of a row in microseconds. JanusGraph has the same fixed value: it must not change. */
export const ROW_MICROSECONDS = 100_000_000n

interface MessageLogOptions extends LogSettings {
  readonly table: ColumnTable
  /** The sender of the messages. */
  readonly instance: string
}

/**
 * A log of JanusGraph in a table of the keyspace, as its writers see it. A row holds the messages of a partition, a bucket and 100
 * seconds; a column is time, sender and number; the value is the message.
 */
export class MessageLog {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: MessageLogOptions
  readonly #consistency: Consistency
  #sent = 0

  constructor(columns: ColumnStore, clock: Clock, options: MessageLogOptions, consistency: Consistency) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#consistency = consistency
  }

  /** Writes a message. Messages with the same `partition` are in the same partition of the log. Fails with StorageFailure. */
  async append(message: Uint8Array, partition = 0): Promise<void> {
    const { buckets, instance, partitionBits, table, timeToLive } = this.#options
    const time = this.#clock.now()
    const bucket = this.#sent++ % buckets
    const key = logRowKey(time, bucket, partition % 2 ** partitionBits, partitionBits)
    const writer = new ByteWriter()
    writer.int64(time)
    writeString(writer, instance)
    writer.int64(BigInt(this.#sent))
    const additions = [{ column: writer.copy(), value: message, ttl: timeToLive }]
    await this.#columns.mutate([{ table, key, additions, deletions: [] }], time, this.#consistency)
  }
}

/** The key of the row for a time, microseconds since the epoch. The partition is in the top bits of the key. */
export const logRowKey = (microseconds: bigint, bucket: number, partition = 0, partitionBits = 0): Buffer => {
  const key = Buffer.alloc(12)
  if (partitionBits > 0) key.writeUInt32BE(partition * 2 ** (32 - partitionBits), 0)
  key.writeUInt32BE(bucket, 4)
  key.writeUInt32BE(Number(microseconds / ROW_MICROSECONDS), 8)
  return key
}
