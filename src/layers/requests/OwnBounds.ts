import type { PoolBounds } from "../../services/SharedLimits.ts"

/** The lanes and the queue of a server in one process. A request gets the free lane with the lowest number. */
export class OwnBounds implements PoolBounds {
  readonly #size: number
  readonly #queue: number
  readonly #isTaken: Array<boolean> = []
  #taken = 0
  /** No lane below this number is free. */
  #lowestFree = 0

  constructor({ queue, size }: { readonly size: number; readonly queue: number }) {
    this.#size = size
    this.#queue = queue
  }

  takeLane(): number {
    if (this.#taken >= this.#size) return -1
    let lane = this.#lowestFree
    while (this.#isTaken[lane] === true) lane++
    this.#isTaken[lane] = true
    this.#lowestFree = lane + 1
    this.#taken++
    return lane
  }

  releaseLane(lane: number): void {
    this.#isTaken[lane] = false
    this.#taken--
    if (lane < this.#lowestFree) this.#lowestFree = lane
  }

  hasLane(): boolean {
    return this.#taken < this.#size
  }

  enterQueue(waiting: number): boolean {
    return waiting < this.#queue
  }

  isQueueFull(waiting: number): boolean {
    return waiting >= this.#queue
  }

  waiting(): void {
    // The pool itself knows it.
  }
}
