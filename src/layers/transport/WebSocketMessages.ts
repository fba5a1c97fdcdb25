import type { WebSocket } from "ws"
import type { RequestMessage } from "../../protocol/Messages.ts"
import type { Serializer } from "../../protocol/Serializer.ts"
import { LONG_MESSAGE, type LongMessageReader, readLongMessage } from "./LongMessages.ts"
import type { Outflow } from "./Outflow.ts"
import type { TransportContext } from "./TransportContext.ts"
import type { WebSocketArrival } from "./WebSocketArrival.ts"
import type { SpokenFormat } from "./WebSocketDrivers.ts"

/** What becomes of the messages of a WebSocket. */
export interface MessageReceiver {
  readonly handle: (message: RequestMessage, bytes: number, serializer: Serializer, binary: boolean) => void
  /** A message that cannot be read; the serializer is the one it was, or seemed to be, written with. */
  readonly unreadable: (error: unknown, serializer: Serializer, binary: boolean) => void
}

/**
 * Reads the messages of one WebSocket in their order. Does not read on while a long one is read in slices, nor while the
 * client does not take its answers.
 */
export class WebSocketMessages {
  readonly #context: TransportContext
  readonly #ws: WebSocket
  readonly #outflow: Outflow
  readonly #arrival: WebSocketArrival
  readonly #receiver: MessageReceiver
  readonly #presumed: SpokenFormat
  #spoken: SpokenFormat | null = null
  /** Messages that came behind a long one, which is still being read. Null when there is none. */
  #behindLong: Array<{ readonly data: Buffer; readonly isBinary: boolean }> | null = null

  constructor(
    context: TransportContext,
    ws: WebSocket,
    outflow: Outflow,
    arrival: WebSocketArrival,
    presumed: SpokenFormat,
    receiver: MessageReceiver
  ) {
    this.#context = context
    this.#ws = ws
    this.#outflow = outflow
    this.#arrival = arrival
    this.#presumed = presumed
    this.#receiver = receiver
  }

  /** What the client speaks, as far as it has spoken. */
  get format(): SpokenFormat {
    return this.#spoken ?? this.#presumed
  }

  received(data: Buffer, isBinary: boolean): void {
    this.#takeInOrder(data, isBinary)
    this.#pauseWhenFull()
  }

  #takeInOrder(data: Buffer, isBinary: boolean): void {
    if (this.#behindLong === null) this.#take(data, isBinary)
    else this.#behindLong.push({ data, isBinary })
  }

  #take(data: Buffer, isBinary: boolean): void {
    const { formats, settings } = this.#context
    let serializer = this.#spoken?.serializer ?? formats.json
    let message: RequestMessage
    try {
      let payload = data
      if (isBinary) ({ payload, serializer } = formats.frame(data))
      else serializer = formats.json
      if (data.length > LONG_MESSAGE) {
        this.#takeLong(data.length, payload, serializer, isBinary)
        return
      }
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

  #takeLong(bytes: number, payload: Buffer, serializer: Serializer, isBinary: boolean): void {
    if (!this.#arrival.reads(bytes)) return
    this.#behindLong = []
    this.#ws.pause()
    const reader: LongMessageReader<RequestMessage> = {
      read: () => serializer.readMessage(payload, this.#context.settings.maxNestingDepth),
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
    readLongMessage(this.#context, reader, payload.length)
  }

  #goOnBehindLong(): void {
    this.#arrival.reads(0)
    const behind = this.#behindLong ?? []
    this.#behindLong = null
    for (const { data, isBinary } of behind) this.#takeInOrder(data, isBinary)
    if (this.#behindLong === null) this.#ws.resume()
    this.#pauseWhenFull()
  }

  /** Whoever goes on asking without reading the answers is not read either. */
  #pauseWhenFull(): void {
    if (this.#outflow.hasRoom || this.#ws.isPaused) return
    this.#ws.pause()
    this.#outflow.onRoom(() => {
      if (this.#behindLong === null) this.#ws.resume()
    })
  }
}
