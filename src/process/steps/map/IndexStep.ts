import type { Task } from "../../../scheduling/Task.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { integerArgument } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step } from "../../plan/Step.ts"
import { scalar } from "../../plan/StepTraits.ts"
import { localItems } from "./ReduceSteps.ts"

/** The key of with(WithOptions.indexer, ...), as drivers send it. */
const INDEXER = "~tinkerpop.index.indexer"
const INDEXER_LIST = 0
const INDEXER_MAP = 1

/**
 * index(): the items of a collection with their positions, as pairs or as a map by position. Any other object counts as
 * one item.
 */
class IndexStep extends Step {
  readonly operator = "index"
  readonly name = "IndexStep"
  readonly traits = scalar
  #indexer = INDEXER_LIST

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "with" && args[0] === INDEXER) {
      const indexer = integerArgument("with", args[1], "WithOptions.indexer value")
      if (indexer !== INDEXER_LIST && indexer !== INDEXER_MAP) {
        throw new TraversalInvalid(
          `WithOptions.indexer takes WithOptions.list (0) or WithOptions.map (1), but was given ${indexer}`
        )
      }
      this.#indexer = indexer
    } else super.modulate(operator, args, compiler)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#indexed(batch, activation))
  }

  *#indexed(batch: Batch, activation: Activation): Task {
    const values: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const map = this.#indexer === INDEXER_MAP ? new GremlinMap() : null
      const pairs: Array<unknown> = []
      let at = 0
      for (const item of localItems(batch.value(row, activation.transaction))) {
        if (map === null) pairs.push([item, at])
        else map.set(at, item)
        if (activation.slice.isOverAfter(++at)) yield
      }
      values.push(map ?? pairs)
    }
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }
}

/** The operator index(). */
export const indexSteps: Operators = { index: stepOperator(noParameters, () => new IndexStep()) }
