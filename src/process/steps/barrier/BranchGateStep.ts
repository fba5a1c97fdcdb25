import type { Step } from "../../plan/Step.ts"
import { internal } from "../../plan/StepTraits.ts"
import { BarrierStep } from "./BarrierStep.ts"

/** The step at the head of a branch that holds its rows until all have come. It is no barrier of the language. */
export class BranchGateStep extends BarrierStep {
  override readonly name: string = "BranchGateStep"
  override readonly traits = internal
  constructor() {
    super(null)
  }
}

/** True when the branches of a step wait for all rows: one of them has a barrier, so all are worked branch by branch. */
export const isGated = (step: Step): boolean =>
  step.globalChildren().some(({ first }) => first instanceof BranchGateStep)
