import type { Predicate } from "../../language/Predicate.ts"
import { ConnectiveP, P } from "../../language/Predicate.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { ConnectiveStep } from "../../steps/filter/ConnectiveStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { meets } from "../optimization/IncidentToAdjacent.ts"

/**
 * Whether TinkerPop splits a traverser at a step.
 * - `splits`: yes, as at any other step of its kind.
 * - `joins`: no. It has one step for this one and a later one, as for outE().hasLabel('knows').inV(), and splits only there.
 * - `unknown`: it may have one step for both.
 */
export type EdgeSplit = "splits" | "joins" | "unknown"

/**
 * What TinkerPop does at a step to edges with filters of their labels, which it makes labels of the step. It then joins the step
 * with a step to vertices that follows. Here the filters stay, because their values are parameters of the plan.
 */
export const splitOfEdges = ({ steps }: Traversal, at: number): EdgeSplit => {
  const edges = steps[at]!
  if (!(edges instanceof VertexStep) || !edges.edges || edges.edgeLabels !== null || edges.labels.length > 0) {
    return "splits"
  }
  let next = at + 1
  let split: EdgeSplit = "joins"
  for (; steps[next] !== undefined && steps[next]!.traits.filter !== "no"; next++) {
    const filter = steps[next]!
    if (filter.labels.length > 0 || !isOfLabels(filter)) return "splits"
    if (next > at + 1 || !(filter instanceof HasStep) || filter.conditions.length > 1) split = "unknown"
  }
  return next > at + 1 && steps[next] !== undefined && meets(edges, steps[next]!) ? split : "splits"
}

/** Whether TinkerPop may make labels of a step to edges of all of a filter. */
const isOfLabels = (filter: Step): boolean => {
  if (filter instanceof HasStep) return filter.conditions.every(isOfLabel)
  return (
    filter instanceof ConnectiveStep &&
    filter.localChildren().every(({ steps }) => steps.every((step) => step instanceof HasStep && isOfLabels(step)))
  )
}

const isOfLabel = ({ key, predicate }: HasContainer): boolean =>
  key !== null && typeof key !== "string" && key.name === "label" && namesLabels(predicate)

const namesLabels = (predicate: Predicate): boolean => {
  if (predicate instanceof P) return predicate.operator === "eq" || predicate.operator === "within"
  return (
    predicate instanceof ConnectiveP &&
    predicate.operator === "or" &&
    predicate.predicates.every((part) => part instanceof P && part.operator === "eq")
  )
}
