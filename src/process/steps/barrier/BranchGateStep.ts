import type { Step } from "../../plan/Step.ts"
import { holding } from "../../plan/StepTraits.ts"
import { BarrierStep } from "./BarrierStep.ts"

/** Not a barrier of the language: rows wait for their branch. */
const traits = holding({
  work: "ordered",
  scout: "runs",
  gathers: "nothing",
  limits: "stay",
  rank: 0,
  merging: "none",
  children: "none"
})

/** The step at the head of a branch that holds its rows until all have come. */
export class BranchGateStep extends BarrierStep {
  override readonly name: string = "BranchGateStep"
  override readonly traits = traits
  constructor() {
    super(null)
  }
}

/** True when the branches of a step wait for all rows: one of them has a barrier, so all are worked branch by branch. */
export const isGated = (step: Step): boolean =>
  step.globalChildren().some(({ first }) => first instanceof BranchGateStep)
