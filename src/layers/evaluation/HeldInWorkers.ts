import type { SharedHeld } from "../../services/SharedLimits.ts"

/** A change of this many bytes is told to the other workers. */
const STEP_BYTES = 65_536

/**
 * What the requests of this worker hold, as the other workers of the server see it. They see each change of 64 kB at once, and
 * smaller ones within 100 ms.
 */
export class HeldInWorkers {
  readonly #shared: SharedHeld
  readonly #limit: number
  #said = 0
  #largest = 0

  /** @param limit of the server, bytes; 0 = none */
  constructor(shared: SharedHeld, limit: number) {
    this.#shared = shared
    this.#limit = limit
  }

  /**
   * Sets that the requests of this worker hold `used` bytes, and that the one that has changed holds `one`. True if all
   * workers together hold more than the limit.
   */
  changed(used: number, one: number): boolean {
    if (Math.abs(used - this.#said) < STEP_BYTES && used > 0) return false
    this.#said = used
    this.#shared.set(used)
    if (one > this.#largest) this.#sayLargest(one)
    return this.#isBeyond
  }

  /**
   * Whether this worker has to free memory: all workers together hold more than the limit, and no request of another
   * worker holds more than the largest one of this worker, which holds `largest` bytes. The memory of a worker that is busy or stopped
   * does not count after a time: this worker can neither free it, nor end all its own requests instead.
   */
  mustFree(used: number, largest: number): boolean {
    this.#said = used
    this.#shared.set(used)
    this.#sayLargest(largest)
    if (!this.#isBeyond || !this.#shared.hasLargest()) return false
    return this.#shared.total() - this.#shared.lateBytes() > this.#limit
  }

  get #isBeyond(): boolean {
    return this.#limit > 0 && this.#shared.total() > this.#limit
  }

  #sayLargest(bytes: number): void {
    this.#largest = bytes
    this.#shared.setLargest(bytes)
  }
}
