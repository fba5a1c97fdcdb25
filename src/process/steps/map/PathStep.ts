import type { Path } from "../../../structure/elements/Path.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { mapping } from "../../plan/StepTraits.ts"
import { modulatePaths } from "../shared/ModulatedPaths.ts"
import { PathPartStep } from "../shared/PathPartStep.ts"

const traits = mapping({ limits: "pass", labels: "none", children: "asked" })

/** path(): the path of the traverser. The by() modulators apply to its objects in turn. */
class PathStep extends PathPartStep {
  readonly operator = "path"
  readonly name = "PathStep"
  readonly traits = traits

  override run(batch: Batch, activation: Activation): undefined {
    const paths = new Array<Path>(batch.length)
    for (let row = 0; row < paths.length; row++) paths[row] = this.part(batch.path?.[row] ?? null, activation)
    if (this.modulators.length === 0) {
      activation.emitData(this, batch, null, VALUE, paths, paths.length)
      return
    }
    modulatePaths(this.modulators, paths, activation, (rows, values) => {
      activation.emitData(this, batch, rows, VALUE, values, values.length)
    })
  }
}

/** The operator path(). */
export const pathSteps: Operators = {
  path: stepOperator(noParameters, (args) => {
    if (args.length > 0) throw new TraversalInvalid("path() takes no arguments; use by() to shape its objects")
    return new PathStep()
  })
}
