import type { Socket } from "node:net"
import type { Client } from "../../services/Dispatcher.ts"
import type { Evaluation } from "../../services/Evaluator.ts"
import type { ConnectionLimits, Watched } from "./Connections.ts"
import { Outflow } from "./Outflow.ts"

/** What is wrong with what a client sent: status and message. */
export type Complaint = readonly [status: number, message: string]

/** Requests of a connection that may be unanswered at once; more are read when there is room. Each takes some kilobytes. */
const MOST_PIPELINED = 64

/** How HTTP itself stops reading when answers are not read; it has no public name for it. */
interface PausableSocket extends Socket {
  _paused?: boolean
  parser?: { resume(): void } | null
}

/** One TCP connection that speaks HTTP: its requests are answered in the order they came. */
export class HttpConnection implements Client, Watched {
  readonly transport = "http"
  readonly socket: Socket
  readonly remoteAddress: string
  readonly active = new Set<Evaluation>()
  readonly outflow: Outflow
  readonly #limits: ConnectionLimits
  /**
   * Answers the request whose body is being read, when what arrives of it is broken or late; false when its body is
   * complete. Null between bodies.
   */
  answerReading: ((complaint: Complaint) => boolean) | null = null
  /** The last request has come, or what came is no HTTP: nothing that follows is read as a request. */
  ended = false
  /** What came is no HTTP, or came too late. */
  broken = false
  /** What is to be said about that, until it is said. */
  complaint: Complaint | null = null
  /** Requests whose answer is not completely written. */
  #pending = 0
  #first = true
  #paused = false
  #idleSince = performance.now()
  #onIdle: (() => void) | null = null

  constructor(socket: Socket, highWaterMark: number, limits: ConnectionLimits) {
    this.socket = socket
    this.remoteAddress = socket.remoteAddress ?? ""
    this.outflow = new Outflow(socket, highWaterMark)
    this.#limits = limits
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
    if (this.#paused && this.#pending < MOST_PIPELINED / 2) this.#resume()
    if (this.#pending > 0) return
    this.#idleSince = performance.now()
    const onIdle = this.#onIdle
    this.#onIdle = null
    onIdle?.()
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

  watch(now: number): void {
    const { idleConnectionTimeout, writeStallTimeout } = this.#limits
    if (writeStallTimeout > 0 && this.outflow.stalledFor(now) > writeStallTimeout) this.socket.destroy()
    else if (idleConnectionTimeout > 0 && this.#pending === 0 && now - this.#idleSince > idleConnectionTimeout) {
      this.socket.destroy()
    }
  }
}
