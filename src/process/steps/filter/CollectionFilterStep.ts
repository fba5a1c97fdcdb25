import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { predicateArgument } from "../../language/Arguments.ts"
import type { Predicate } from "../../language/Predicate.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { everyArgument, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { filtering } from "../../plan/StepTraits.ts"
import type { Test } from "../../predicates/PredicateEvaluation.ts"
import { itemsOf } from "../../scalars/Items.ts"
import { testTask } from "./IsStep.ts"
import { discard } from "./PassSteps.ts"

const traits = filtering({ filter: "plain", rank: 0, labels: "none", children: "none" })

/** all(P), any(P), none(P): keeps collections in which all items, at least one item or no item meets the predicate. */
class CollectionFilterStep extends Step {
  readonly operator: "all" | "any" | "none"
  readonly name: string
  readonly traits = traits
  readonly #predicate: Predicate

  constructor(operator: "all" | "any" | "none", predicate: Predicate) {
    super()
    this.operator = operator
    this.name = `${operator[0]!.toUpperCase()}${operator.slice(1)}Step`
    this.#predicate = predicate
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return batch.kind !== VALUE || runTask(this, batch, activation, () => this.#filtered(batch, activation))
  }

  *#filtered(batch: Batch, activation: Activation): Task {
    const test = yield* testTask(this, this.#predicate, activation.run)
    const rows: Array<number> = []
    for (let row = 0; row < batch.length; row++)
      if (yield* this.#holds(activation.slice, batch.data[row], test)) rows.push(row)
    activation.emitRows(this, batch, rows, rows.length)
  }

  *#holds(slice: TimeSlice, value: unknown, test: Test): Task<boolean> {
    const items = itemsOf(value)
    if (items === undefined) return false
    // The first deciding member ends the test: a member that fails all(), or one that meets the predicate of any() or
    // none().
    const deciding = this.operator !== "all"
    for (let i = 0; i < items.length; i++) {
      if (test(items[i]) === deciding) return this.operator === "any"
      if (slice.isOverAfter(i + 1, items[i])) yield
    }
    return this.operator !== "any"
  }
}

/** The operators all(), any() and none(). */
export const collectionFilterSteps: Operators = {
  all: stepOperator(
    everyArgument,
    ([predicate]) => new CollectionFilterStep("all", predicateArgument("all", predicate))
  ),
  any: stepOperator(
    everyArgument,
    ([predicate]) => new CollectionFilterStep("any", predicateArgument("any", predicate))
  ),
  // Before 3.8, none() without a predicate meant discard().
  none: stepOperator(everyArgument, (args) =>
    args.length === 0 ? discard() : new CollectionFilterStep("none", predicateArgument("none", args[0]))
  )
}
