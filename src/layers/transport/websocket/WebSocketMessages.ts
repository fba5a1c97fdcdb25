import type { WebSocket } from "ws"
import type { RequestMessage } from "../../../protocol/Messages.ts"
import type { Serializer } from "../../../protocol/Serializer.ts"
import { Ring } from "../../../structure/Ring.ts"
import { ArrivedParts } from "../shared/ArrivedParts.ts"
import { LONG_MESSAGE } from "../shared/ArrivingBytes.ts"
import { type LongMessageReader, readLongMessage } from "../shared/LongMessages.ts"
import { Pace, type Reader } from "../shared/ReadingShare.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { WebSocketArrival } from "./WebSocketArrival.ts"
import type { SpokenFormat } from "./WebSocketDrivers.ts"
import type { WebSocketOutput } from "./WebSocketOutput.ts"

/** What becomes of the messages of a WebSocket. */
interface MessageReceiver {
  readonly handle: (message: RequestMessage, bytes: number, serializer: Serializer, binary: boolean) => void
  /** A message that cannot be read; the serializer is the one it was, or seemed to be, written with. */
  readonly unreadable: (error: unknown, serializer: Serializer, binary: boolean) => void
}

/** A message as it came, a very long one in parts. */
interface Unread {
  readonly data: Buffer | ArrivedParts
  readonly isBinary: boolean
}

/** Bytes that come at once where a client sends more than it waits for. */
const MANY_BYTES = 16_384

/**
 * Reads the messages of one WebSocket in their order. Does not read on while a long one is read in slices, while the client
 * does not take its answers, or when it has sent so many that others have their turn first.
 */
export class WebSocketMessages implements Reader {
  readonly #context: TransportContext
  readonly #ws: WebSocket
  readonly #output: WebSocketOutput
  readonly #arrival: WebSocketArrival
  readonly #receiver: MessageReceiver
  readonly #presumed: SpokenFormat
  #spoken: SpokenFormat | null = null
  readonly #pace: Pace
  readonly #readPace: Pace
  /** Messages that came and are not read on purpose: the socket is paused meanwhile. Null when nothing is held up. */
  #behind: Ring<Unread> | null = null
  #readsLong = false
  /** Waits for its turns among the other readers. */
  #standsInLine = false

  constructor(
    context: TransportContext,
    ws: WebSocket,
    output: WebSocketOutput,
    arrival: WebSocketArrival,
    presumed: SpokenFormat,
    receiver: MessageReceiver
  ) {
    this.#context = context
    this.#ws = ws
    this.#output = output
    this.#arrival = arrival
    this.#presumed = presumed
    this.#receiver = receiver
    this.#pace = new Pace(context.reading)
    this.#readPace = new Pace(context.reading, 1)
  }

  /** What the client speaks, as far as it has spoken. */
  get format(): SpokenFormat {
    return this.#spoken ?? this.#presumed
  }

  received(data: Buffer | ArrivedParts, isBinary: boolean): void {
    if (this.#behind === null && this.#pace.isTooFast()) this.#waitForTurn()
    if (this.#behind === null) this.#take(data, isBinary)
    else {
      this.#behind.push({ data, isBinary })
      this.#context.reading.waiting++
    }
    this.#pauseWhenFull()
  }

  /** So many bytes came. Those that are no messages (pings, pieces of messages) cost time as well. */
  came(bytes: number): void {
    if (bytes < MANY_BYTES || this.#behind !== null) return
    if (this.#readPace.isTooFast()) this.#waitForTurn()
  }

  #waitForTurn(): void {
    this.#behind = new Ring()
    this.#ws.pause()
    this.#standInLine()
  }

  #standInLine(): void {
    if (this.#standsInLine) return
    this.#standsInLine = true
    this.#context.reading.goOn(this)
  }

  takeNext(): boolean {
    this.#standsInLine = this.#takeNext()
    return this.#standsInLine
  }

  #takeNext(): boolean {
    if (this.#behind === null) return false
    if (this.#ws.readyState !== this.#ws.OPEN) {
      this.end()
      // An answer to its close may still come.
      this.#ws.resume()
      return false
    }
    if (!this.#output.hasRoom) {
      this.#output.onRoom(() => this.#standInLine())
      return false
    }
    const next = this.#behind.shift()
    if (next === undefined) {
      this.#behind = null
      this.#ws.resume()
      return false
    }
    this.#context.reading.waiting--
    this.#take(next.data, next.isBinary)
    return !this.#readsLong
  }

  /** Nobody waits for answers any more. */
  end(): void {
    this.#context.reading.waiting -= this.#behind?.length ?? 0
    this.#behind = null
  }

  #take(data: Buffer | ArrivedParts, isBinary: boolean): void {
    if (!Buffer.isBuffer(data)) this.#takeLong(data, isBinary)
    else if (data.length > LONG_MESSAGE) this.#takeLong(new ArrivedParts([data], data.length), isBinary)
    else this.#takeShort(data, isBinary)
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
      this.#receiver.unreadable(error, serializer, isBinary)
      return
    }
    this.#handle(message, data.length, serializer, isBinary)
  }

  #handle(message: RequestMessage, bytes: number, serializer: Serializer, binary: boolean): void {
    if (this.#spoken?.serializer !== serializer) this.#spoken = { serializer, binary }
    this.#receiver.handle(message, bytes, serializer, binary)
  }

  #takeLong(parts: ArrivedParts, isBinary: boolean): void {
    const bytes = parts.length
    if (!this.#arrival.reads(bytes)) return
    const { formats, settings } = this.#context
    let serializer = isBinary ? (this.#spoken?.serializer ?? formats.json) : formats.json
    this.#readsLong = true
    this.#behind ??= new Ring()
    this.#ws.pause()
    const reader: LongMessageReader<RequestMessage> = {
      parts,
      read: (whole, long) => {
        let payload = whole
        if (isBinary) ({ payload, serializer } = formats.frame(whole))
        return serializer.readMessage(payload, settings.maxNestingDepth, long)
      },
      done: (message) => {
        this.#handle(message, bytes, serializer, isBinary)
        this.#goOnBehindLong()
      },
      failed: (error) => {
        this.#receiver.unreadable(error, serializer, isBinary)
        this.#goOnBehindLong()
      },
      isGone: () => this.#ws.readyState === this.#ws.CLOSED
    }
    readLongMessage(this.#context, reader)
  }

  #goOnBehindLong(): void {
    this.#readsLong = false
    this.#arrival.reads(0)
    this.#standInLine()
  }

  /** Whoever goes on asking without reading the answers is not read either. */
  #pauseWhenFull(): void {
    if (this.#behind !== null || this.#output.hasRoom || this.#ws.isPaused) return
    this.#ws.pause()
    this.#output.onRoom(() => {
      if (this.#behind === null) this.#ws.resume()
    })
  }
}
