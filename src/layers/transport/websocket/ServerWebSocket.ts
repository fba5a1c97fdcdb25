import { WebSocket } from "ws"

/** Status code of the WebSocket protocol for a message that is too big. */
const TOO_BIG = 1009

interface Close {
  readonly code: number | undefined
  readonly reason: string | Buffer | undefined
}

/**
 * A server's WebSocket that can say why before it closes for a message that is too large, and does not close inside of a
 * frame that is still being written.
 */
export class ServerWebSocket extends WebSocket {
  onTooBig: (() => void) | null = null
  #isHeld = false
  #close: Close | null = null

  /** ws calls this itself when a message exceeds maxPayload, before it has read any of it, and to answer a client's close. */
  override close(code?: number, reason?: string | Buffer): void {
    if (code === TOO_BIG && this.readyState === this.OPEN) this.onTooBig?.()
    if (this.#isHeld) this.#close ??= { code, reason }
    else super.close(code, reason)
  }

  /** From now on a close waits. */
  holdClose(): void {
    this.#isHeld = true
  }

  /** No longer: one that waits is sent. */
  releaseClose(): void {
    this.#isHeld = false
    if (this.#close !== null) super.close(this.#close.code, this.#close.reason)
    this.#close = null
  }
}
