import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { add, divide, multiply } from "../../../structure/numbers/Arithmetic.ts"
import { exactBulk } from "../../../structure/numbers/Bulks.ts"
import { double, type GremlinNumber, isNumber } from "../../../structure/numbers/Numbers.ts"
import { integerArgument, isEnum, nameOf } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { type Merging, type RowBuffer, rowBuffer } from "../../machine/RowBuffer.ts"
import { concatTask, flushTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { Batch, carry, slice } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { holding, type StepTraits } from "../../plan/StepTraits.ts"

const traits = holding({
  work: "collects",
  scout: "runs",
  gathers: "all",
  limits: "stay",
  rank: 0,
  merging: "joins",
  children: "none"
})

/** barrier(): collects all rows, or the given number, before it emits any. Equal traversers are merged into one row. */
export class BarrierStep extends Step {
  readonly operator = "barrier"
  readonly name: string = "NoOpBarrierStep"
  readonly traits: StepTraits = traits
  readonly #merging: Merging | null
  /** Number of merged rows after which the barrier emits them, even if more may arrive. */
  readonly #most: number
  readonly #normalizesSacks: boolean

  constructor(merging: Merging | null, most = Number.POSITIVE_INFINITY, normalizesSacks = false) {
    super()
    this.#merging = merging
    this.#most = most
    this.#normalizesSacks = normalizesSacks
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { cells } = activation.group(this, batch.loops)
    for (let from = 0; from < batch.length; ) {
      const rows = (cells[0] ??= rowBuffer(activation, this.#merging)) as RowBuffer
      const to = Math.min(batch.length, from + this.#most - rows.size)
      rows.add(to - from === batch.length ? batch : slice(batch, from, to))
      from = to
      if (rows.size < this.#most) continue
      cells[0] = undefined
      this.#release(rows, activation)
    }
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    const rows = group.cells[0] as RowBuffer | undefined
    if (rows === undefined) return true
    if (this.#normalizesSacks) return flushTask(this, group, () => this.#normalized(rows, activation))
    this.#release(rows, activation)
    return true
  }

  #release(rows: RowBuffer, activation: Activation): void {
    for (const batch of rows.take()) activation.pass(this, batch)
  }

  *#normalized(rows: RowBuffer, activation: Activation): Task {
    const batch = yield* normalized(rows.take(), activation)
    for (let from = 0; from < batch.length; from += CHUNK_ITEMS) {
      activation.pass(this, slice(batch, from, Math.min(batch.length, from + CHUNK_ITEMS)))
      if (activation.slice.isOverNow()) yield
    }
  }

  override describe(): string {
    return Number.isFinite(this.#most) ? String(this.#most) : ""
  }
}

/** Barrier.normSack: each sack times its bulk, divided by the sum of these products over the rows of the origin. */
function* normalized(batches: ReadonlyArray<Batch>, activation: Activation): Task<Batch> {
  const time = activation.slice
  const batch = yield* concatTask(batches, activation.transaction, time)
  const weighted: Array<GremlinNumber> = []
  const totals: Array<GremlinNumber | undefined> = []
  for (let row = 0; row < batch.length; row++) {
    const sack = batch.sack === null ? null : batch.sack[row]
    if (!isNumber(sack))
      throw new TraversalError(`barrier(normSack) needs sacks that are numbers, but one is ${nameOf(sack)}`)
    const weight = multiply(sack, BigInt(exactBulk(batch.bulkOf(row))))
    weighted.push(weight)
    const origin = batch.originOf(row)
    totals[origin] = add(totals[origin] ?? double(0), weight)
    if (time.isOverAfter(row + 1, weight)) yield
  }
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  const sacks: Array<unknown> = []
  for (let row = 0; row < batch.length; row++) {
    sacks.push(divide(weighted[row]!, totals[batch.originOf(row)]!))
    if (time.isOverAfter(row + 1, sacks[row])) yield
  }
  out.sack = sacks
  return out
}

/** The operator barrier(). */
export const barrierSteps: Operators = {
  barrier: stepOperator(noParameters, ([argument]) => {
    if (argument === undefined) return new BarrierStep("values")
    if (isEnum(argument, "Barrier")) return new BarrierStep("values", Number.POSITIVE_INFINITY, true)
    const most = integerArgument("barrier", argument, "number of traversers")
    // In TinkerPop such a barrier takes no traverser, so that none passes.
    if (most < 1) throw new TraversalInvalid(`barrier() needs at least one traverser, but was given ${most}`)
    return new BarrierStep("values", most)
  })
}
