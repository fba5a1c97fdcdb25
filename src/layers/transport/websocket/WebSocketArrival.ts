import type { WebSocket } from "ws"
import type { Arrival, ArrivingBytes } from "../shared/ArrivingBytes.ts"
import { heldWhileReceiving, isReceiving, onInflated } from "./WsInternals.ts"

/**
 * What the memory of the process counts of one WebSocket: what is arriving, what waits to be read, and what waits for the
 * user's name.
 */
export class WebSocketArrival {
  readonly #ws: WebSocket
  readonly #arrival: Arrival
  readonly #tooMuch: () => void
  /** Bytes and parts that came since the last whole message: ws may keep all of them, pings between them included. */
  #bytes = 0
  #parts = 0
  /** Bytes of a long message that is being read. */
  #reading = 0
  /** Bytes of the messages that wait for the authentication. */
  #parked = 0

  /** @param tooMuch ends the connection; called each time that there is no room for what it holds. */
  constructor(ws: WebSocket, arriving: ArrivingBytes, tooMuch: () => void) {
    this.#ws = ws
    this.#arrival = arriving.open()
    this.#tooMuch = tooMuch
    onInflated(ws, () => this.#stillHasRoom())
  }

  /** So many bytes came, and ws has looked at them. */
  came(bytes: number): void {
    if (isReceiving(this.#ws)) {
      this.#bytes += bytes
      this.#parts++
      this.#hasRoom()
    } else this.completed()
  }

  /** Nothing arrives any more: what came was a whole message. */
  completed(): void {
    if (this.#parts === 0) return
    this.#bytes = 0
    this.#parts = 0
    this.#hasRoom()
  }

  /** A long message of so many bytes is being read, or none with 0. False when there is no room for it. */
  reads(bytes: number): boolean {
    this.#reading = bytes
    return this.#hasRoom()
  }

  /** So many bytes of messages wait for the authentication. */
  parks(bytes: number): void {
    this.#parked = bytes
    this.#hasRoom()
  }

  /** A message that is arriving takes more than a moment ago: what came was compressed. */
  #stillHasRoom(): void {
    if (this.#parts > 0) this.#hasRoom()
  }

  #hasRoom(): boolean {
    const bytes = heldWhileReceiving(this.#ws, this.#bytes, this.#parts) + this.#reading + this.#parked
    if (this.#arrival.set(bytes)) return true
    this.#tooMuch()
    return false
  }

  /** The connection is closed. */
  end(): void {
    this.#arrival.end()
  }
}
