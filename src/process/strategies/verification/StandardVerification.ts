import { VerificationFailed } from "../../language/Errors.ts"
import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"

/**
 * Refuses two kinds of steps inside repeat(): steps that add their own rows, at any depth, and reducing steps directly in its
 * body, which would wait for the end of the loop.
 */
export const standardVerification: Strategy = {
  name: "StandardVerificationStrategy",
  kind: "verification",
  apply: (root) => {
    root.visit((step) => {
      const { parent } = step.traversal
      if (step.traits.results === "own" && isInRepeat(parent)) {
        throw new VerificationFailed(`The parent of ${step.operator}()-step can not be repeat()-step: ${step}`)
      }
      if (
        step.traits.results === "one" &&
        parent?.traits.children === "loop" &&
        parent.globalChildren().includes(step.traversal)
      ) {
        throw new VerificationFailed(
          `The parent of a reducing/supplying barrier can not be repeat()-step: ${step}. Put it in local(), or after the repeat()`
        )
      }
    })
  }
}

const isInRepeat = (parent: Step | null): boolean => {
  for (let step = parent; step !== null; step = step.traversal.parent) if (step.traits.children === "loop") return true
  return false
}
