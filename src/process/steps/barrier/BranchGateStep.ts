import type { Step } from "../../plan/Step.ts"
import { internal } from "../../plan/StepTraits.ts"
import { BarrierStep } from "./BarrierStep.ts"

/** Holds the rows of a branch, at its head, until all rows have arrived. It is not a barrier() of the query. */
export class BranchGateStep extends BarrierStep {
  override readonly name: string = "BranchGateStep"
  override readonly traits = internal
  constructor() {
    super(null)
  }
}

/**
 * True if the branches of a step wait for all rows. This is so if a branch contains a barrier: the branches then run
 * one after another.
 */
export const isGated = (step: Step): boolean =>
  step.globalChildren().some(({ first }) => first instanceof BranchGateStep)
