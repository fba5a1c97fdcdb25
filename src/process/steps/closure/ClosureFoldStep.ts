import type { Task } from "../../../scheduling/Task.ts"
import { deepCopy } from "../../../structure/collections/DeepCopy.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { ClosureSource } from "../../language/Closure.ts"
import { resolve } from "../../language/Operand.ts"
import { flushTask, runTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { reducing } from "../../plan/StepTraits.ts"
import { emitPart } from "../map/CountStep.ts"
import { readsOf } from "../shared/By.ts"
import { called } from "./ClosureTasks.ts"

const traits = reducing({ work: "acts", answersEmpty: true, children: "none" })

/** fold(seed){a, b -> ...}: the closure gets the value so far and an object, and gives the next value. */
export class ClosureFoldStep extends Step {
  readonly operator = "fold"
  readonly name = "FoldStep"
  readonly traits = traits
  readonly #seed: unknown
  readonly #closure: ClosureSource

  constructor(seed: unknown, closure: ClosureSource) {
    super()
    this.#seed = seed
    this.#closure = closure
  }

  override get callsClosure(): boolean {
    return true
  }

  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, null)
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#folded(batch, activation))
  }

  *#folded(batch: Batch, activation: Activation): Task {
    const { run, transaction } = activation
    const closure = run.closures.of(this.#closure)
    const cells = activation.group(this, batch.loops).cells as Array<{ value: unknown } | undefined>
    for (let row = 0; row < batch.length; row++) {
      const origin = batch.originOf(row)
      const cell = cells[origin] ?? { value: yield* this.#first(activation) }
      cells[origin] = cell
      const object = batch.value(row, transaction)
      for (let times = batch.bulkOf(row); times > 0; times--) {
        cell.value = yield* called(closure, [cell.value, object], activation, true)
      }
    }
  }

  /** The closure may change the seed, so each run has its own. */
  #first({ run }: Activation): Task<unknown> {
    return deepCopy(run.slice, resolve(this.#seed, run))
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.#given(group, activation))
  }

  /** The closure may have kept the value, so the result is a copy. */
  *#given(group: BarrierGroup, activation: Activation): Task {
    const values: Array<unknown> = []
    for (let origin = 0; origin < activation.origins; origin++) {
      const cell = group.cells[origin] as { readonly value: unknown } | undefined
      values.push(cell === undefined ? yield* this.#first(activation) : yield* deepCopy(activation.slice, cell.value))
    }
    while (!emitPart(this, group, activation, (origin) => values[origin])) yield
  }

  override describe(): string {
    return this.#closure.text
  }
}
