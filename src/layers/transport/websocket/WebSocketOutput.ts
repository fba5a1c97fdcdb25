import type { Socket } from "node:net"
import { ChunkedMessage } from "../../../protocol/ChunkedMessage.ts"
import type { MemoryAccount, MemoryBudget } from "../../../services/MemoryBudget.ts"
import { Ring } from "../../../structure/containers/Ring.ts"
import type { Outflow } from "../shared/Outflow.ts"
import type { ServerWebSocket } from "./ServerWebSocket.ts"
import { frameHeader, MAX_COPIED_BYTES, wholeFrame } from "./WebSocketFrames.ts"
import type { Outgoing } from "./WebSocketSink.ts"
import { type Deflater, deflaterOf } from "./WsInternals.ts"

/** If a socket has more unsent bytes, the next buffer of a long message waits. A message with fewer bytes is not long. */
const SEND_BUFFER_BYTES = 524_288

/** With more bytes in messages that are being compressed or sent, the next results wait. ws compresses one message after the other. */
const MAX_COMPRESSING_BYTES = 524_288

const binaryFrame = { binary: true, compress: false }
const textFrame = { binary: false, compress: false }
const binaryFrameDeflated = { binary: true, compress: true }
const textFrameDeflated = { binary: false, compress: true }

/** A queued message. */
interface Message {
  readonly message: Outgoing
  readonly binary: boolean
}

/**
 * Writes the messages of one WebSocket. Each message is one frame, because some drivers do not accept fragments. The frame of a long
 * message is written one buffer at a time, while the client reads. Later messages wait for its end.
 */
export class WebSocketOutput {
  readonly #ws: ServerWebSocket
  readonly #socket: Socket
  readonly #outflow: Outflow
  readonly #memory: typeof MemoryBudget.Service
  readonly #deflater: Deflater | undefined
  /** Messages that ws compresses, and that the system has not taken since. Their bytes before they are compressed. */
  #compressing = 0
  #compressingBytes = 0
  /** Messages that wait for the end of the long one; null when no long message is being written. */
  #queued: Ring<Message> | null = null
  /** Callbacks that wait for room. */
  #waiting: Array<() => void> = []
  /** Buffers of the long message in reverse order. */
  #buffers: Array<Buffer> = []
  /** Unwritten bytes of the long message and of the messages that wait. */
  #left = 0
  #account: MemoryAccount | null = null
  /** Counts the bytes of short messages that wait for the client; null while they are few. */
  #unread: MemoryAccount | null = null

  constructor(ws: ServerWebSocket, socket: Socket, outflow: Outflow, memory: typeof MemoryBudget.Service) {
    this.#ws = ws
    this.#socket = socket
    this.#outflow = outflow
    this.#memory = memory
    this.#deflater = deflaterOf(ws)
  }

  /** Whether a long message is being written. No other message may be written between its buffers. */
  get isInside(): boolean {
    return this.#queued !== null
  }

  /** Whether the client reads fast enough for further results. */
  get hasRoom(): boolean {
    return this.#queued === null && this.#compressingBytes < MAX_COMPRESSING_BYTES && this.#outflow.hasRoom
  }

  /** Whether the system has all bytes of the messages. */
  get isSent(): boolean {
    return this.#queued === null && this.#compressing === 0 && this.#socket.writableLength === 0
  }

  /** Calls back once when there is room. */
  onRoom(resume: () => void): void {
    if (this.#queued === null && this.#compressingBytes < MAX_COMPRESSING_BYTES) this.#outflow.onRoom(resume)
    else this.#waiting.push(resume)
  }

  /** Writes a message, or queues it. */
  send(message: Outgoing, binary: boolean): void {
    if (this.#queued !== null) {
      this.#queued.push({ message, binary })
      this.#left += message.length
      this.#weigh()
    } else if (!(message instanceof ChunkedMessage)) {
      this.#sendShort(message, binary)
      this.#weighUnread()
    } else if (message.length <= SEND_BUFFER_BYTES) {
      this.#sendBuffers(message, binary)
      this.#weighUnread()
    } else {
      this.#queued = new Ring()
      this.#ws.holdClose()
      this.#account = this.#memory.open({ cancel: () => this.#ws.terminate() })
      this.#left = message.length
      if (this.#weigh()) this.#begin(message, binary)
    }
  }

  #sendShort(message: Buffer | string, binary: boolean): void {
    this.#outflow.cork()
    if (this.#deflater !== undefined) {
      const { length } = message
      this.#compressing++
      this.#compressingBytes += length
      this.#ws.send(message, binary ? binaryFrameDeflated : textFrameDeflated, () => this.#compressed(length))
    } else if (typeof message === "string" || message.length <= MAX_COPIED_BYTES) {
      this.#socket.write(wholeFrame(message, binary))
    } else this.#ws.send(message, binary ? binaryFrame : textFrame)
  }

  #sendBuffers({ length, buffers }: ChunkedMessage, binary: boolean): void {
    if (this.#deflater !== undefined) {
      this.#sendShort(Buffer.concat(buffers), binary)
      return
    }
    this.#outflow.cork()
    this.#socket.write(frameHeader(length, binary, false))
    for (const buffer of buffers) this.#socket.write(buffer)
  }

