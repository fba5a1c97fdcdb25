import type { Task } from "../../../scheduling/Task.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { mapping, type StepTraits } from "../../plan/StepTraits.ts"
import { modulatedPaths } from "../shared/ModulatedPaths.ts"
import { PathPartStep } from "../shared/PathPartStep.ts"

const traits = mapping({ limits: "pass", labels: "none", children: "asked" })
/** A by() may give nothing, so that the row is filtered out: a limit must count the results. */
const modulated: StepTraits = { ...traits, limits: "stay" }

/** path(): the path of the traverser. The by() modulators apply to its objects in turn. */
class PathStep extends PathPartStep {
  readonly operator = "path"
  readonly name = "PathStep"

  get traits(): StepTraits {
    return this.modulators.length === 0 ? traits : modulated
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#shaped(batch, activation))
  }

  *#shaped(batch: Batch, activation: Activation): Task {
    const parts = yield* this.parts(batch, activation)
    if (this.modulators.length === 0) activation.emitData(this, batch, null, VALUE, parts, parts.length)
    else {
      const { paths, rows } = yield* modulatedPaths(this.modulators, parts, activation)
      activation.emitData(this, batch, rows, VALUE, paths, paths.length)
    }
  }
}

/** The operator path(). */
export const pathSteps: Operators = {
  path: stepOperator(noParameters, (args) => {
    if (args.length > 0) throw new TraversalInvalid("path() takes no arguments; use by() to shape its objects")
    return new PathStep()
  })
}
