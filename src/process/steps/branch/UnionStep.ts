import type { Activation } from "../../plan/Activation.ts"
import { type Batch, slice, VALUE } from "../../plan/Batch.ts"
import { downstreamOf } from "../../plan/Downstream.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { filtering, flattening } from "../../plan/StepTraits.ts"
import { isGated } from "../barrier/BranchGateStep.ts"
import { IdentityStep } from "../map/MapSteps.ts"

const traits = flattening({ results: "perRow", keepsObject: true, children: "branches" })

/**
 * union(): every row enters every branch. The results of a row are emitted together, branch by branch. If a branch has
 * a barrier, all results of one branch are emitted before those of the next.
 */
export class UnionStep extends Step {
  readonly operator = "union"
  readonly name = "UnionStep"
  readonly traits = traits
  #branches: Array<Traversal>

  constructor(branches: readonly unknown[], isStart: boolean, compiler: PlanBuilder) {
    super()
    const built = (branch: Traversal): void => {
      if (isStart) branch.add(new StartFilterStep())
      // An empty branch needs a step for the order of the results; see IdentityRemoval.ts.
      else if (branch.steps.length === 0) branch.add(new IdentityStep())
    }
    this.#branches = branches.map((branch) => compiler.child(branch, this, built))
  }

  override globalChildren(): ReadonlyArray<Traversal> {
    return this.#branches
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    this.#branches = this.#branches.map((branch) => (branch === from ? to : branch))
  }

  override goesOneByOne(batch: Batch, activation: Activation): boolean {
    return batch.length > 1 && !isFreeOrder(this, batch, activation)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    if (batch.length === 1 || isFreeOrder(this, batch, activation)) {
      for (const branch of this.#branches) activation.enterBranch(this, branch, batch)
      return true
    }
    const row = activation.cursor(this).row++
    const one = slice(batch, row, row + 1)
    for (const branch of this.#branches) activation.enterBranch(this, branch, one)
    return row + 1 >= batch.length
  }

  override describe(): string {
    return this.#branches.map(String).join(", ")
  }
}

/** True if all rows of a batch may enter the branches of a step together, because their order is not observable. */
export const isFreeOrder = (step: Step, batch: Batch, activation: Activation): boolean => {
  if (activation.scout !== null || isGated(step) || !downstreamOf(step, activation.plan).orderShows) return true
  // In a child traversal, results of different origins are kept apart, so only the order within an origin is
  // observable.
  const { origin } = batch
  if (origin === null) return false
  for (let row = 1; row < batch.length; row++) if (origin[row]! <= origin[row - 1]!) return false
  return true
}

const starting = filtering({ filter: "no", rank: 0, labels: "none", children: "none" })

/**
 * Ends the branches of a union() at the start of a traversal: it drops the traverser that starts the run, which is not
 * a result.
 */
class StartFilterStep extends Step {
  readonly operator = "union"
  readonly name = "StartFilterStep"
  readonly traits = starting

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { data, length } = batch
    const rows = activation.run.scratch.rows(length)
    let kept = 0
    for (let row = 0; row < length; row++) if (batch.kind !== VALUE || data[row] !== undefined) rows[kept++] = row
    activation.emitRows(this, batch, rows, kept)
  }
}

/** The operator union(). */
export const unionSteps: Operators = {
  union: stepOperator(
    noParameters,
    (args, compiler, traversal) =>
      new UnionStep(args, compiler.root === traversal && traversal.steps.length === 0, compiler)
  )
}
