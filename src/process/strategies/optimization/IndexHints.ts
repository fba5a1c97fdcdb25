import type { Strategy } from "../../plan/Strategy.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"

/**
 * Tells V(), E() and steps to edges the conditions of the has() steps right behind them, so that the store can answer by
 * an index.
 */
export const indexHints: Strategy = {
  name: "TinkerGraphStepStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visitTraversals(({ steps }) => {
      steps.forEach((step, place) => {
        const isVertexStep = step instanceof VertexStep && step.edges && step.edgeLabels !== null
        if (!isVertexStep && (!(step instanceof GraphStep) || step.ids.length > 0)) return
        let at = place + 1
        const conditions: Array<HasContainer> = []
        // One by one: there may be more of them than a call takes arguments.
        for (let next = steps[at]; next instanceof HasStep; next = steps[++at]) {
          for (const condition of next.conditions) conditions.push(condition)
        }
        step.conditions = conditions
      })
    })
  }
}
