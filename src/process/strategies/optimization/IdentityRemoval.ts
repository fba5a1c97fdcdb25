import type { Strategy } from "../../plan/Strategy.ts"
import { IdentityStep } from "../../steps/map/MapSteps.ts"

/** Removes identity() steps without labels. */
export const identityRemoval: Strategy = {
  name: "IdentityRemovalStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visitTraversals((traversal) => {
      traversal.replaceEach((step) => (step instanceof IdentityStep && step.labels.length === 0 ? nothing : undefined))
    })
  }
}

const nothing: ReadonlyArray<never> = []
