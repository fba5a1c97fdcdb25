import { BranchGateStep } from "../steps/BranchGates.ts"
import { BranchStep } from "../steps/BranchStep.ts"
import { IdentityStep } from "../steps/MapSteps.ts"
import { UnionStep } from "../steps/UnionStep.ts"
import { holdsBarrier } from "../Traits.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * Makes the branches of union(), choose() and branch() wait for all rows where one of them has a barrier, and gives the
 * labels of such a step to a step behind it, since its rows leave from the ends of the branches.
 */
export const branchGates: Strategy = {
  name: "BranchGates",
  kind: "finalization",
  apply: (root) => {
    root.visit((step) => {
      if (!(step instanceof UnionStep || step instanceof BranchStep)) return
      const branches = step.globalChildren()
      // What goes past the options of choose() is a branch, too.
      if ((branches.length > 1 || step instanceof BranchStep) && branches.some(holdsBarrier)) {
        for (const branch of branches) branch.insert(0, new BranchGateStep())
      }
      if (step.labels.length === 0) return
      const end = new IdentityStep()
      end.labels = step.labels
      step.labels = []
      step.traversal.insert(step.traversal.steps.indexOf(step) + 1, end)
    })
  }
}
