import { childrenOf, type Step, type Traversal } from "./Step.ts"

/** True for TinkerPop's barriers. */
export const isBarrier = (step: Step): boolean => step.traits.gathers !== "nothing"

/** True if a traversal of a linked plan, or any of its descendants, has a barrier. */
export const holdsBarrier = (traversal: Traversal): boolean => {
  let holds = holding.get(traversal)
  if (holds === undefined) {
    holds = traversal.steps.some((step) => isBarrier(step) || childrenOf(step).some(holdsBarrier))
    holding.set(traversal, holds)
  }
  return holds
}
const holding = new WeakMap<Traversal, boolean>()
