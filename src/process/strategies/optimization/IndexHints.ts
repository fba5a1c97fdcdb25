import type { Strategy } from "../../plan/Strategy.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"

/**
 * Gives V(), E() and steps to edges the conditions of the has() steps directly after them, so that the store can use an index.
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
        // One by one, because there may be more conditions than a call can have arguments.
        for (let next = steps[at]; next instanceof HasStep; next = steps[++at]) {
          for (const condition of next.conditions) conditions.push(condition)
        }
        step.conditions = conditions
      })
    })
  }
}
