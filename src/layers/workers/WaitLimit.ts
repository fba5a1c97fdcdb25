/** A timer that is later than this shows that its process was paused: it was stopped, or its event loop was busy, ms. */
const PAUSE_MS = 500

/**
 * Calls `onEnd` when the time is over. A pause of this process does not count: afterwards the whole time begins again, because what the
 * process waits for may have arrived during the pause, and a pause of the machine stops other processes, too.
 */
export class WaitLimit {
  readonly #timeMs: number
  readonly #onEnd: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(timeMs: number, onEnd: () => void) {
    this.#timeMs = timeMs
    this.#onEnd = onEnd
    this.#begin()
  }

  #begin(): void {
    const due = performance.now() + this.#timeMs
    this.#timer = setTimeout(() => {
      if (performance.now() - due > PAUSE_MS) this.#begin()
      else this.#onEnd()
    }, this.#timeMs)
    this.#timer.unref()
  }

  /** `onEnd` is not called any more. */
  cancel(): void {
    clearTimeout(this.#timer)
  }
}
