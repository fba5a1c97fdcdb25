import type { WebSocket } from "ws"
import type { RequestMessage } from "../../../protocol/Messages.ts"
import { requestIdOfFailure } from "../../../protocol/ProtocolError.ts"
import type { Serializer } from "../../../protocol/Serializer.ts"
import { wholeCharacters } from "../../../protocol/Utf8.ts"
import { Ring } from "../../../structure/containers/Ring.ts"
import { ArrivedParts } from "../shared/ArrivedParts.ts"
import { LONG_MESSAGE_BYTES } from "../shared/ArrivingBytes.ts"
import { readLongMessage } from "../shared/LongMessages.ts"
import { Pace, type Reader } from "../shared/ReadingShare.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { WebSocketArrival } from "./WebSocketArrival.ts"
import type { SpokenFormat } from "./WebSocketDrivers.ts"
import type { WebSocketOutput } from "./WebSocketOutput.ts"

/** Takes the messages of a WebSocket. */
interface MessageReceiver {
  /** `bytes`: length of the message as it arrived. */
  readonly handle: (message: RequestMessage, bytes: number, format: SpokenFormat) => void
  /** The message cannot be read. `format` is the one that it has, or seems to have. */
  readonly unreadable: (error: unknown, format: SpokenFormat) => void
}

/** The connection that messages are read from. */
interface MessageSource {
  readonly ws: WebSocket
  readonly output: WebSocketOutput
  readonly arrival: WebSocketArrival
  /** What the client most likely speaks, before its first message. */
  readonly presumed: SpokenFormat
}

/** A message that arrived and waits; a very long one in parts. */
interface Unread {
  readonly data: Buffer | ArrivedParts
  readonly isBinary: boolean
}

/**
 * How messages are taken. `direct`: as they arrive. In the next three flows the socket is paused, and what still arrives
 * waits. `in line`: other readers have their turns first; `waiting for room`: the client does not read its answers;
 * `reading long`: a long message is read in slices. `held`: no message is taken until {@link WebSocketMessages.release}; the socket is
 * read until {@link MAX_HELD_BYTES} wait, so that pings are answered. `ended`: the connection is closed.
 */
type Flow = "direct" | "in line" | "waiting for room" | "reading long" | "held" | "ended"

/** Chunks of at least this length count for the pace of a client, whether they contain a whole message or not. */
const COUNTED_CHUNK_BYTES = 16_384

/** Messages of so many bytes wait while no message is taken. Then the socket is paused. */
const MAX_HELD_BYTES = 65_536

/** Reads the messages of one WebSocket in their order. */
export class WebSocketMessages implements Reader {
  readonly #context: TransportContext
  readonly #source: MessageSource
  readonly #receiver: MessageReceiver
  /** What the client spoke last. */
  #spoken: SpokenFormat | null = null
  readonly #messagePace: Pace
  readonly #chunkPace: Pace
  #flow: Flow = "direct"
  #mustHold = false
  /** Messages that wait, while the flow is not direct. */
  #queued: Ring<Unread> | null = null
  #queuedBytes = 0

  constructor(context: TransportContext, source: MessageSource, receiver: MessageReceiver) {
    this.#context = context
    this.#source = source
    this.#receiver = receiver
    this.#messagePace = new Pace(context.reading)
    this.#chunkPace = new Pace(context.reading, 1)
  }

  /** What the client speaks, as far as it is known. */
  get format(): SpokenFormat {
    return this.#spoken ?? this.#source.presumed
  }

