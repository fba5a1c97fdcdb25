import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { ConnectiveStep } from "../../steps/filter/ConnectiveStep.ts"
import { HasPropertyStep } from "../../steps/filter/HasPropertyStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { OrderGlobalStep } from "../../steps/map/OrderGlobalStep.ts"

/**
 * Marks the order() steps that JanusGraph makes part of V() or E(): those with only has() between them, also in and() and or(). There
 * they keep the elements without a key. The graph says whether it does so.
 */
export const foldedOrders: Strategy = {
  name: "JanusGraphStepStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visitTraversals(({ steps }) => {
      steps.forEach((step, place) => {
        if (step instanceof GraphStep && step.ids.length === 0) fold(steps, place, step.element)
      })
    })
  }
}

const fold = (steps: ReadonlyArray<Step>, source: number, element: "vertex" | "edge"): void => {
  let last: OrderGlobalStep | null = null
  for (let at = source + 1; at < steps.length; at++) {
    const step = steps[at]!
    if (step instanceof OrderGlobalStep) {
      if (last !== null) last.isSuperseded = true
      step.folded = element
      last = step
    } else if (!(step instanceof BarrierStep || isCondition(step))) return
  }
}

/** Whether a step only tests properties, as has() does. */
const isCondition = (step: Step): boolean =>
  step instanceof HasStep ||
  (step instanceof HasPropertyStep && step.operator === "has") ||
  (step instanceof ConnectiveStep && step.localChildren().every(tests))

const tests = ({ steps }: Traversal): boolean => steps.length > 0 && steps.every(isCondition)
