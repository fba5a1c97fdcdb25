import type { Task } from "../../scheduling/Task.ts"

/** Places that are filled between two yields. */
const PLACES_PER_YIELD = 65_536

/**
 * A Fenwick tree over the amounts of `length` places. It finds the place at a point of their running sum, and changes an
 * amount, in time logarithmic in the number of places.
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

  /** Sets the amount of each place, which must not be negative. Runs once, before any other method. */
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

  /** Changes the amount of a place. */
  add(place: number, change: number): void {
    this.total += change
    for (let i = place + 1; i <= this.#length; i += i & -i) this.#sums[i]! += change
  }

  /** The place where the sum of the amounts up to it exceeds `point`, 0 to less than the total. */
  placeOf(point: number): number {
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
