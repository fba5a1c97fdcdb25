import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { RangeGlobalStep } from "../../steps/filter/RangeStep.ts"
import { moveLabels } from "../StepInsertion.ts"

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
  /** Steps behind `ordered` that a range may pass. */
  let passable: Array<Step> = []
  const end = (): void => {
    for (const step of passable) ordered.push(step)
    if (passable.length > 0) passable = []
  }
  for (const step of traversal.steps) {
    if (step.traits.limits === "pass") passable.push(step)
    // At the start of a child all of it would move, and nothing would be gained.
    else if (step instanceof RangeGlobalStep && passable.length > 0 && ordered.length > 0) {
      moveLabels(step, passable[passable.length - 1]!)
      ordered.push(step)
    } else {
      end()
      ordered.push(step)
    }
  }
  end()
  traversal.steps = ordered
}
