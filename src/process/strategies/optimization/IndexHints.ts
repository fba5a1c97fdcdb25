import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { ConnectiveStep } from "../../steps/filter/ConnectiveStep.ts"
import { HasPropertyStep } from "../../steps/filter/HasPropertyStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { MatchStep } from "../../steps/map/MatchStep.ts"

/**
 * Gives V(), E() and steps to edges the conditions of the has() steps directly after them, so that the store can use an index. There,
 * has() converts values to the types of the keys, as in JanusGraph. A barrier() between them changes nothing, as there. The patterns of a
 * match() that are only has() steps on these elements count, too.
 */
export const indexHints: Strategy = {
  name: "TinkerGraphStepStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visitTraversals(({ steps }) => {
      steps.forEach((step, place) => {
        const isElements = step instanceof GraphStep ? step.ids.length === 0 : step instanceof VertexStep && step.edges
        if (isElements) convertAfter(steps, place + 1, step instanceof GraphStep)
        if (step instanceof GraphStep) splitAfter(steps, place + 1)
        const isVertexStep = step instanceof VertexStep && step.edges && step.edgeLabels !== null
        if (!isVertexStep && (!(step instanceof GraphStep) || step.ids.length > 0)) return
        let at = place + 1
        const conditions: Array<HasContainer> = []
        // One by one, because there may be more conditions than a call can have arguments.
        for (let next = steps[at]; next instanceof HasStep || next instanceof BarrierStep; next = steps[++at]) {
          if (next instanceof HasStep) for (const condition of next.conditions) conditions.push(condition)
        }
        if (place === 0 && step.traversal.parent === null) {
          for (const condition of conditionsOfMatch(steps, at)) conditions.push(condition)
        }
        step.conditions = conditions
      })
    })
  }
}

/**
 * The conditions on the elements of a V() or E() at the start of a traversal, whose patterns may be in a match() at a place. Nothing is
 * bound before these elements.
 */
const conditionsOfMatch = (steps: ReadonlyArray<Step>, at: number): ReadonlyArray<HasContainer> => {
  const match = steps[at]
  if (!(match instanceof MatchStep)) return []
  const conditions = match.conditionsOf(new Set(steps.slice(0, at).flatMap(({ labels }) => labels)))
  for (const condition of conditions) condition.converts = condition.splits = true
  return conditions
}

/** Lets the has() steps from a place on convert their values, up to the first other step. `nested`: also those in and() and or(). */
const convertAfter = (steps: ReadonlyArray<Step>, from: number, nested: boolean): void => {
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]!
    if (step instanceof HasStep) for (const condition of step.conditions) condition.converts = true
    else if (step instanceof ConnectiveStep && nested) {
      for (const child of step.localChildren()) convertAfter(child.steps, 0, true)
    } else if (!(step instanceof HasPropertyStep || step instanceof BarrierStep)) return
  }
}

/** Lets the has() steps from a place on split their and(), up to the first other step. */
const splitAfter = (steps: ReadonlyArray<Step>, from: number): void => {
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]!
    if (step instanceof HasStep) for (const condition of step.conditions) condition.splits = true
    else if (!(step instanceof HasPropertyStep || step instanceof BarrierStep)) return
  }
}
