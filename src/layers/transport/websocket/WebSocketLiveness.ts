import type { WebSocket } from "ws"
import type { ConnectionLimits } from "../shared/Connections.ts"
import type { Outflow } from "../shared/Outflow.ts"
import { isReceiving } from "./WsInternals.ts"

/** The limits in time of one WebSocket: idle or stalled clients, messages that do not end, and pings. */
export class WebSocketLiveness {
  readonly #ws: WebSocket
  readonly #outflow: Outflow
  readonly #limits: ConnectionLimits
  /** Something was read since the clock last looked, and when it looked. */
  #read = false
  #readAt = performance.now()
  /** When a ping was sent that nothing was read after; 0 when there is none. */
  #pingedAt = 0
  /** Something was written since the clock last looked. */
  #wrote = false
  #wroteAt = this.#readAt
  /** When the clock first saw the message that is arriving; 0 when none is. */
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

  /** The client answered a ping. */
  answered(): void {
    this.#read = true
  }

  wrote(): void {
    this.#wrote = true
  }

  /**
   * Ends a connection whose client does not read, and remembers when it was last heard of.
   * @returns false when the connection is ended
   */
  reads(now: number, evaluates: boolean): boolean {
    if (this.#read || evaluates) {
      this.#read = false
      this.#readAt = now
      this.#pingedAt = 0
    }
    const { writeStallTimeout } = this.#limits
    if (writeStallTimeout === 0 || this.#outflow.stalledFor(now) <= writeStallTimeout) return true
    this.#ws.terminate()
    return false
  }

  /** Whether a message arrives too slowly, be it in one frame or in many, with pings between them or not. */
  isMessageLate(now: number): boolean {
    const { requestTimeout } = this.#limits
    if (requestTimeout === 0 || this.#ws.isPaused || !isReceiving(this.#ws)) {
      this.#messageSince = 0
      return false
    }
    if (this.#messageSince === 0) this.#messageSince = now
    return now - this.#messageSince > requestTimeout && this.#ws.readyState === this.#ws.OPEN
  }

  /** Ends a connection that is idle, and pings one that nothing was written to for a while. */
  keepAlive(now: number): void {
    const { idleConnectionTimeout, keepAliveInterval } = this.#limits
    if (idleConnectionTimeout > 0 && now - this.#readAt > idleConnectionTimeout) {
      this.#ws.close(1000, "no request within idleConnectionTimeout")
    } else if (keepAliveInterval > 0) this.#ping(now, keepAliveInterval)
  }

  /** One that does not answer a ping is gone. */
  #ping(now: number, interval: number): void {
    if (this.#wrote) {
      this.#wrote = false
      this.#wroteAt = now
      // Its answer to the ping may stand behind what it reads first.
      this.#pingedAt = 0
    }
    if (this.#pingedAt > 0) {
      if (now - this.#pingedAt > interval) this.#ws.terminate()
    } else if (now - this.#wroteAt >= interval && this.#ws.readyState === this.#ws.OPEN) {
      this.#pingedAt = now
      this.#wroteAt = now
      this.#ws.ping()
    }
  }
}
