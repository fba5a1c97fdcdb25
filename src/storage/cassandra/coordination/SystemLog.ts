import { ByteReader } from "../../janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import { readString, writeString } from "../../janusgraph/format/Strings.ts"
import type { Column, ColumnStore } from "../ColumnStore.ts"
import { type Clock, timeBytes } from "./Clock.ts"
import { logRowKey, MessageLog, ROW_MICROSECONDS } from "./MessageLog.ts"

/**
 * JanusGraph's management log (`systemlog`), in which instances announce changes of types. A row holds 100 seconds; a
 * column is time, sender and number; the value is the message.
 */

/** The messages that this server reads and writes. Messages of other kinds are ignored. */
type SystemMessage =
  | {
      /** Types have changed: read them again, and acknowledge once no transaction uses the older ones. */
      readonly kind: "eviction"
      /** The sender's number of the eviction. */
      readonly eviction: number
      readonly types: ReadonlyArray<number>
    }
  | {
      readonly kind: "acknowledgement"
      /** The instance that sent the eviction. */
      readonly receiver: string
      readonly eviction: number
    }

/** A message of another instance. */
interface ReceivedMessage {
  readonly sender: string
  readonly message: SystemMessage
}

interface SystemLogOptions {
  readonly instance: string
  /** Rows that the messages of a time slice are spread over (`log.janusgraph.num-buckets`). */
  readonly buckets: number
  /** Seconds after which messages expire; undefined when they do not. */
  readonly timeToLive: number | undefined
}

/**
 * Time span that is read again in each poll: messages of slow writers, and of instances whose clocks are behind, arrive late. The
 * same span of the future is read: the clocks of other instances may be ahead. It is the span of one row, so a poll reads three or
 * four rows of each bucket.
 */
const OVERLAP_MICROSECONDS = ROW_MICROSECONDS

const EVICTION = 0
const ACKNOWLEDGEMENT = 1
/** Flag of an eviction: the graph stays in the graph cache of a JanusGraph Server. */
const DO_NOT_EVICT = 1

/** Sends and receives messages of the management log. */
export class SystemLog {
  readonly #columns: ColumnStore
  readonly #clock: Clock
  readonly #options: SystemLogOptions
  readonly #log: MessageLog
  /** Times of received messages by their columns, kept as long as the messages may be read again. */
  readonly #received = new Map<string, bigint>()
  #readTo: bigint

  constructor(columns: ColumnStore, clock: Clock, options: SystemLogOptions) {
    this.#columns = columns
    this.#clock = clock
    this.#options = options
    this.#log = new MessageLog(columns, clock, { ...options, table: "systemlog", partitionBits: 0 }, "system")
    this.#readTo = clock.now()
  }

  /** Writes a message. */
  async send(message: SystemMessage): Promise<void> {
    const writer = new ByteWriter()
    writeMessage(writer, message)
    await this.#log.append(writer.copy())
  }

  /**
   * Messages of other instances that arrived since the last call; the first call reads from shortly before this object was
   * made.
   */
  async receive(): Promise<ReadonlyArray<ReceivedMessage>> {
    const now = this.#clock.now()
    const from = this.#readTo - OVERLAP_MICROSECONDS
    const to = now + OVERLAP_MICROSECONDS
    const reads: Array<Promise<ReadonlyArray<Column>>> = []
    for (let slice = from / ROW_MICROSECONDS; slice <= to / ROW_MICROSECONDS; slice++) {
      for (let bucket = 0; bucket < this.#options.buckets; bucket++) {
        const key = logRowKey(slice * ROW_MICROSECONDS, bucket)
        reads.push(
          this.#columns.slice({ table: "systemlog", key, start: timeBytes(from), end: timeBytes(to) }, "system")
        )
      }
    }
    const messages: Array<ReceivedMessage> = []
    for (const { column, value } of (await Promise.all(reads)).flat()) {
      const message = this.#read(column, value)
      if (message !== undefined) messages.push(message)
    }
    this.#readTo = now
    for (const [name, at] of this.#received) if (at < now - 2n * OVERLAP_MICROSECONDS) this.#received.delete(name)
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

/** Returns undefined for a message of another kind. */
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
