import type { Task } from "./Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "./TimeSlice.ts"

/** Numbers of a run, which is sorted in one call. */
const RUN_LENGTH = 512
/** Approximate number of comparisons that sort a run. */
const RUN_COMPARISONS = RUN_LENGTH * 8

/** How a sort compares, and its time slice. */
interface SortOptions {
  /** One comparison may take more than a microsecond: the clock is read after each. */
  readonly costly: boolean
  readonly slice: TimeSlice
}

/**
 * The numbers 0 to `length - 1`, sorted by a comparison. Numbers that compare as equal keep their order only where the comparison says
 * so.
 */
export function* sortTask(
  length: number,
  compare: (a: number, b: number) => number,
  { costly, slice }: SortOptions
): Task<Int32Array> {
  const sort = new IncrementalSort(length, compare, costly)
  for (;;) {
    const sorted = sort.advance(CHUNK_ITEMS, slice)
    if (sorted !== null) return sorted
    yield
  }
}

/** The items, sorted by a comparison. Items that compare as equal keep their order. */
export function* sortItems<A>(
  items: ReadonlyArray<A>,
  compare: (a: A, b: A) => number,
  slice: TimeSlice
): Task<Array<A>> {
  if (items.length <= RUN_LENGTH) return [...items].sort(compare)
  const order = yield* sortTask(items.length, (a, b) => compare(items[a]!, items[b]!) || a - b, {
    costly: false,
    slice
  })
  const sorted: Array<A> = []
  for (const place of order) {
    sorted.push(items[place]!)
    if (slice.isOverAfter(sorted.length)) yield
  }
  return sorted
}

/**
 * The items, sorted by a comparison that may wait: it returns the order, or a generator of it. Items that compare as equal keep
 * their order. The caller passes on what the comparisons yield.
 */
export function* sortWaiting<A, Y, N>(
  items: ReadonlyArray<A>,
  compare: (a: A, b: A) => number | Generator<Y, number, N>
): Generator<Y, Array<A>, N> {
  let from = [...items]
  let to: Array<A> = new Array(items.length)
  for (let width = 1; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      const middle = Math.min(start + width, items.length)
      const end = Math.min(start + 2 * width, items.length)
      let left = start
      let right = middle
      for (let at = start; at < end; at++) {
        let takesLeft = left < middle
        if (takesLeft && right < end) {
          const order = compare(from[left]!, from[right]!)
          takesLeft = (typeof order === "number" ? order : yield* order) <= 0
        }
        to[at] = takesLeft ? from[left++]! : from[right++]!
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** A merge sort from the bottom up, which stops after some comparisons and resumes. */
class IncrementalSort {
  readonly #compare: (a: number, b: number) => number
  readonly #costly: boolean
  #from: Int32Array
  #to: Int32Array
  /** Length of the sorted runs; 0 while no run is sorted. */
  #width = 0
  /** Place of the next number in the output. */
  #at = 0
  /** The rest of the two runs that are being merged. */
  #first = 0
  #firstEnd = 0
  #second = 0
  #secondEnd = 0

  /** `costly` as in {@link SortOptions}. */
  constructor(length: number, compare: (a: number, b: number) => number, costly = false) {
    this.#compare = compare
    this.#costly = costly
    if (costly) this.#width = 1
    this.#from = new Int32Array(length)
    for (let number = 0; number < length; number++) this.#from[number] = number
    this.#to = new Int32Array(length)
  }

  /** Works for about `steps` comparisons. Null when there is more to do. */
  advance(steps: number, slice: TimeSlice): Int32Array | null {
    const { length } = this.#from
    for (let left = steps; left > 0; ) {
      if (this.#at < length) left -= this.#width === 0 ? this.#sortRun() : this.#merge(left, slice)
      else if (this.#isSorted()) return this.#from
      if (slice.isOverNow()) break
    }
    return null
  }

  /** All runs of one length are merged: begins with the next length. True when one run has all numbers. */
  #isSorted(): boolean {
    if (this.#width === 0) this.#width = RUN_LENGTH
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
    const end = Math.min(this.#at + RUN_LENGTH, this.#from.length)
    this.#from.subarray(this.#at, end).sort(this.#compare)
    this.#at = end
    return RUN_COMPARISONS
  }

  /** Merges at most `most` numbers of two runs. Returns how many. */
  #merge(most: number, slice: TimeSlice): number {
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
      if (this.#costly && slice.isOverNow()) break
    }
    return this.#at - begin
  }
}