  /** Counts the short messages that wait for the client, if they are many: their requests may have run at once, and have ended. */
  #weighUnread(): void {
    const isCompressed = this.#deflater !== undefined
    const bytes = isCompressed ? this.#compressingBytes : this.#socket.writableLength
    if (bytes < SEND_BUFFER_BYTES || this.#socket.destroyed) return
    if (this.#unread === null) {
      this.#unread = this.#memory.open({ cancel: () => this.#ws.terminate() })
      if (!isCompressed) this.#outflow.onRoom(() => this.#closeUnread())
    }
    try {
      this.#unread.set(bytes)
    } catch {
      this.#ws.terminate()
    }
  }

  #closeUnread(): void {
    this.#unread?.close()
    this.#unread = null
  }

  // ---- long messages

  #begin(message: ChunkedMessage, binary: boolean): void {
    const deflater = this.#deflater
    if (deflater === undefined) this.#frame(message, binary, false)
    else if (this.#compressing === 0) this.#deflate(deflater, message, binary)
    else this.#whenCompressed = () => this.#deflate(deflater, message, binary)
  }

  /** Counts the unwritten bytes. If there is no memory for them, ends the connection and returns false. */
  #weigh(): boolean {
    try {
      this.#account?.set(this.#left)
      return true
    } catch {
      this.#ws.terminate()
      return false
    }
  }

  /** Called when ws has compressed all short messages, and the system has taken them. */
  #whenCompressed: (() => void) | null = null

  #compressed(length: number): void {
    this.#compressing--
    this.#compressingBytes -= length
    if (this.#compressingBytes < SEND_BUFFER_BYTES) this.#closeUnread()
    if (this.#compressing === 0) {
      const then = this.#whenCompressed
      this.#whenCompressed = null
      then?.()
    }
    if (this.#queued === null && this.#compressingBytes < MAX_COMPRESSING_BYTES) this.#resumeWaiting()
  }

  /** Compresses all buffers before the first one is sent, because the frame begins with their total length. */
  #deflate(deflater: Deflater, { length, buffers }: ChunkedMessage, binary: boolean): void {
    const done: Array<Buffer> = []
    const next = (): void => {
      if (this.#queued === null) return
      deflater.compress(buffers[done.length]!, done.length === buffers.length - 1, (error, bytes) => {
        if (error !== null) this.#ws.terminate()
        else if (done.push(bytes) < buffers.length) next()
        else {
          const compressed = new ChunkedMessage(done)
          this.#left += compressed.length - length
          this.#frame(compressed, binary, true)
        }
      })
    }
    next()
  }

  #frame({ length, buffers }: ChunkedMessage, binary: boolean, compressed: boolean): void {
    if (this.#queued === null) return
    const header = frameHeader(length, binary, compressed)
    this.#left += header.length
    this.#buffers = [header, ...buffers].reverse()
    this.#write()
  }

  /** Writes buffers while there is room, then the messages that wait. */
  readonly #write = (): void => {
    if (this.#queued === null || !this.#socket.writable) return
    this.#outflow.cork()
    for (let buffer = this.#buffers.pop(); buffer !== undefined; buffer = this.#buffers.pop()) {
      this.#socket.write(buffer)
      this.#left -= buffer.length
      if (this.#socket.writableLength < SEND_BUFFER_BYTES) continue
      if (this.#weigh()) this.#outflow.onRoom(this.#write)
      return
    }
    this.#sendQueued(this.#queued)
  }

  #sendQueued(queued: Ring<Message>): void {
    for (let next = queued.shift(); next !== undefined; next = queued.shift()) {
      const { binary, message } = next
      if (!(message instanceof ChunkedMessage)) this.#sendShort(message, binary)
      else if (message.length <= SEND_BUFFER_BYTES) this.#sendBuffers(message, binary)
      else {
        this.#begin(message, binary)
        return
      }
      this.#left -= message.length
    }
    this.#queued = null
    this.#account?.close()
    this.#account = null
    this.#weighUnread()
    this.#ws.releaseClose()
    this.#resumeWaiting()
  }

  #resumeWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) {
      if (this.hasRoom) resume()
      else this.onRoom(resume)
    }
  }

  /** Called when the connection is closed. */
  end(): void {
    this.#queued = null
    this.#waiting = []
    this.#buffers = []
    this.#account?.close()
    this.#unread?.close()
  }
}
