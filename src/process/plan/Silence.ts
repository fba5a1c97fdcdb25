import { childrenOf, type Step, type Traversal } from "./Step.ts"
import type { StepTraits } from "./StepTraits.ts"

// Whether steps may run in another order, or not at all, without a visible difference.

/** True for a traversal without effects and randomness, its children included. */
export const isSilent = ({ steps }: Traversal): boolean => steps.every(isSilentStep)

/** True for a step without effects and randomness, its children included. */
export const isSilentStep = (step: Step): boolean =>
  (step.traits.work === "streams" || collects(step.traits)) && childrenOf(step).every(isSilent)

/** True for a step that keeps rows and has no effect outside its traversal. */
export const collects = ({ work }: StepTraits): boolean => work === "collects" || work === "tallies"

/** True for a step that works row by row and without effects, the steps of its branches included. */
export const streams = (step: Step): boolean =>
  step.traits.work === "streams" &&
  step.localChildren().every(isSilent) &&
  step.globalChildren().every((branch) => branch.steps.every(streams))

/** True for a streaming step without children: a barrier before it has the same use as a barrier after it. */
export const passes = (step: Step): boolean => step.traits.work === "streams" && step.traits.children === "none"
