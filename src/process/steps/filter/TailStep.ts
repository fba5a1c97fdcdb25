import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { isRounded } from "../../../structure/numbers/Bulks.ts"
import { integerArgument, isEnum } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { assembleTask, RowList } from "../../machine/RowList.ts"
import { flushTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { everyArgument, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import type { Run } from "../../plan/Run.ts"
import { Step } from "../../plan/Step.ts"
import { holding } from "../../plan/StepTraits.ts"
import { LocalScalarStep } from "../map/MapSteps.ts"
import { partOf } from "./RangeStep.ts"

/** The last rows of one origin. */
interface Tail {
  readonly list: RowList
  /** Number of rows at the front of the list that are outside the limit. */
  surplus: number
  /** The bulk of the first of the other rows, and the sum of those behind it. */
  front: number
  behind: number
  /** The largest number of rows that the list has held. */
  most: number
}

const traits = holding({
  work: "collects",
  scout: "runs",
  gathers: "all",
  limits: "stay",
  rank: 0,
  merging: "none",
  children: "none"
})

/** tail(): keeps the last traversers. Inside repeat() it counts per round, inside a local child per object. */
class TailGlobalStep extends Step {
  readonly operator = "tail"
  readonly name = "TailGlobalStep"
  readonly traits = traits
  readonly #limitOf: (run: Run) => number
  readonly #words: string

  constructor(limitOf: (run: Run) => number, words: string) {
    super()
    this.#limitOf = limitOf
    this.#words = words
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const limit = activation.run.shared(this, () => this.#limitOf(activation.run))
    const cells = activation.group(this, batch.loops).cells as Array<Tail | undefined>
    for (let row = 0; row < batch.length; row++) {
      const tail = (cells[batch.originOf(row)] ??= { list: new RowList(), surplus: 0, front: 0, behind: 0, most: 0 })
      take(tail, batch, row, limit)
      if (tail.list.length > tail.most) {
        activation.run.hold((tail.list.length - tail.most) * 48)
        tail.most = tail.list.length
      }
    }
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.#last(group, activation))
  }

  *#last(group: BarrierGroup, activation: Activation): Task {
    const limit = activation.run.shared(this, () => this.#limitOf(activation.run))
    const tails = (group.cells as Array<Tail | undefined>).filter((tail) => tail !== undefined)
    for (const tail of tails) tail.list.drop(tail.surplus)
    const lists = tails.map(({ list }) => list)
    const out = yield* assembleTask(lists, activation)
    if (out === null) return
    if (out.bulk !== null) {
      const bulk = Float64Array.from(out.bulk)
      let first = 0
      for (const tail of tails) {
        // The bulk of the oldest kept row may exceed the limit.
        if (tail.list.length > 0 && !isRounded(limit)) bulk[first] = Math.min(tail.front, limit - tail.behind)
        first += tail.list.length
      }
      out.bulk = bulk
    }
    activation.emitRows(this, out, null, out.length)
  }

  override describe(): string {
    return this.#words
  }
}

/** The bulk of a row; 0 behind the last one. */
const bulkAt = (list: RowList, at: number): number => (at < list.length ? list.batches[at]!.bulkOf(list.rows[at]!) : 0)

/** Adds a row and drops the oldest rows beyond the limit. */
const take = (tail: Tail, batch: Batch, row: number, limit: number): void => {
  const { list } = tail
  list.add(batch, row)
  if (tail.surplus === list.length - 1) tail.front = batch.bulkOf(row)
  else tail.behind += batch.bulkOf(row)
  // Such a limit keeps all traversers that there can be.
  if (isRounded(limit)) return
  // A rounded sum cannot be subtracted from.
  if (isRounded(tail.behind)) countFromEnd(tail, limit)
  while (tail.behind >= limit && tail.surplus < list.length) {
    tail.surplus++
    tail.front = bulkAt(list, tail.surplus)
    tail.behind -= tail.front
  }
  if (tail.surplus > 1024 && tail.surplus * 2 > list.length) {
    list.drop(tail.surplus)
    tail.surplus = 0
  }
}

/** Finds the last rows that reach the limit. */
const countFromEnd = (tail: Tail, limit: number): void => {
  const { list } = tail
  let behind = 0
  let at = list.length - 1
  for (; at > tail.surplus && behind + bulkAt(list, at) < limit; at--) behind += bulkAt(list, at)
  tail.surplus = at
  tail.front = bulkAt(list, at)
  tail.behind = behind
}

const sizeOf = (value: unknown): number => {
  if (value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet) return value.size
  if (value instanceof Path) return value.objects.length
  return Array.isArray(value) ? value.length : 1
}

const tail: StepBuilder = (args) => {
  const scope = isEnum(args[0], "Scope") ? args[0].name : null
  const rest = scope === null ? args : args.slice(1)
  if (rest.length > 1) throw new TraversalInvalid(`tail() takes one number, but was given ${rest.length}`)
  const limitOf = (run: Run): number =>
    rest.length === 0 ? 1 : integerArgument("tail", resolve(rest[0], run), "number")
  const words = String(rest[0] ?? 1)
  if (scope !== "local") return new TailGlobalStep(limitOf, words)
  const last = (slice: TimeSlice, value: unknown, run: Run): Task<unknown> => {
    const size = sizeOf(value)
    return partOf(slice, value, { low: Math.max(0, size - limitOf(run)), high: size })
  }
  return new LocalScalarStep("tail", "TailLocalStep", last, words)
}

/** The operator tail(). */
export const tailSteps: Operators = { tail: stepOperator(everyArgument, tail) }
