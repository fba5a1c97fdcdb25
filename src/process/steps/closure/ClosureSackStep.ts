import type { Task } from "../../../scheduling/Task.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { ClosureSource } from "../../language/Closure.ts"
import { answered, runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, withSacks } from "../../plan/Batch.ts"
import { acting } from "../../plan/StepTraits.ts"
import { type ByColumn, readsOf } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { called } from "./ClosureTasks.ts"

const traits = acting({
  scout: "passes",
  limits: "stay",
  keepsObject: true,
  merging: "none",
  children: "asked",
  access: "reads"
})

/** sack{sack, value -> ...}: the closure gives the new sack of the traverser. */
export class ClosureSackStep extends ModulatedStep {
  readonly operator = "sack"
  readonly name = "SackValueStep"
  readonly traits = traits
  readonly #closure: ClosureSource
  protected override readonly mostModulators = 1

  constructor(closure: ClosureSource) {
    super()
    this.#closure = closure
  }

  override get callsClosure(): boolean {
    return true
  }

  override get holdsLambda(): boolean {
    return true
  }

  override require(needs: Needs): void {
    needs.sack = true
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return [...super.reads(batch, activation), ...readsOf(batch, null)]
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#combined(batch, activation))
  }

  *#combined(batch: Batch, activation: Activation): Task {
    const column = yield* answered<ByColumn>((done) => this.by(0).evaluate(batch, activation, done))
    const closure = activation.run.closures.of(this.#closure)
    const sacks: Array<unknown> = []
    const rows: Array<number> = []
    for (let row = 0; row < batch.length; row++) {
      const sack = batch.sack?.[row] ?? null
      if (column.found !== null && column.found[row] === 0) {
        sacks.push(sack)
        continue
      }
      rows.push(row)
      sacks.push(yield* called(closure, [sack, column.values[row]], activation))
    }
    activation.emitRows(this, withSacks(batch, sacks), rows, rows.length)
  }

  override describe(): string {
    return this.#closure.text
  }
}
