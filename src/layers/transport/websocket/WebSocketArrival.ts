import type { WebSocket } from "ws"
import type { Arrival, ArrivingBytes } from "../shared/ArrivingBytes.ts"
import { dropReceived, heldWhileReceiving, isReceiving, onInflated } from "./WsInternals.ts"

/**
 * Counts the memory of the incoming messages of one WebSocket. A message is counted while it arrives, while it is read, and
 * while it waits for the authentication.
 */
export class WebSocketArrival {
  readonly #ws: WebSocket
  readonly #arrival: Arrival
  readonly #tooMuch: () => void
  /** Bytes and chunks since the last whole message. ws may hold all of them, including pings. */
  #bytes = 0
  #parts = 0
  /** Bytes of a long message that is being read. */
  #reading = 0
  /** Bytes of the messages that wait for the authentication. */
  #parked = 0

  /** @param tooMuch ends the connection: called each time there is no room for its messages */
  constructor(ws: WebSocket, arriving: ArrivingBytes, tooMuch: () => void) {
    this.#ws = ws
    this.#arrival = arriving.open()
    this.#tooMuch = tooMuch
    onInflated(ws, () => this.#stillHasRoom())
  }

  /** True when no part of a message has arrived. */
  get isIdle(): boolean {
    return this.#parts === 0
  }

  /** Called after ws has processed a chunk of this number of bytes. */
  came(bytes: number): void {
    if (isReceiving(this.#ws)) {
      this.#bytes += bytes
      this.#parts++
      this.#hasRoom()
    } else this.completed()
  }

  /** Called when a message is complete. */
  completed(): void {
    if (this.#parts === 0) return
    this.#bytes = 0
    this.#parts = 0
    this.#hasRoom()
  }

  /** Counts a long message of this number of bytes that is being read; 0 = none. Returns false if there is no room for it. */
  reads(bytes: number): boolean {
    this.#reading = bytes
    return this.#hasRoom()
  }

  /** Counts messages of this number of bytes that wait for the authentication. */
  parks(bytes: number): void {
    this.#parked = bytes
    this.#hasRoom()
  }

  /** Called after ws has decompressed a part of the arriving message, which then needs more memory. */
  #stillHasRoom(): void {
    if (this.#parts > 0) this.#hasRoom()
  }

  #hasRoom(): boolean {
    const bytes = heldWhileReceiving(this.#ws, this.#bytes, this.#parts) + this.#reading + this.#parked
    if (this.#arrival.set(bytes)) return true
    this.#tooMuch()
    return false
  }

  /** Called when the connection is closed. The check of a password may refer to the connection for seconds. */
  end(): void {
    this.#arrival.end()
    dropReceived(this.#ws)
  }
}
