import { GraphStep } from "../steps/GraphStep.ts"
import { HasStep } from "../steps/HasStep.ts"
import { VertexStep } from "../steps/VertexStep.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * Tells V(), E() and steps to edges the conditions of the has() steps right behind them, so that the store can answer by
 * an index.
 */
export const indexHints: Strategy = {
  name: "TinkerGraphStepStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visit((step) => {
      const isVertexStep = step instanceof VertexStep && step.edges && step.edgeLabels !== null
      if (!isVertexStep && (!(step instanceof GraphStep) || step.ids.length > 0)) return
      const { steps } = step.traversal
      let at = steps.indexOf(step) + 1
      const conditions = []
      for (let next = steps[at]; next instanceof HasStep; next = steps[++at]) conditions.push(...next.conditions)
      step.conditions = conditions
    })
  }
}
