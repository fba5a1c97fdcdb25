import { isBarrier } from "../../plan/Barriers.ts"
import type { Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { BranchGateStep } from "../../steps/barrier/BranchGateStep.ts"
import { BranchStep } from "../../steps/branch/BranchStep.ts"
import { UnionStep } from "../../steps/branch/UnionStep.ts"
import { IdentityStep } from "../../steps/map/MapSteps.ts"

/**
 * Makes all branches of union(), choose() and branch() wait for all rows if one of them has a barrier. Moves the labels of such
 * a step to a step after it, because its rows leave from the ends of the branches.
 */
export const branchGates: Strategy = {
  name: "BranchGates",
  kind: "finalization",
  apply: (root) => {
    const holding = new Set<Traversal>()
    root.visit((step) => {
      if (isBarrier(step)) hold(step.traversal, holding)
    })
    root.visitTraversals((traversal) => {
      traversal.replaceEach((step) => {
        if (!(step instanceof UnionStep || step instanceof BranchStep)) return undefined
        const branches = step.globalChildren()
        // choose() has one more branch: the rows without an option.
        if ((branches.length > 1 || step instanceof BranchStep) && branches.some((branch) => holding.has(branch))) {
          for (const branch of branches) branch.insert(0, new BranchGateStep())
        }
        if (step.labels.length === 0) return undefined
        const end = new IdentityStep()
        end.labels = step.labels
        step.labels = []
        return [step, end]
      })
    })
  }
}

/** Adds a traversal with a barrier, and all traversals that contain it. */
const hold = (traversal: Traversal, holding: Set<Traversal>): void => {
  for (let at: Traversal | undefined = traversal; at !== undefined && !holding.has(at); at = at.parent?.traversal) {
    holding.add(at)
  }
}
