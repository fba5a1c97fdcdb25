import type { Socket } from "node:net"
import { MessagePieces } from "../../../protocol/MessagePieces.ts"
import type { MemoryAccount, MemoryBudget } from "../../../services/MemoryBudget.ts"
import { Ring } from "../../../structure/Ring.ts"
import type { Outflow } from "../shared/Outflow.ts"
import type { ServerWebSocket } from "./ServerWebSocket.ts"
import { frameHeader, LONGEST_COPY, wholeFrame } from "./WebSocketFrames.ts"
import type { Outgoing } from "./WebSocketSink.ts"
import { type Deflater, deflaterOf } from "./WsInternals.ts"

/** Unsent bytes above which the next piece of a long message waits; a message with fewer is no long one. */
const ROOM = 524_288

const binaryFrame = { binary: true, compress: false }
const textFrame = { binary: false, compress: false }
const binaryFrameDeflated = { binary: true, compress: true }
const textFrameDeflated = { binary: false, compress: true }

interface Message {
  readonly message: Outgoing
  readonly binary: boolean
}

/**
 * Writes the messages of one WebSocket, each as one frame: not every driver takes a message in several. The frame of a long
 * one is written piece by piece, as the client reads, and whatever else is to leave waits behind it.
 */
export class WebSocketOutput {
  readonly #ws: ServerWebSocket
  readonly #socket: Socket
  readonly #outflow: Outflow
  readonly #memory: typeof MemoryBudget.Service
  readonly #deflater: Deflater | undefined
  /** Messages that ws is compressing. */
  #compressing = 0
  /** Messages behind the long one that is being written, and who waits for room; null when none is. */
  #behind: Ring<Message> | null = null
  #waiting: Array<() => void> = []
  /** Its pieces, the next one last, and the bytes that are left of it and of what is behind it. */
  #pieces: Array<Buffer> = []
  #left = 0
  #account: MemoryAccount | null = null

  constructor(ws: ServerWebSocket, socket: Socket, outflow: Outflow, memory: typeof MemoryBudget.Service) {
    this.#ws = ws
    this.#socket = socket
    this.#outflow = outflow
    this.#memory = memory
    this.#deflater = deflaterOf(ws)
  }

  /** A long message is being written: nothing may come between its pieces. */
  get isInside(): boolean {
    return this.#behind !== null
  }

  get hasRoom(): boolean {
    return this.#behind === null && this.#outflow.hasRoom
  }

  /** Calls back once when there is room. */
  onRoom(resume: () => void): void {
    if (this.#behind === null) this.#outflow.onRoom(resume)
    else this.#waiting.push(resume)
  }

  send(message: Outgoing, binary: boolean): void {
    if (this.#behind !== null) {
      this.#behind.push({ message, binary })
      this.#left += message.length
      this.#weigh()
    } else if (!(message instanceof MessagePieces)) this.#sendShort(message, binary)
    else if (message.length <= ROOM) this.#sendPieces(message, binary)
    else {
      this.#behind = new Ring()
      this.#ws.holdClose()
      this.#account = this.#memory.open({ cancel: () => this.#ws.terminate() })
      this.#left = message.length
      if (this.#weigh()) this.#begin(message, binary)
    }
  }

  #sendShort(message: Buffer | string, binary: boolean): void {
    this.#outflow.cork()
    if (this.#deflater !== undefined) {
      this.#compressing++
      this.#ws.send(message, binary ? binaryFrameDeflated : textFrameDeflated, this.#compressed)
    } else if (typeof message === "string" || message.length <= LONGEST_COPY) {
      this.#socket.write(wholeFrame(message, binary))
    } else this.#ws.send(message, binary ? binaryFrame : textFrame)
  }

  #sendPieces({ length, pieces }: MessagePieces, binary: boolean): void {
    if (this.#deflater !== undefined) {
      this.#sendShort(Buffer.concat(pieces), binary)
      return
    }
    this.#outflow.cork()
    this.#socket.write(frameHeader(length, binary, false))
    for (const piece of pieces) this.#socket.write(piece)
  }

  // ---- long messages

  #begin(message: MessagePieces, binary: boolean): void {
    const deflater = this.#deflater
    if (deflater === undefined) this.#frame(message, binary, false)
    else if (this.#compressing === 0) this.#deflate(deflater, message, binary)
    else this.#whenCompressed = () => this.#deflate(deflater, message, binary)
  }

  /** False when the connection is ended for what is left. */
  #weigh(): boolean {
    try {
      this.#account?.set(this.#left)
      return true
    } catch {
      this.#ws.terminate()
      return false
    }
  }

  /** What is to be done when ws has compressed and sent all that it was given. */
  #whenCompressed: (() => void) | null = null

  readonly #compressed = (): void => {
    if (--this.#compressing > 0) return
    const then = this.#whenCompressed
    this.#whenCompressed = null
    then?.()
  }

  /** Compresses the pieces one after another: the frame begins with the length of all of them. */
  #deflate(deflater: Deflater, { length, pieces }: MessagePieces, binary: boolean): void {
    const done: Array<Buffer> = []
    const next = (): void => {
      if (this.#behind === null) return
      deflater.compress(pieces[done.length]!, done.length === pieces.length - 1, (error, bytes) => {
        if (error !== null) this.#ws.terminate()
        else if (done.push(bytes) < pieces.length) next()
        else {
          const compressed = new MessagePieces(done)
          this.#left += compressed.length - length
          this.#frame(compressed, binary, true)
        }
      })
    }
    next()
  }

  #frame({ length, pieces }: MessagePieces, binary: boolean, compressed: boolean): void {
    if (this.#behind === null) return
    const header = frameHeader(length, binary, compressed)
    this.#left += header.length
    this.#pieces = [header, ...pieces].reverse()
    this.#write()
  }

  /** Writes pieces while there is room, then what waits behind them. */
  readonly #write = (): void => {
    if (this.#behind === null || !this.#socket.writable) return
    this.#outflow.cork()
    for (let piece = this.#pieces.pop(); piece !== undefined; piece = this.#pieces.pop()) {
      this.#socket.write(piece)
      this.#left -= piece.length
      if (this.#socket.writableLength < ROOM) continue
      if (this.#weigh()) this.#outflow.onRoom(this.#write)
      return
    }
    this.#sendBehind(this.#behind)
  }

  #sendBehind(behind: Ring<Message>): void {
    for (let next = behind.shift(); next !== undefined; next = behind.shift()) {
      const { binary, message } = next
      if (!(message instanceof MessagePieces)) this.#sendShort(message, binary)
      else if (message.length <= ROOM) this.#sendPieces(message, binary)
      else {
        this.#begin(message, binary)
        return
      }
      this.#left -= message.length
    }
    this.#behind = null
    this.#account?.close()
    this.#account = null
    this.#ws.releaseClose()
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) {
      if (this.#outflow.hasRoom) resume()
      else this.#outflow.onRoom(resume)
    }
  }

  /** The connection is closed. */
  end(): void {
    this.#behind = null
    this.#waiting = []
    this.#pieces = []
    this.#account?.close()
  }
}
