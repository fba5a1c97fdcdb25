import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Client } from "../../../services/Dispatcher.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import { Ring } from "../../../structure/Ring.ts"
import type { ConnectionLimits, Watched } from "../shared/Connections.ts"
import { Outflow } from "../shared/Outflow.ts"
import { Pace, type Reader, type ReadingShare } from "../shared/ReadingShare.ts"

/** What is wrong with what a client sent: status and message. */
export type Complaint = readonly [status: number, message: string]

/** Requests of a connection that may be unanswered at once; more are read when there is room. Each takes some kilobytes. */
const MOST_PIPELINED = 64

/** How often it is looked whether a client is still there that is not read from, ms. */
const PROBE = 1_000

/** How HTTP itself stops reading when answers are not read; it has no public name for it. */
interface PausableSocket extends Socket {
  _paused?: boolean
  parser?: { resume(): void } | null
  /** The answer that is written now, or waited for. */
  readonly _httpMessage?: ServerResponse<IncomingMessage> | null
}

/** One TCP connection that speaks HTTP: its requests are answered in the order they came. */
export class HttpConnection implements Client, Watched, Reader {
  readonly transport = "http"
  readonly socket: Socket
  readonly remoteAddress: string
  readonly active = new Set<Evaluation>()
  readonly outflow: Outflow
  readonly #limits: ConnectionLimits
  readonly #reading: ReadingShare
  readonly #pace: Pace
  /**
   * Answers the request whose body is being read, when what arrives of it is broken or late; false when its body is
   * complete. Null between bodies.
   */
  answerReading: ((complaint: Complaint) => boolean) | null = null
  /** The last request that has a body, until that has come and the request is answered. */
  unread: IncomingMessage | null = null
  /** The last request has come, or what came is no HTTP: nothing that follows is read as a request. */
  ended = false
  /** The answer under way is the last one. */
  closing = false
  /** What came is no HTTP, or came too late. */
  broken = false
  /** What is to be said about that, until it is said. */
  complaint: Complaint | null = null
  /** Requests whose answer is not completely written. */
  #pending = 0
  #first = true
  #paused = false
  #idleSince = performance.now()
  #probedAt = 0
  #onIdle: (() => void) | null = null
  /** What is to be done about requests that came and wait for a later turn; null when none does. */
  #behind: Ring<() => void> | null = null

  constructor(socket: Socket, highWaterMark: number, limits: ConnectionLimits, reading: ReadingShare) {
    this.socket = socket
    this.remoteAddress = socket.remoteAddress ?? ""
    this.outflow = new Outflow(socket, highWaterMark, reading.atTurnEnd)
    this.#limits = limits
    this.#reading = reading
    this.#pace = new Pace(reading)
  }

  get idle(): boolean {
    return this.#pending === 0
  }

  /** True for the first request of the connection. */
  requestBegins(): boolean {
    this.#pending++
    if (this.#pending >= MOST_PIPELINED) this.#pause()
    const first = this.#first
    this.#first = false
    return first
  }

  readonly responseEnds = (): void => {
    this.#pending--
    if (this.unread?.complete === true) this.unread = null
    this.#resumeWithRoom()
    if (this.#pending > 0) return
    this.#idleSince = performance.now()
    const onIdle = this.#onIdle
    this.#onIdle = null
    onIdle?.()
  }

  /** Whether a request that came has to wait for a later turn: its client sends so many that others go first. */
  mustWait(): boolean {
    if (this.#behind === null && this.#pace.isTooFast()) {
      this.#behind = new Ring()
      this.#reading.goOn(this)
    }
    return this.#behind !== null
  }

  /** What is to be done about a request that must wait. */
  wait(serve: () => void): void {
    this.#behind?.push(serve)
    this.#reading.waiting++
  }

  takeNext(): boolean {
    const behind = this.#behind
    if (behind === null) return false
    // Nothing behind the last answer is a request any more.
    if (this.socket.destroyed || this.closing) {
      this.forget()
      return false
    }
    if (!this.outflow.hasRoom) {
      this.outflow.onRoom(() => this.#reading.goOn(this))
      return false
    }
    const serve = behind.shift()
    if (serve === undefined) {
      this.#behind = null
      this.#resumeWithRoom()
      return false
    }
    this.#reading.waiting--
    serve()
    return true
  }

  /** Nobody waits for the answers any more. */
  forget(): void {
    this.#reading.waiting -= this.#behind?.length ?? 0
    this.#behind = null
  }

  #resumeWithRoom(): void {
    if (this.#paused && this.#behind === null && this.#pending < MOST_PIPELINED / 2) this.#resume()
  }

  #pause(): void {
    const socket: PausableSocket = this.socket
    this.#paused = true
    if (socket._paused === true) return
    socket._paused = true
    socket.pause()
  }

  #resume(): void {
    const socket: PausableSocket = this.socket
    this.#paused = false
    socket._paused = false
    socket.parser?.resume()
    socket.resume()
  }

  /** Calls back when everything that came has its answer: at once when nothing is pending. */
  whenIdle(callback: () => void): void {
    if (this.#pending === 0) callback()
    else this.#onIdle = callback
  }

  /**
   * Where nothing is read, because the client sends more than is answered, the system does not tell that it has gone. It does
   * when something is written: what every client of HTTP/1.1 takes, and ignores, before an answer.
   */
  #probe(now: number): void {
    const { _httpMessage: awaited, _paused: paused }: PausableSocket = this.socket
    if (paused !== true || awaited == null || awaited.headersSent || now - this.#probedAt < PROBE) return
    this.#probedAt = now
    if (awaited.req.httpVersion !== "1.0") awaited.writeContinue()
  }

  watch(now: number): void {
    const { idleConnectionTimeout, writeStallTimeout } = this.#limits
    this.#probe(now)
    if (writeStallTimeout > 0 && this.outflow.stalledFor(now) > writeStallTimeout) this.socket.destroy()
    else if (idleConnectionTimeout > 0 && this.#pending === 0 && now - this.#idleSince > idleConnectionTimeout) {
      this.socket.destroy()
    }
  }
}
