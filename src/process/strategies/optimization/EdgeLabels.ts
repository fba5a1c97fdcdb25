import { T } from "../../../structure/Enums.ts"
import { ConnectiveP, P, type Predicate } from "../../language/Predicate.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { moveLabels } from "../StepInsertion.ts"
import { inlineFilters } from "./InlineFilters.ts"

/**
 * Replaces outE().hasLabel("a") by outE("a"), which reads only these edges. It is a part of InlineFilterStrategy, as in TinkerPop,
 * but runs after FilterRankingStrategy, which moves such conditions before dedup() and order().
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
    const { labels, rest } = taken(edges.edgeLabels, step)
    if (labels !== edges.edgeLabels) {
      const labelled = new VertexStep(edges.operator, edges.direction, true, labels)
      moveLabels(edges, labelled)
      steps[edgesAt] = labelled
      edges = labelled
    }
    if (rest !== undefined) steps.push(rest)
    else moveLabels(step, steps.at(-1)!)
  }
  if (steps.length === traversal.steps.length && steps.every((step, at) => step === traversal.steps[at])) return
  for (const step of steps) step.traversal = traversal
  traversal.steps = steps
}

/** The labels of edges that pass the conditions on labels, and a has() with the other conditions; undefined if there are none. */
const taken = (
  before: readonly string[] | null,
  has: HasStep
): { readonly labels: readonly string[] | null; readonly rest: HasStep | undefined } => {
  let labels = before
  const others = has.conditions.filter(({ key, predicate }) => {
    const allowed = key === T.label ? labelsOf(predicate) : undefined
    if (allowed === undefined) return true
    labels = labels === null ? [...allowed] : labels.filter((label) => allowed.has(label))
    return false
  })
  if (others.length === has.conditions.length) return { labels, rest: has }
  if (others.length === 0) return { labels, rest: undefined }
  const rest = new HasStep(has.operator, others)
  moveLabels(has, rest)
  return { labels, rest }
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
