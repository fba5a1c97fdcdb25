import type { Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BigMap } from "../../structure/BigMap.ts"
import type { JavaRandom } from "../../structure/JavaRandom.ts"

/** What is drawn from: how many equal ones stand at each place, and the weight of one of them. */
interface Candidates {
  readonly bulks: ReadonlyArray<number>
  readonly weights: ReadonlyArray<number>
}

/** Places in the order of their first draws, and how often each was drawn. */
export interface Drawn {
  readonly places: Array<number>
  readonly counts: BigMap<number, number>
}

/**
 * Draws so many of the candidates by chance, each with its share of the weight that is left; all when there are no more. With
 * a seed the chances are taken as TinkerPop takes them, so that the same ones are drawn.
 */
export function* draw(
  slice: TimeSlice,
  { bulks, weights }: Candidates,
  amount: number,
  random: JavaRandom,
  isSeeded: boolean
): Task<Drawn> {
  const drawn: Drawn = { places: [], counts: new BigMap() }
  let total = 0
  let totalWeight = 0
  for (let place = 0; place < bulks.length; place++) {
    total += bulks[place]!
    totalWeight += bulks[place]! * weights[place]!
    if (slice.isOverAfter(place + 1)) yield
  }
  if (total <= amount) {
    for (let place = 0; place < bulks.length; place++) {
      drawn.places.push(place)
      drawn.counts.set(place, bulks[place]!)
      if (slice.isOverAfter(place + 1)) yield
    }
    return drawn
  }
  if (isSeeded) yield* walk(bulks, weights, amount, totalWeight, random, drawn)
  else yield* drawByWeight(slice, bulks, weights, amount, random, drawn)
  return drawn
}

const note = ({ counts, places }: Drawn, place: number): void => {
  const before = counts.get(place)
  if (before === undefined) places.push(place)
  counts.set(place, (before ?? 0) + 1)
}

/** Each draw goes through the candidates that are left, in order, and takes one with its share of the weight that is left. */
function* walk(
  bulks: ReadonlyArray<number>,
  weights: ReadonlyArray<number>,
  amount: number,
  totalWeight: number,
  random: JavaRandom,
  drawn: Drawn
): Task {
  for (let count = 0; count < amount; ) {
    const place = yield* drawOne(bulks, weights, drawn.counts, totalWeight, random)
    if (place === undefined) continue
    note(drawn, place)
    count++
  }
}

/** The same chances without the walk: a draw takes the logarithm of the number of places. Ends where no weight is left. */
function* drawByWeight(
  slice: TimeSlice,
  bulks: ReadonlyArray<number>,
  weights: ReadonlyArray<number>,
  amount: number,
  random: JavaRandom,
  drawn: Drawn
): Task {
  const left = new SumTree(bulks.length)
  let open = 0
  yield* left.fill((place) => {
    // Neither what is negative nor NaN is drawn.
    if (!(weights[place]! > 0)) return 0
    open += bulks[place]!
    return bulks[place]! * weights[place]!
  })
  let looked = 0
  for (let count = 0; count < amount && open > 0; ) {
    const place = left.placeOf(random.nextDouble() * left.total)
    // Sums of fractions are not exact: a place whose last one was drawn may have a rest of weight.
    if (weights[place]! > 0 && (drawn.counts.get(place) ?? 0) < bulks[place]!) {
      note(drawn, place)
      left.add(place, -weights[place]!)
      open--
      count++
    }
    if (slice.isOverAfter(++looked)) yield
  }
}

/** One walk through the candidates; undefined when chance took none of them. */
function* drawOne(
  bulks: ReadonlyArray<number>,
  weights: ReadonlyArray<number>,
  drawn: BigMap<number, number>,
  totalWeight: number,
  random: JavaRandom
): Task<number | undefined> {
  let left = totalWeight
  let walked = 0
  for (let place = 0; place < bulks.length; place++) {
    const open = bulks[place]! - (drawn.get(place) ?? 0)
    for (let i = 0; i < open; i++) {
      if (random.nextDouble() <= weights[place]! / left) return place
      left -= weights[place]!
      if (++walked % CHUNK_ITEMS === 0) yield
    }
  }
  // However short the walk was: nobody knows how many there will be.
  yield
  return undefined
}

/** Places whose amounts are taken in at once. */
const FILLED = 65_536

/** Amounts of places 0..length, of which one is found by a point of their sum, in the logarithm of their number. */
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

  /** To be done first: takes in the amount of each place, which must not be negative. */
  *fill(amountOf: (place: number) => number): Task {
    const sums = this.#sums
    for (let i = 1; i <= this.#length; i++) {
      const amount = amountOf(i - 1)
      this.total += amount
      sums[i]! += amount
      const above = i + (i & -i)
      if (above <= this.#length) sums[above]! += sums[i]!
      if (i % FILLED === 0) yield
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
