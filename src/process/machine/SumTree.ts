import type { Task } from "../../scheduling/Task.ts"

/** Number of places that fill() sets between two yields. */
const PLACES_PER_YIELD = 65_536

/**
 * A Fenwick tree over the amounts of `length` places, which are numbered from 0. It changes an amount, and finds the place at a
 * point of the running sum. Both take time logarithmic in the number of places.
 */
export class SumTree {
  readonly #sums: Float64Array
  readonly #length: number
  readonly #top: number
  /** The sum of all amounts. */
  total = 0

  constructor(length: number) {
    this.#length = length
    this.#sums = new Float64Array(length + 1)
    this.#top = 2 ** Math.floor(Math.log2(Math.max(1, length)))
  }

  /** Sets the amount of each place. Amounts must not be negative. Call this once, before any other method. */
  *fill(amountOf: (place: number) => number): Task {
    const sums = this.#sums
    for (let i = 1; i <= this.#length; i++) {
      const amount = amountOf(i - 1)
      this.total += amount
      sums[i]! += amount
      const above = i + (i & -i)
      if (above <= this.#length) sums[above]! += sums[i]!
      if (i % PLACES_PER_YIELD === 0) yield
    }
  }

  /** Adds `change` to the amount of a place. */
  add(place: number, change: number): void {
    this.total += change
    for (let i = place + 1; i <= this.#length; i += i & -i) this.#sums[i]! += change
  }

  /** The first place whose running sum, own amount included, exceeds `point`. `point` is at least 0 and less than total. */
  positionOf(point: number): number {
    let place = 0
    let before = point
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = place + step
      if (next <= this.#length && this.#sums[next]! <= before) {
        place = next
        before -= this.#sums[next]!
      }
    }
    return Math.min(place, this.#length - 1)
  }
}
