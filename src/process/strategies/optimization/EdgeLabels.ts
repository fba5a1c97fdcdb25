import { T } from "../../../structure/scalars/Enums.ts"
import { ConnectiveP, P, type Predicate } from "../../language/Predicate.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { moveLabels } from "../StepInsertion.ts"
import { inlineFilters } from "./InlineFilters.ts"

/**
 * Replaces outE().hasLabel("a") by outE("a"), which reads only these edges. It is a part of InlineFilterStrategy, as in TinkerPop,
 * but runs after FilterRankingStrategy, which moves such conditions before dedup() and order(). Only the first condition is replaced, as
 * there: a splitter of withSack() shows whether the step and one to vertices after it become one.
 */
export const edgeLabels: Strategy = {
  name: inlineFilters.name,
  kind: "optimization",
  apply: (root) => root.visitTraversals(fold)
}

const fold = (traversal: Traversal): void => {
  const steps: Array<Step> = []
  /** The step to edges before the has() steps of this place. */
  let edges: VertexStep | undefined
  let edgesAt = 0
  for (const step of traversal.steps) {
    if (edges === undefined || !(step instanceof HasStep)) {
      edges = step instanceof VertexStep && step.edges ? step : undefined
      edgesAt = steps.length
      steps.push(step)
      continue
    }
    const found = edges.edgeLabels === null ? labelsIn(step) : undefined
    if (found === undefined) {
      steps.push(step)
      continue
    }
    const labelled = new VertexStep(edges.operator, edges.direction, true, found.labels)
    moveLabels(edges, labelled)
    steps[edgesAt] = labelled
    edges = labelled
    if (found.others.length === 0) moveLabels(step, steps.at(-1)!)
    else {
      const rest = new HasStep(step.operator, found.others)
      moveLabels(step, rest)
      steps.push(rest)
    }
  }
  for (const step of steps) step.traversal = traversal
  traversal.steps = steps
}

/** The labels of the first condition that names them, and the other conditions; undefined if there is none. */
const labelsIn = (
  has: HasStep
): { readonly labels: readonly string[]; readonly others: Array<HasContainer> } | undefined => {
  for (const condition of has.conditions) {
    const labels = condition.key === T.label ? labelsOf(condition.predicate) : undefined
    if (labels === undefined) continue
    return { labels: [...labels], others: has.conditions.filter((other) => other !== condition) }
  }
  return undefined
}

/**
 * The labels that a predicate accepts; undefined if it accepts others, too. An empty within() stays a condition: without labels, a
 * step to edges looks like one over all labels.
 */
const labelsOf = (predicate: Predicate): ReadonlySet<string> | undefined => {
  if (predicate instanceof ConnectiveP) {
    if (predicate.operator !== "or") return undefined
    const labels = new Set<string>()
    for (const part of predicate.predicates) {
      const accepted = labelsOf(part)
      if (accepted === undefined) return undefined
      for (const label of accepted) labels.add(label)
    }
    return labels
  }
  if (!(predicate instanceof P)) return undefined
  const { operator, value } = predicate
  if (operator === "eq" && typeof value === "string") return new Set([value])
  if (operator !== "within" || !Array.isArray(value)) return undefined
  const labels = value.filter((label) => label !== null)
  return labels.length > 0 && labels.every((label) => typeof label === "string") ? new Set(labels) : undefined
}