  /** The id of the request and the format of a message of which only the start is known; null for an id that is not in it. */
  readBeginning(
    bytes: Buffer,
    isBinary: boolean
  ): { readonly requestId: string | null; readonly format: SpokenFormat } {
    const { formats, settings } = this.#context
    let serializer = formats.json
    let requestId: string | null
    try {
      // It may end inside of a character.
      let payload = wholeCharacters(bytes)
      if (isBinary) ({ payload, serializer } = formats.frame(payload))
      requestId = serializer.readMessage(payload, settings.maxNestingDepth).requestId
    } catch (error) {
      requestId = requestIdOfFailure(error)
    }
    return { requestId, format: requestId === null ? this.format : this.#formatOf(serializer, isBinary) }
  }

  /** True when no message waits or is being read. */
  get isIdle(): boolean {
    return this.#queued === null
  }

  /** True after {@link hold}, as soon as no message is being read. */
  get isHeld(): boolean {
    return this.#flow === "held"
  }

  /** Takes no further message. What arrives waits. */
  hold(): void {
    this.#mustHold = true
    // In the other flows, it stands in line afterwards.
    if (this.#flow !== "direct") return
    this.#queued = new Ring()
    this.#flow = "held"
  }

  /** Takes the messages that have waited since {@link hold}. */
  release(): void {
    this.#mustHold = false
    if (this.#flow !== "held") return
    this.#source.ws.pause()
    this.#standInLine()
  }

  /** A message arrived. */
  received(data: Buffer | ArrivedParts, isBinary: boolean): void {
    if (this.#flow === "direct" && this.#messagePace.isTooFast()) this.#waitForTurn()
    if (this.#queued === null) this.#take(data, isBinary)
    else {
      this.#queued.push({ data, isBinary })
      this.#queuedBytes += data.length
      if (this.#flow === "held" && this.#queuedBytes > MAX_HELD_BYTES) this.#source.ws.pause()
      this.#context.reading.waiting++
    }
    this.#pauseWhenFull()
  }

  /** To be called when a chunk of this number of bytes has arrived. Pings and fragments of messages take time, too. */
  came(bytes: number): void {
    if (bytes < COUNTED_CHUNK_BYTES || this.#flow !== "direct") return
    if (this.#chunkPace.isTooFast()) this.#waitForTurn()
  }

  #waitForTurn(): void {
    this.#queued = new Ring()
    this.#source.ws.pause()
    this.#standInLine()
  }

  #standInLine(): void {
    if (this.#flow === "ended") return
    this.#flow = "in line"
    this.#context.reading.resume(this)
  }

  takeNext(): boolean {
    if (this.#flow !== "in line" || this.#queued === null) return false
    const { output, ws } = this.#source
    if (ws.readyState !== ws.OPEN) {
      this.#drop("direct")
      // The client may still answer the close.
      ws.resume()
      return false
    }
    if (this.#mustHold) {
      this.#flow = "held"
      if (this.#queuedBytes <= MAX_HELD_BYTES) ws.resume()
      return false
    }
    if (!output.hasRoom) {
      this.#flow = "waiting for room"
      output.onRoom(() => this.#standInLine())
      return false
    }
    const next = this.#queued.shift()
    if (next === undefined) {
      this.#flow = "direct"
      this.#queued = null
      ws.resume()
      return false
    }
    this.#context.reading.waiting--
    this.#queuedBytes -= next.data.length
    return this.#take(next.data, next.isBinary)
  }

  /** The connection is closed. */
  end(): void {
    this.#drop("ended")
  }

  /** Drops the messages that wait. */
  #drop(flow: "direct" | "ended"): void {
    this.#flow = flow
    this.#context.reading.waiting -= this.#queued?.length ?? 0
    this.#queuedBytes = 0
    this.#queued = null
  }

  /** False when the message is long: it is read in slices, and this reader asks to be served again afterwards. */
  #take(data: Buffer | ArrivedParts, isBinary: boolean): boolean {
    if (!Buffer.isBuffer(data)) return this.#takeLong(data, isBinary)
    if (data.length > LONG_MESSAGE_BYTES) return this.#takeLong(new ArrivedParts([data], data.length), isBinary)
    this.#takeShort(data, isBinary)
    return true
  }

  #takeShort(data: Buffer, isBinary: boolean): void {
    const { formats, settings } = this.#context
    let serializer = this.#spoken?.serializer ?? formats.json
    let message: RequestMessage
    try {
      let payload = data
      if (isBinary) ({ payload, serializer } = formats.frame(data))
      else serializer = formats.json
      message = serializer.readMessage(payload, settings.maxNestingDepth)
    } catch (error) {
      this.#receiver.unreadable(error, this.#formatOf(serializer, isBinary))
      return
    }
    this.#handle(message, data.length, this.#formatOf(serializer, isBinary))
  }

  /** The format as the object that the last message had, where it is the same. */
  #formatOf(serializer: Serializer, binary: boolean): SpokenFormat {
    const { format } = this
    return format.serializer === serializer && format.binary === binary ? format : { serializer, binary }
  }

  #handle(message: RequestMessage, bytes: number, format: SpokenFormat): void {
    this.#spoken = format
    this.#receiver.handle(message, bytes, format)
  }

  /** True when there is no room for the message: the connection is ended. */
  #takeLong(parts: ArrivedParts, isBinary: boolean): boolean {
    const bytes = parts.length
    const { arrival, ws } = this.#source
    if (!arrival.reads(bytes)) return true
    const { formats, settings } = this.#context
    let serializer = isBinary ? (this.#spoken?.serializer ?? formats.json) : formats.json
    this.#flow = "reading long"
    this.#queued ??= new Ring()
    ws.pause()
    readLongMessage<RequestMessage>(this.#context, {
      parts,
      read: (whole, long) => {
        let payload = whole
        if (isBinary) ({ payload, serializer } = formats.frame(whole))
        return serializer.readMessage(payload, settings.maxNestingDepth, long)
      },
      done: (message) => {
        this.#handle(message, bytes, this.#formatOf(serializer, isBinary))
        this.#longEnds()
      },
      failed: (error) => {
        this.#receiver.unreadable(error, this.#formatOf(serializer, isBinary))
        this.#longEnds()
      },
      isGone: () => ws.readyState === ws.CLOSED
    })
    return false
  }

  #longEnds(): void {
    this.#source.arrival.reads(0)
    this.#standInLine()
  }

  /** The server does not read further requests of a client that does not read its answers. */
  #pauseWhenFull(): void {
    const { output, ws } = this.#source
    if (this.#flow !== "direct" || output.hasRoom || ws.isPaused) return
    ws.pause()
    output.onRoom(() => {
      if (this.#flow === "direct") ws.resume()
    })
  }
}
