import { hasSpentMuch } from "../../structure/Effort.ts"

/** Numbers that are sorted at once. */
const RUN = 512
/** Comparisons that takes, about. */
const RUN_COMPARISONS = RUN * 8

/** Sorts the numbers 0..length by a comparison, in pieces (a merge sort from the bottom up). */
export class PieceSort {
  readonly #compare: (a: number, b: number) => number
  #from: Int32Array
  #to: Int32Array
  /** Length of the runs that are sorted already; 0 before any is. */
  #width = 0
  /** Where the next number goes. */
  #at = 0
  /** The two runs that are being merged: what is left of them. */
  #first = 0
  #firstEnd = 0
  #second = 0
  #secondEnd = 0

  /** `costly`: one comparison may take long, so that it looks after each whether a piece is over. */
  constructor(length: number, compare: (a: number, b: number) => number, costly = false) {
    this.#compare = compare
    if (costly) this.#width = 1
    this.#from = new Int32Array(length)
    for (let number = 0; number < length; number++) this.#from[number] = number
    this.#to = new Int32Array(length)
  }

  /** Goes on for about `steps` comparisons. Null when there is more to do. */
  advance(steps: number): Int32Array | null {
    const { length } = this.#from
    for (let left = steps; left > 0; ) {
      if (this.#at < length) left -= this.#width === 0 ? this.#sortRun() : this.#merge(left)
      else if (this.#isSorted()) return this.#from
      if (hasSpentMuch()) break
    }
    return null
  }

  /** All runs of one length are through: goes over to the next length. True when one run is all. */
  #isSorted(): boolean {
    if (this.#width === 0) this.#width = RUN
    else {
      const merged = this.#to
      this.#to = this.#from
      this.#from = merged
      this.#width *= 2
    }
    this.#at = 0
    this.#secondEnd = 0
    return this.#width >= this.#from.length
  }

  #sortRun(): number {
    const end = Math.min(this.#at + RUN, this.#from.length)
    this.#from.subarray(this.#at, end).sort(this.#compare)
    this.#at = end
    return RUN_COMPARISONS
  }

  /** Merges at most `most` numbers of two runs. Gives how many. */
  #merge(most: number): number {
    const from = this.#from
    if (this.#at === this.#secondEnd) {
      this.#first = this.#at
      this.#second = this.#firstEnd = Math.min(this.#at + this.#width, from.length)
      this.#secondEnd = Math.min(this.#firstEnd + this.#width, from.length)
    }
    const end = Math.min(this.#at + most, this.#secondEnd)
    const begin = this.#at
    while (this.#at < end) {
      const takesFirst =
        this.#first < this.#firstEnd &&
        (this.#second >= this.#secondEnd || this.#compare(from[this.#first]!, from[this.#second]!) <= 0)
      this.#to[this.#at++] = takesFirst ? from[this.#first++]! : from[this.#second++]!
      if (hasSpentMuch()) break
    }
    return this.#at - begin
  }
}
