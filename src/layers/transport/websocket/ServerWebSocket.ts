import { WebSocket } from "ws"

/** Close code for a message that is too big: RFC 6455, section 7.4.1. */
const MESSAGE_TOO_BIG = 1009

/** A close that waits for the end of a frame. */
interface Close {
  readonly code: number | undefined
  readonly reason: string | Buffer | undefined
}

/**
 * A WebSocket of the server. It can answer before it closes because of a message that is too large, and it does not close
 * inside a frame that is still being written.
 */
export class ServerWebSocket extends WebSocket {
  /** Called before the close because of a message that is too large. The connection sets it. */
  onTooBig: (() => void) | null = null
  #isHeld = false
  #close: Close | null = null

  /** ws itself calls this when a message exceeds maxPayload, before it reads the message, and to answer a client's close. */
  override close(code?: number, reason?: string | Buffer): void {
    if (code === MESSAGE_TOO_BIG && this.readyState === this.OPEN) this.onTooBig?.()
    if (this.#isHeld) this.#close ??= { code, reason }
    else super.close(code, reason)
  }

  /** A close waits from now on. */
  holdClose(): void {
    this.#isHeld = true
  }

  /** A close waits no longer. One that has waited is sent. */
  releaseClose(): void {
    this.#isHeld = false
    if (this.#close !== null) super.close(this.#close.code, this.#close.reason)
    this.#close = null
  }
}
