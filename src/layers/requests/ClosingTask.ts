import * as Effect from "effect/Effect"
import type { PoolTask, TaskDescription } from "../../services/RequestPool.ts"

/** A `close` message among the requests of its session: the session closes after the requests before it. */
export class ClosingTask implements PoolTask {
  readonly requestId: string
  readonly rest = Effect.void
  readonly deadline = Number.POSITIVE_INFINITY
  readonly settles = false
  waitsIn: { forget(): void } | null = null
  /** Null once it was called. */
  #close: ((error: Error | null) => void) | null

  /** `close` is called once: with null when the requests before the message have ended, or with the error that ends the session before. */
  constructor(requestId: string, close: (error: Error | null) => void) {
    this.requestId = requestId
    this.#close = close
  }

  begin(): boolean {
    this.#answer(null)
    return true
  }

  goOn(): void {}

  #answer(error: Error | null): void {
    const close = this.#close
    this.#close = null
    close?.(error)
  }

  expire(): void {}

  cancel(error: Error): void {
    this.#answer(error)
  }

  describe(): TaskDescription {
    return { request: "close", step: "", state: "running", user: "" }
  }
}
