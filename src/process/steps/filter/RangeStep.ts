import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { exactBulk, isRounded } from "../../../structure/numbers/Bulks.ts"
import { integerArgument, isEnum } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, carry, gather, type LoopFrame, slice } from "../../plan/Batch.ts"
import { ByRound } from "../../plan/ByRound.ts"
import { everyArgument, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { onMainLine } from "../../plan/Plan.ts"
import type { Run } from "../../plan/Run.ts"
import { Step } from "../../plan/Step.ts"
import { holding } from "../../plan/StepTraits.ts"
import { copied } from "../../scalars/Items.ts"
import { mapOf, setOf } from "../../scalars/Lists.ts"
import { LocalScalarStep } from "../map/MapSteps.ts"

/** Selects positions from low (counted from 0) up to but not including high; high -1 means no end. */
interface Range {
  readonly low: number
  readonly high: number
}

type RangeOf = (run: Run) => Range

const traits = holding({
  work: "collects",
  scout: "runs",
  gathers: "some",
  limits: "is",
  rank: 0,
  merging: "none",
  children: "none"
})

/** limit(), skip(), range() over the stream. Inside repeat() they count per round, inside a local child per object. */
export class RangeGlobalStep extends Step {
  readonly operator: string
  readonly name = "RangeGlobalStep"
  readonly traits = traits
  readonly #rangeOf: RangeOf
  readonly #words: string

  constructor(operator: string, rangeOf: RangeOf, words: string) {
    super()
    this.operator = operator
    this.#rangeOf = rangeOf
    this.#words = words
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { low: from, high } = activation.run.shared(this, () => this.#rangeOf(activation.run))
    // A scout skips no rows: the run may already have counted the rows to skip.
    const low = activation.scout === null ? from : 0
    const state = activation.state(this, () => new Counters())
    const counts = state.of(batch.loops, activation)
    if (batch.bulk === null && batch.origin === null) this.#plain(batch, counts, low, high, state, activation)
    else this.#counted(batch, counts, low, high, state, activation)
    state.keep(batch.loops, counts)
    if (state.through === activation.origins && onMainLine(this)) activation.stopUpstream(this)
  }

  #plain(batch: Batch, counts: Float64Array, low: number, high: number, state: Counters, activation: Activation): void {
    const seen = counts[0]!
    const from = Math.min(batch.length, Math.max(0, low - seen))
    const to = high < 0 ? batch.length : Math.max(from, Math.min(batch.length, high - seen))
    counts[0] = seen + batch.length
    if (isThrough(seen, counts[0], high, activation.plan.sequential)) this.#stop(batch.loops, 0, state, activation)
    if (to > from) activation.pass(this, to - from === batch.length ? batch : slice(batch, from, to))
  }

  #counted(
    batch: Batch,
    counts: Float64Array,
    low: number,
    high: number,
    state: Counters,
    activation: Activation
  ): void {
    const rows = activation.run.scratch.rows(batch.length)
    const bulks = batch.bulk === null ? null : new Float64Array(batch.length)
    const { origin: origins } = batch
    const { sequential } = activation.plan
    let length = 0
    let cut = false
    for (let row = 0; row < batch.length; row++) {
      const origin = origins === null ? 0 : origins[row]!
      const seen = counts[origin]!
      const bulk = batch.bulkOf(row)
      const now = seen + bulk
      counts[origin] = now
      if (isThrough(seen, now, high, sequential)) this.#stop(batch.loops, origin, state, activation)
      // Not from `now`, which is rounded where it is large.
      const skipped = Math.max(0, low - seen)
      const left = (isRounded(skipped) ? exactBulk(bulk) : bulk) - skipped
      const taken = high < 0 ? left : Math.min(left, high - Math.max(seen, low))
      if (taken < bulk) cut = true
      if (taken <= 0) continue
      if (bulks !== null) bulks[length] = taken
      rows[length++] = row
    }
    if (length === 0) return
    if (!cut) {
      activation.pass(this, batch)
      return
    }
    const out = carry(batch, rows, new Batch(batch.kind, gather(batch.data, rows, length), length))
    if (bulks !== null) out.bulk = bulks.slice(0, length)
    activation.pass(this, out)
  }

  /** Stops the rows of an origin that has reached its end. Other origins continue. */
  #stop(loops: LoopFrame | null, origin: number, state: Counters, activation: Activation): void {
    state.through++
    if (activation.origins > 1 || !onMainLine(this)) activation.stopOrigin(this, loops, origin)
  }

  override describe(): string {
    return this.#words
  }
}

/** The number of traversers that the step has seen in each round, by origin. */
class Counters {
  /** Number of origins that have reached their end. */
  through = 0
  /** The counts outside of all loops; null before the first row. */
  #outside: Float64Array | null = null
  /** The counts of the current round if there is a single origin, and those of all rounds: one number each. */
  #only: Float64Array | null = null
  #counts: ByRound<number> | null = null
  #byOrigin: ByRound<Float64Array> | null = null

