import type { PlanSummary } from "./Activation.ts"
import { childrenOf, type Step, type Traversal } from "./Step.ts"

/**
 * True for a traversal of a linked plan whose results may be endless, or which may run endlessly after some results: it has a
 * repeat() with no barrier after it that takes in all rows.
 */
export const mayBeEndless = (traversal: Traversal, plan: PlanSummary): boolean => {
  let endless = endlessness.get(traversal)
  if (endless === undefined) {
    endless = false
    for (const step of traversal.steps) {
      if (step.traits.gathers === "all") endless = false
      else if (step.isEndless(plan) || childrenGivenOn(step).some((child) => mayBeEndless(child, plan))) endless = true
    }
    endlessness.set(traversal, endless)
  }
  return endless
}
const endlessness = new WeakMap<Traversal, boolean>()

/** Children whose results the step emits. */
const childrenGivenOn = (step: Step): ReadonlyArray<Traversal> => {
  const { children } = step.traits
  return children === "given" || children === "flowing" || children === "local"
    ? childrenOf(step)
    : step.globalChildren()
}
