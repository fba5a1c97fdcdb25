import type { WebSocket } from "ws"
import type { ConnectionLimits } from "../shared/Connections.ts"
import type { Outflow } from "../shared/Outflow.ts"
import { isReceiving } from "./WsInternals.ts"

/**
 * Enforces the time limits of one WebSocket: of idle clients, clients that do not read, slow messages, and pings. Times are
 * `performance.now()` ms.
 */
export class WebSocketLiveness {
  readonly #ws: WebSocket
  readonly #outflow: Outflow
  readonly #limits: ConnectionLimits
  /** Whether data was received since the last check, and the time of the last check that found received data. */
  #read = false
  #readAt = performance.now()
  /** Whether data was sent since the last check, and the time of the last check that found sent data. */
  #wrote = false
  #wroteAt = this.#readAt
  /** Time of the first check that found the arriving message; 0 = none. */
  #messageSince = 0

  constructor(ws: WebSocket, outflow: Outflow, limits: ConnectionLimits) {
    this.#ws = ws
    this.#outflow = outflow
    this.#limits = limits
  }

  /** The client sent a whole message. */
  received(): void {
    this.#messageSince = 0
    this.#read = true
  }

  /** The client sent something. As in Gremlin Server, pings and their answers count, too: such a client keeps its connection alive. */
  heard(): void {
    this.#read = true
  }

  /** The server sent something. */
  wrote(): void {
    this.#wrote = true
  }

  /**
   * Ends the connection when the client does not read its answers.
   *
   * @param evaluates whether a request of the client is running; such a client is not idle
   * @returns false when the connection is ended
   */
  reads(now: number, evaluates: boolean): boolean {
    if (this.#read || evaluates) {
      this.#read = false
      this.#readAt = now
    }
    const { writeStallTimeout } = this.#limits
    if (writeStallTimeout === 0 || this.#outflow.stalledFor(now) <= writeStallTimeout) return true
    this.#ws.terminate()
    return false
  }

  /** Whether a message arrives too slowly. Frames of the message, and pings between them, do not extend its time limit. */
  isMessageLate(now: number): boolean {
    const { requestTimeout } = this.#limits
    if (requestTimeout === 0 || this.#ws.isPaused || !isReceiving(this.#ws)) {
      this.#messageSince = 0
      return false
    }
    if (this.#messageSince === 0) this.#messageSince = now
    return now - this.#messageSince > requestTimeout && this.#ws.readyState === this.#ws.OPEN
  }

  /** Closes an idle connection, and pings a client to which nothing was sent within keepAliveInterval. */
  keepAlive(now: number): void {
    const { idleConnectionTimeout, keepAliveInterval } = this.#limits
    if (idleConnectionTimeout > 0 && now - this.#readAt > idleConnectionTimeout) {
      this.#ws.close(1000, "no request within idleConnectionTimeout")
    } else if (keepAliveInterval > 0) this.#ping(now, keepAliveInterval)
  }

  /**
   * Keeps proxies from closing a silent connection. A client need not answer: a Python program reads, and so answers, only while it
   * waits for the result of a request. TCP notices that the machine of a client is gone.
   */
  #ping(now: number, interval: number): void {
    if (this.#wrote) {
      this.#wrote = false
      this.#wroteAt = now
    } else if (now - this.#wroteAt >= interval && this.#ws.readyState === this.#ws.OPEN) {
      this.#wroteAt = now
      this.#ws.ping()
    }
  }
}
