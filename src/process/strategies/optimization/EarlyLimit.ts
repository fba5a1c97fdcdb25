import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { RangeGlobalStep } from "../../steps/filter/RangeStep.ts"
import { moveLabels } from "../StepInsertion.ts"

/**
 * Moves limit(), skip() and range() before steps that emit one object for each row, so that these process fewer rows. The
 * effects of sideEffect() and property() show it, as in TinkerPop.
 */
export const earlyLimit: Strategy = {
  name: "EarlyLimitStrategy",
  kind: "optimization",
  apply: (root) => root.visitTraversals(moveIn)
}

const moveIn = (traversal: Traversal): void => {
  const ordered: Array<Step> = []
  /** Steps after `ordered` before which a limit may move. */
  let passable: Array<Step> = []
  const end = (): void => {
    for (const step of passable) ordered.push(step)
    if (passable.length > 0) passable = []
  }
  for (const step of traversal.steps) {
    if (step.traits.limits === "pass") passable.push(step)
    // At the start of a child the move would save nothing.
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
