import type { Step } from "../Step.ts"
import { RangeGlobalStep } from "../steps/RangeStep.ts"
import type { Traversal } from "../Traversal.ts"
import { moveLabels } from "./Inserting.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * limit(), skip() and range() come before the steps in front of them that give one object for each, so that those work on
 * no more than what is asked for. It shows in what sideEffect() and property() have done.
 */
export const earlyLimit: Strategy = {
  name: "EarlyLimitStrategy",
  kind: "optimization",
  apply: (root) => root.visitTraversals(moveIn)
}

const moveIn = (traversal: Traversal): void => {
  const ordered: Array<Step> = []
  /** How many steps at the end of `ordered` a range may pass. */
  let passable = 0
  for (const step of traversal.steps) {
    // At the start of a child all of it would move, and nothing would be gained.
    if (step instanceof RangeGlobalStep && passable > 0 && passable < ordered.length) {
      moveLabels(step, ordered[ordered.length - 1]!)
      ordered.splice(ordered.length - passable, 0, step)
      continue
    }
    ordered.push(step)
    passable = single.has(step.name) ? passable + 1 : 0
  }
  traversal.steps = ordered
}

/** Steps that give one object for each, and those that let it pass. */
const single: ReadonlySet<string> = new Set([
  "AddPropertyStep",
  "ConstantStep",
  "CountLocalStep",
  "EdgeOtherVertexStep",
  "ElementMapStep",
  "FailStep",
  "IdStep",
  "LabelStep",
  "MathStep",
  "OrderLocalStep",
  "PathStep",
  "ProjectStep",
  "PropertyKeyStep",
  "PropertyMapStep",
  "PropertyValueStep",
  "SackStep",
  "SampleLocalStep",
  "TraversalSideEffectStep"
])
