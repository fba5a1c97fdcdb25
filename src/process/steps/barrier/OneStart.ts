import { ROW_BYTES } from "../../machine/RowBuffer.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { type Batch, slice } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { internal } from "../../plan/StepTraits.ts"

/**
 * Stands before union(), choose() or branch(): each row passes through the branches, and their barriers, before the next row
 * enters. TinkerPop, which calls a traverser that enters a step a start, iterates the branches so unless a barrier of the query
 * stands in one of them.
 */
export class OneStartEntryStep extends Step {
  readonly operator = "barrier"
  readonly name = "OneStartEntryStep"
  readonly traits = internal
  readonly #end: OneStartEndStep

  constructor(end: OneStartEndStep) {
    super()
    this.#end = end
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    if (activation.scout !== null) {
      activation.pass(this, batch)
      return
    }
    activation.run.hold(batch.length * ROW_BYTES)
    activation.group(this.#end, batch.loops).cells.push(batch)
  }
}

/**
 * Stands after the branches. The rows that have not entered them wait as the barrier of this step, and not of the one before them: barriers
 * are flushed in the order of the plan, so the next row enters after the barriers of the branches are empty.
 */
export class OneStartEndStep extends Step {
  readonly operator = "barrier"
  readonly name = "OneStartEndStep"
  readonly traits = internal
  readonly #branching: Step

  constructor(branching: Step) {
    super()
    this.#branching = branching
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    activation.pass(this, batch)
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    const cells = group.cells as Array<Batch>
    const first = cells[0]!
    const row = group.cursor++
    activation.push(this.#branching.index, first.length === 1 ? first : slice(first, row, row + 1))
    if (group.cursor < first.length) return false
    activation.run.hold(-first.length * ROW_BYTES)
    cells.shift()
    group.cursor = 0
    return cells.length === 0
  }
}
