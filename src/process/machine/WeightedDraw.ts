import type { Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import type { JavaRandom } from "../../structure/numbers/JavaRandom.ts"
import { TraversalError } from "../language/Errors.ts"
import { SumTree } from "./SumTree.ts"

/** What is drawn from: the number of equal items at each place, and the weight of one of them. */
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
 * Draws `amount` candidates at random without replacement, or all when there are no more. The chance of a candidate is its
 * share of the remaining weight. With a seed the random numbers are used as in TinkerPop, so that both draw the same,
 * if all weights are above 0. Throws TraversalError if there are more candidates than are drawn, and too few with such a weight, or a
 * weight that is not finite: TinkerPop would draw forever.
 */
export function* draw(
  slice: TimeSlice,
  candidates: Candidates,
  amount: number,
  random: JavaRandom,
  isSeeded: boolean
): Task<Drawn> {
  const { bulks, weights } = candidates
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
  const isPositive = yield* checkWeights(slice, candidates, amount, totalWeight)
  if (isSeeded && isPositive) yield* drawByWalks(candidates, amount, totalWeight, random, drawn)
  else yield* drawByWeight(slice, candidates, amount, random, drawn)
  return drawn
}

/**
 * Throws TraversalError if the draws would not end. A candidate with a weight of 0 or less is never drawn. Returns true if all have
 * more.
 */
function* checkWeights(slice: TimeSlice, { bulks, weights }: Candidates, amount: number, total: number): Task<boolean> {
  if (!Number.isFinite(total)) {
    throw new TraversalError("sample() draws by weights that are finite numbers, and so must their sum be")
  }
  let open = 0
  let isPositive = true
  for (let place = 0; place < bulks.length; place++) {
    if (weights[place]! > 0) open += bulks[place]!
    else isPositive = false
    if (slice.isOverAfter(place + 1)) yield
  }
  if (open >= amount) return isPositive
  throw new TraversalError(
    `sample(${amount}) draws by weights above 0, but only ${open} of the candidates have such a weight`
  )
}

/** Counts one draw of a place. */
const note = ({ counts, places }: Drawn, place: number): void => {
  const before = counts.get(place)
  if (before === undefined) places.push(place)
  counts.set(place, (before ?? 0) + 1)
}

/** TinkerPop's algorithm: each draw visits the remaining candidates in order, and takes each with its share of the weight. */
function* drawByWalks(
  candidates: Candidates,
  amount: number,
  totalWeight: number,
  random: JavaRandom,
  drawn: Drawn
): Task {
  for (let count = 0; count < amount; ) {
    const place = yield* drawOne(candidates, drawn.counts, totalWeight, random)
    if (place === undefined) continue
    note(drawn, place)
    count++
  }
}

/** Draws with the chances of {@link drawByWalks}, in logarithmic time for each draw. */
function* drawByWeight(
  slice: TimeSlice,
  { bulks, weights }: Candidates,
  amount: number,
  random: JavaRandom,
  drawn: Drawn
): Task {
  const left = new SumTree(bulks.length)
  let open = 0
  yield* left.fill((place) => {
    // A place with a negative weight is never drawn.
    if (!(weights[place]! > 0)) return 0
    open += bulks[place]!
    return bulks[place]! * weights[place]!
  })
  let looked = 0
  for (let count = 0; count < amount && open > 0; ) {
    const place = left.positionOf(random.nextDouble() * left.total)
    // Sums of fractions are not exact: a place may keep some weight after its last item was drawn.
    if (weights[place]! > 0 && (drawn.counts.get(place) ?? 0) < bulks[place]!) {
      note(drawn, place)
      left.add(place, -weights[place]!)
      open--
      count++
    }
    if (slice.isOverAfter(++looked)) yield
  }
}

/** One visit of the candidates; undefined when none was taken. */
function* drawOne(
  { bulks, weights }: Candidates,
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
  // The number of walks has no bound, so each one yields.
  yield
  return undefined
}
