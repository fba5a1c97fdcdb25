import type { Step } from "../Step.ts"
import { BarrierStep } from "../steps/BarrierStep.ts"
import { VertexStep } from "../steps/VertexStep.ts"
import { lookFrom } from "../Traits.ts"
import type { Traversal } from "../Traversal.ts"
import { needsOf } from "./IncidentToAdjacent.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * Puts a merging barrier before a step to neighbours that follows another one, where all rows are wanted, rows carry
 * nothing but elements, and nobody can tell whether equal ones were merged: then vertices that were reached on several
 * ways are walked from once.
 */
export const lazyBarriers: Strategy = {
  name: "LazyBarrierStrategy",
  kind: "finalization",
  apply: (root, _configuration, compiler) => {
    const { path, sack, sequential } = needsOf(root, compiler)
    if (path > 0 || sack || sequential || !compiler.bulk) return
    insertIn(root)
  }
}

const insertIn = (traversal: Traversal): void => {
  let multiplied = false
  for (let at = 0; at < traversal.steps.length; at++) {
    const step = traversal.steps[at]!
    if (merges(step)) multiplied = false
    if (!(step instanceof VertexStep)) continue
    const { orderShows, drains, dedups } = lookFrom(traversal, at + 1, true)
    if (multiplied && drains && (dedups || !orderShows)) traversal.insert(at++, new BarrierStep("refs"))
    multiplied = !step.edges
  }
}

/** After these no element comes twice. */
const merges = (step: Step): boolean => step.name === "DedupGlobalStep" || step.name === "NoOpBarrierStep"
