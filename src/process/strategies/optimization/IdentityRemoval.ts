import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { IdentityStep } from "../../steps/map/MapSteps.ts"

/**
 * Removes identity() steps without labels. A branch keeps one of them if it has no other step: rows of an empty branch would reach
 * the step after the branches before the results of earlier branches.
 */
export const identityRemoval: Strategy = {
  name: "IdentityRemovalStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visitTraversals((traversal) => {
      const { parent, steps } = traversal
      const kept = parent?.traits.children === "branches" && steps.every(isRemovable) ? steps[0] : undefined
      traversal.replaceEach((step) => (step !== kept && isRemovable(step) ? nothing : undefined))
    })
  }
}

const isRemovable = (step: Step): boolean => step instanceof IdentityStep && step.labels.length === 0

const nothing: ReadonlyArray<never> = []
