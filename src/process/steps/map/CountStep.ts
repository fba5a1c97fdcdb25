import { type Tally, tally } from "../../../structure/numbers/Bulks.ts"
import { Operator } from "../../../structure/scalars/Enums.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { Batch, VALUE } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { reducing } from "../../plan/StepTraits.ts"
import { applyOperator } from "../../scalars/Operators.ts"

const traits = reducing({ work: "tallies", answersEmpty: true, children: "none" })

/** count(): the number of traversers, as a Long. Every reducing step has this form: one state cell for each origin. */
export class CountStep extends Step {
  readonly operator = "count"
  readonly name = "CountGlobalStep"
  readonly traits = traits

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const cells = activation.group(this, batch.loops).cells as Array<Tally | undefined>
    if (batch.origin === null && batch.bulk === null) {
      cells[0] = tally(cells[0], batch.length)
      return
    }
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      cells[origin] = tally(cells[origin], batch.bulkOf(i))
    }
  }

  override joined(earlier: unknown, later: unknown): unknown {
    return applyOperator(Operator.sum, earlier, later)
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return emitPart(this, group, activation, (i) => BigInt((group.cells[i] as Tally | undefined) ?? 0))
  }
}

/** Maximum number of results that a reducing barrier emits in one batch. */
const RESULTS_PER_BATCH = 8192

/**
 * Emits some of the results of a reducing barrier, and advances the cursor of the group. True when all are emitted. `resultOf` gives
 * the result of an origin; undefined if it has none.
 */
export const emitPart = (
  step: Step,
  group: BarrierGroup,
  activation: Activation,
  resultOf: (origin: number) => unknown
): boolean => {
  const to = Math.min(activation.origins, group.cursor + RESULTS_PER_BATCH)
  const values: Array<unknown> = []
  const origins: Array<number> = []
  for (let origin = group.cursor; origin < to; origin++) {
    const value = resultOf(origin)
    if (value === undefined) continue
    values.push(value)
    origins.push(origin)
  }
  emitReduced(step, group, activation, values, values.length === activation.origins ? undefined : origins)
  group.cursor = to
  return to === activation.origins
}

/**
 * Emits the results of a reducing barrier as new traversers; their paths start anew. `origins[i]` is the row of the
 * parent's batch that value i belongs to. Without `origins`, value i belongs to row i.
 */
export const emitReduced = (
  step: Step,
  group: BarrierGroup,
  activation: Activation,
  values: ReadonlyArray<unknown>,
  origins?: readonly number[]
): void => {
  const { entered } = group
  if (entered !== null) {
    const answered = values.flatMap((_, i) => (entered[origins?.[i] ?? i] === 1 ? [i] : []))
    if (answered.length < values.length) {
      const of = answered.map((i) => origins?.[i] ?? i)
      emit(
        step,
        group,
        activation,
        answered.map((i) => values[i]),
        of
      )
      return
    }
  }
  emit(step, group, activation, values, origins)
}

const emit = (
  step: Step,
  group: BarrierGroup,
  activation: Activation,
  values: ReadonlyArray<unknown>,
  origins?: readonly number[]
): void => {
  if (values.length === 0) return
  const out = new Batch(VALUE, values, values.length)
  out.loops = group.loops
  if (activation.parent !== null) {
    out.origin =
      origins === undefined ? Int32Array.from({ length: values.length }, (_, i) => i) : Int32Array.from(origins)
  }
  if (activation.plan.sack) out.sack = new Array(values.length).fill(activation.run.initialSack())
  activation.emit(step, out)
}
