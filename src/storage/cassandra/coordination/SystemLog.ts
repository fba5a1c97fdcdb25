import { ByteReader } from "../../janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import { readString, writeString } from "../../janusgraph/format/Strings.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import { type Clock, micros } from "./Clock.ts"

/**
 * JanusGraph's management log (`systemlog`), by which instances tell each other that types of the schema changed: rows of
 * 100 seconds, columns of time, sender and number, messages as values.
 */

/** What instances tell each other; other messages are not for a foreign process. */
type SystemMessage =
  | {
      /** Types changed: forget what is known of them, and acknowledge once no transaction uses it any more. */
      readonly kind: "eviction"
      /** The sender's number of it. */
      readonly eviction: number
      readonly types: ReadonlyArray<number>
    }
  | {
      readonly kind: "acknowledgement"
      /** Whose eviction it answers. */
      readonly receiver: string
      readonly eviction: number
    }

interface ReceivedMessage {
  readonly sender: string
  readonly message: SystemMessage
}

interface SystemLogOptions {
  readonly instance: string
  /** Rows that the messages of a time are spread over (`log.janusgraph.num-buckets`). */
  readonly buckets: number
  /** Seconds after which messages are removed; undefined = never. */
  readonly timeToLive: number | undefined
}

/** Microseconds of a row. Never to be changed: JanusGraph has it fixed. */
const SLICE = 100_000_000n

/** Milliseconds for which the past is read again: messages of slow writers, and of those whose clocks lag, come late. */
const OVERLAP = 10_000

const EVICTION = 0
const ACKNOWLEDGEMENT = 1
/** The graph stays in the cache of graphs of a JanusGraph Server. */
const DO_NOT_EVICT = 1

export class SystemLog {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: SystemLogOptions
  /** Times of messages that were received, by their columns, as long as they may be read again. */
  readonly #received = new Map<string, bigint>()
  #readTo: bigint
  #sent = 0

  constructor(columns: ColumnStore, clock: Clock, options: SystemLogOptions) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#readTo = clock.now()
  }

  async send(message: SystemMessage): Promise<void> {
    const time = this.#clock.now()
    const bucket = this.#sent++ % this.#options.buckets
    const writer = new ByteWriter()
    const long = Buffer.allocUnsafe(8)
    long.writeBigInt64BE(time)
    writer.raw(long)
    writeString(writer, this.#options.instance)
    long.writeBigInt64BE(BigInt(this.#sent))
    writer.raw(long)
    const column = writer.copy()
    writeMessage(writer.reset(), message)
    const additions = [{ column, value: writer.copy(), ttl: this.#options.timeToLive }]
    await this.#columns.mutate(
      [{ table: "systemlog", key: rowKey(bucket, time), additions, deletions: [] }],
      time,
      "system"
    )
  }

  /** Messages of others that came since the last call, or since this process began to listen and shortly before. */
  async receive(): Promise<ReadonlyArray<ReceivedMessage>> {
    const now = this.#clock.now()
    const from = this.#readTo - micros(OVERLAP)
    // Clocks of others may be ahead.
    const to = now + micros(OVERLAP)
    const messages: Array<ReceivedMessage> = []
    for (let slice = from / SLICE; slice <= to / SLICE; slice++) {
      for (let bucket = 0; bucket < this.#options.buckets; bucket++) {
        const query = {
          table: "systemlog",
          key: rowKey(bucket, slice * SLICE),
          start: time(from),
          end: time(to)
        } as const
        for (const { column, value } of await this.#columns.slice(query, "system")) {
          const message = this.#read(column, value)
          if (message !== undefined) messages.push(message)
        }
      }
    }
    this.#readTo = now
    for (const [name, at] of this.#received) if (at < now - 2n * micros(OVERLAP)) this.#received.delete(name)
    return messages
  }

  #read(column: Uint8Array, value: Uint8Array): ReceivedMessage | undefined {
    const bytes = Buffer.from(column.buffer, column.byteOffset, column.length)
    const name = bytes.toString("latin1")
    if (this.#received.has(name)) return undefined
    this.#received.set(name, bytes.readBigInt64BE(0))
    const sender = readString(new ByteReader(column, 8)) ?? ""
    if (sender === this.#options.instance) return undefined
    const message = readMessage(value)
    return message === undefined ? undefined : { sender, message }
  }
}

const time = (microseconds: bigint): Buffer => {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(microseconds)
  return bytes
}

/** All messages lie in the first partition of the log. */
const rowKey = (bucket: number, microseconds: bigint): Buffer => {
  const key = Buffer.alloc(12)
  key.writeUInt32BE(bucket, 4)
  key.writeUInt32BE(Number(microseconds / SLICE), 8)
  return key
}

const writeMessage = (writer: ByteWriter, message: SystemMessage): void => {
  if (message.kind === "eviction") {
    writer.varint(EVICTION)
    writer.varint(message.eviction)
    writer.varint(message.types.length)
    for (const type of message.types) writer.varint(type)
    writer.varint(DO_NOT_EVICT)
  } else {
    writer.varint(ACKNOWLEDGEMENT)
    writeString(writer, message.receiver)
    writer.varint(message.eviction)
  }
}

/** Undefined for a message of another kind. */
const readMessage = (value: Uint8Array): SystemMessage | undefined => {
  const reader = new ByteReader(value)
  switch (reader.count()) {
    case EVICTION: {
      const eviction = reader.count()
      const types = Array.from({ length: reader.count() }, () => reader.count())
      return { kind: "eviction", eviction, types }
    }
    case ACKNOWLEDGEMENT: {
      const receiver = readString(reader) ?? ""
      return { kind: "acknowledgement", receiver, eviction: reader.count() }
    }
    default:
      return undefined
  }
}
