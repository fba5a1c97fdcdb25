import { VerificationFailed } from "../../language/Errors.ts"
import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../Strategy.ts"

/** Steps by name that give one result for everything that came: in a repeat() body they would wait for its own end. */
const reducing: ReadonlySet<string> = new Set(
  (
    "CountGlobalStep FoldStep SumGlobalStep MinGlobalStep MaxGlobalStep MeanGlobalStep GroupStep GroupCountStep TreeStep " +
    "SideEffectCapStep"
  ).split(" ")
)

/** Refuses what repeat() cannot hold: inject() anywhere below it, and reducing steps right in its body. */
export const standardVerification: Strategy = {
  name: "StandardVerificationStrategy",
  kind: "verification",
  apply: (root) => {
    root.visit((step) => {
      const { parent } = step.traversal
      if (step.name === "InjectStep" && isInRepeat(parent)) {
        throw new VerificationFailed(`The parent of inject()-step can not be repeat()-step: ${step}`)
      }
      if (
        reducing.has(step.name) &&
        parent?.operator === "repeat" &&
        parent.globalChildren().includes(step.traversal)
      ) {
        throw new VerificationFailed(
          `The parent of a reducing/supplying barrier can not be repeat()-step: ${step}. Put it in local(), or behind the repeat()`
        )
      }
    })
  }
}

const isInRepeat = (parent: Step | null): boolean => {
  for (let step = parent; step !== null; step = step.traversal.parent) if (step.operator === "repeat") return true
  return false
}
