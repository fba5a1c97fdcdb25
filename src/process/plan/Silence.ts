import type { PlanSummary } from "./Activation.ts"
import { childrenOf, type Step, type Traversal } from "./Step.ts"
import type { StepTraits } from "./StepTraits.ts"

// Whether steps may run in another order, or not at all, without a visible difference.

/** True for a traversal without effects and randomness, its children included. */
export const isSilent = ({ steps }: Traversal): boolean => steps.every(isSilentStep)

/** True for a step without effects and randomness, its children included. */
export const isSilentStep = (step: Step): boolean =>
  (step.traits.work === "streams" || collects(step.traits)) && childrenOf(step).every(isSilent)

/**
 * True for a traversal that has an effect or draws at random, its children included. Closures do not count: they are called once for
 * a bulk, which they can read. Neither do fail() and timeLimit(), which do the same for a bulk.
 */
const acts = (traversal: Traversal): boolean => {
  let known = acting.get(traversal)
  if (known === undefined) {
    known = traversal.steps.some(
      (step) =>
        (step.traits.work === "acts" && !step.callsClosure && !step.ignoresCount) ||
        step.draws ||
        childrenOf(step).some(acts)
    )
    acting.set(traversal, known)
  }
  return known
}
const acting = new WeakMap<Traversal, boolean>()

/**
 * Whether a step takes each traverser of a bulk on its own, because a child that it runs for each of them acts. Where merging shows,
 * equal traversers that have met are one, as in TinkerPop.
 */
export const takesEach = (step: Step, { mergingShows }: PlanSummary): boolean =>
  !mergingShows && step.childrenRun().some((child) => acts(child) && step.splitsFor(child))

/** True for a step that keeps rows and has no effect outside its traversal. */
export const collects = ({ work }: StepTraits): boolean => work === "collects" || work === "tallies"

/** True for a step that works row by row and without effects, the steps of its branches included. */
export const streams = (step: Step): boolean =>
  step.traits.work === "streams" &&
  step.localChildren().every(isSilent) &&
  step.globalChildren().every((branch) => branch.steps.every(streams))

/** True for a streaming step without children: a barrier before it has the same use as a barrier after it. */
export const passes = (step: Step): boolean => step.traits.work === "streams" && step.traits.children === "none"
