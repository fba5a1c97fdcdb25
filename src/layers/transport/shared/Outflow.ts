import type { Socket } from "node:net"
import type { AtTurnEnd } from "./ReadingShare.ts"

/** What libuv still has to hand to the kernel. Node has no public name for it; its own write timeout reads the same. */
const unwritten = (socket: Socket): number =>
  (socket as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/**
 * The way out of a socket: whether there is room, who waits for it, and whether the client reads at all. Bytes are
 * corked, so that everything written in one turn leaves in one system call.
 */
export class Outflow {
  readonly #socket: Socket
  readonly #highWaterMark: number
  readonly #atTurnEnd: AtTurnEnd
  #waiting: Array<() => void> | null = null
  #corked = false
  /** When bytes were last seen to move, or when there were none yet. */
  #progressAt = performance.now()
  /** Bytes of writes that are done, and of the one under way that are still to go. */
  #done = 0
  #under = 0

  constructor(socket: Socket, highWaterMark: number, atTurnEnd: AtTurnEnd) {
    this.#socket = socket
    this.#atTurnEnd = atTurnEnd
    // Below the stream's own mark no 'drain' would follow.
    this.#highWaterMark = Math.max(highWaterMark, socket.writableHighWaterMark)
  }

  /** Keeps what is written in this turn together; call it before a write. */
  cork(): void {
    if (this.#corked) return
    this.#corked = true
    this.#socket.cork()
    this.#atTurnEnd(this.#uncork)
  }

  readonly #uncork = (): void => {
    this.#corked = false
    this.#socket.uncork()
  }

  get hasRoom(): boolean {
    return this.#socket.writableLength < this.#highWaterMark
  }

  /** Calls back once when the socket has sent what it holds. */
  onRoom(resume: () => void): void {
    if (this.#waiting === null) {
      this.#waiting = [resume]
      this.#socket.once("drain", this.#drained)
    } else this.#waiting.push(resume)
  }

  readonly #drained = (): void => {
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) for (const resume of waiting) resume()
  }

  /** How long the client has not read although there is something to read, ms. Call it from time to time. */
  stalledFor(now: number): number {
    const socket = this.#socket
    const done = socket.bytesWritten - socket.writableLength
    const under = unwritten(socket)
    if (socket.writableLength === 0 || done !== this.#done || under < this.#under) this.#progressAt = now
    this.#done = done
    this.#under = under
    return now - this.#progressAt
  }
}