  /** The counts of a round, by origin, until {@link keep}. */
  of(round: LoopFrame | null, { origins, run }: Activation): Float64Array {
    if (round === null) return (this.#outside ??= new Float64Array(origins))
    if (origins === 1) {
      const count = this.#counts?.get(round)
      if (count === undefined) run.hold(ROUND_BYTES)
      const only = (this.#only ??= new Float64Array(1))
      only[0] = count ?? 0
      return only
    }
    const counts = this.#byOrigin?.get(round)
    if (counts !== undefined) return counts
    run.hold(ROUND_BYTES * (origins + ARRAY_ORIGINS))
    return new Float64Array(origins)
  }

  keep(round: LoopFrame | null, counts: Float64Array): void {
    if (round === null) return
    if (counts === this.#only) (this.#counts ??= new ByRound()).set(round, counts[0]!)
    else (this.#byOrigin ??= new ByRound()).set(round, counts)
  }
}

/** Size of the count of one origin, and of its stop, in one round. */
const ROUND_BYTES = 16
/** An array of counts takes as much as the counts of so many origins. */
const ARRAY_ORIGINS = 16

/**
 * Returns true if the traversers from `seen` to `now` reach the end. If the order of effects is visible, the end is
 * reached by the first traverser over the limit, as in TinkerPop: the steps before this one have already processed it.
 */
const isThrough = (seen: number, now: number, high: number, sequential: boolean): boolean =>
  high >= 0 && (sequential ? now > high && seen <= high : now >= high && seen < Math.max(high, 1))

const legal = (low: number, high: number): Range => {
  if (low !== -1 && high !== -1 && low > high) throw new TraversalInvalid(`Not a legal range: [${low}, ${high}]`)
  return { low, high }
}

const rangeOf = (operator: string, args: readonly unknown[]): RangeOf => {
  const number = (at: number, run: Run): number =>
    integerArgument(operator, resolve(args[at], run), operator === "range" && at === 0 ? "lower bound" : "number")
  const wanted = operator === "range" ? 2 : 1
  if (args.length !== wanted) {
    throw new TraversalInvalid(
      `${operator}() takes ${wanted === 2 ? "two numbers" : "one number"}, but was given ${args.length}`
    )
  }
  switch (operator) {
    case "limit":
      return (run) => legal(0, number(0, run))
    case "skip":
      return (run) => legal(number(0, run), -1)
    default:
      return (run) => legal(number(0, run), number(1, run))
  }
}

/** The range in TinkerPop's explain() and profile(): `low,high`. */
const rangeText = (operator: string, args: readonly unknown[]): string => {
  const [first, second] = args.map(String)
  if (operator === "limit") return `0,${first}`
  return operator === "skip" ? `${first},-1` : `${first},${second}`
}

/** The part of a collection, as a collection of the same type. Any other object is returned unchanged. */
export function* partOf(slice: TimeSlice, value: unknown, { low, high }: Range): Task<unknown> {
  const end = high < 0 ? undefined : high
  const start = Math.max(0, low)
  if (value instanceof GremlinMap) return yield* mapOf(slice, partOfItems(value, start, end))
  if (value instanceof GremlinSet) return yield* setOf(slice, partOfItems(value, start, end))
  // Positions count repetitions; a part of a set is a set.
  if (value instanceof BulkSet) return yield* setOf(slice, partOfItems(value.members(), start, end))
  if (value instanceof Path) return yield* copied(value.objects, start, end)
  return Array.isArray(value) ? yield* copied(value, start, end) : value
}

/** The members from position `start` up to but not including `end`. */
function* partOfItems<A>(items: Iterable<A>, start: number, end = Number.POSITIVE_INFINITY): Iterable<A> {
  if (end <= start) return
  let at = 0
  for (const item of items) {
    if (at++ >= start) yield item
    if (at >= end) return
  }
}

const build =
  (operator: "limit" | "skip" | "range"): StepBuilder =>
  (args) => {
    const scope = isEnum(args[0], "Scope") ? args[0].name : null
    const bounds = scope === null ? args : args.slice(1)
    const range = rangeOf(operator, bounds)
    const words = rangeText(operator, bounds)
    if (scope !== "local") return new RangeGlobalStep(operator, range, words)
    return new LocalScalarStep(
      operator,
      "RangeLocalStep",
      (slice, value, run) => partOf(slice, value, range(run)),
      words
    )
  }

/** The operators limit(), skip() and range(). */
export const rangeSteps: Operators = {
  limit: stepOperator(everyArgument, build("limit")),
  skip: stepOperator(everyArgument, build("skip")),
  range: stepOperator(everyArgument, build("range"))
}
