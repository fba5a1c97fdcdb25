import type { Socket } from "node:net"
import { unwrittenBytes } from "./NodeInternals.ts"
import type { AtTurnEnd } from "./ReadingShare.ts"

/**
 * The output of a socket: backpressure, and how long the client has not read. The socket is corked, so that all writes of
 * one turn leave in one system call.
 */
export class Outflow {
  readonly #socket: Socket
  readonly #highWaterMark: number
  readonly #atTurnEnd: AtTurnEnd
  #waiting: Array<() => void> | null = null
  #corked = false
  /** When the client was last seen to read, or had nothing to read, `performance.now()` ms. */
  #progressAt = performance.now()
  /** Bytes of finished writes, and unsent bytes of the current write, at the last check. */
  #done = 0
  #under = 0

  constructor(socket: Socket, highWaterMark: number, atTurnEnd: AtTurnEnd) {
    this.#socket = socket
    this.#atTurnEnd = atTurnEnd
    // Below the mark of the stream itself no `drain` event follows.
    this.#highWaterMark = Math.max(highWaterMark, socket.writableHighWaterMark)
  }

  /** Joins the writes of this turn. Call it before a write. */
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

  /** Calls back once when the socket has sent all that it holds. */
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

  /** How long the client has not read although bytes wait for it, ms. It measures between calls: call it regularly. */
  stalledFor(now: number): number {
    const socket = this.#socket
    const done = socket.bytesWritten - socket.writableLength
    const under = unwrittenBytes(socket)
    if (socket.writableLength === 0 || done !== this.#done || under < this.#under) this.#progressAt = now
    this.#done = done
    this.#under = under
    return now - this.#progressAt
  }
}
