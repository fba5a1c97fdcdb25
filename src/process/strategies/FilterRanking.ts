import type { Step } from "../Step.ts"
import { WherePredicateStep } from "../steps/WherePredicateStep.ts"
import type { Traversal } from "../Traversal.ts"
import { moveLabels } from "./Inserting.ts"
import { isWhereWithVariables, labelsReadIn } from "./PathRetraction.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * Cheaper filters come before dearer ones, and both before dedup() and order(), as in TinkerPop, where it shows what
 * dedup().by() leaves: of elements with the same value the first that passes the filters. Labels of as() go along to the
 * last of the filters, unless one of them reads the label.
 */
export const filterRanking: Strategy = {
  name: "FilterRankingStrategy",
  kind: "optimization",
  apply: (root) => {
    rankIn(root)
    root.visit((step) => {
      for (const child of [...step.localChildren(), ...step.globalChildren()]) rankIn(child)
    })
  }
}

const rankIn = (traversal: Traversal): void => {
  const { steps } = traversal
  for (let changed = true; changed; ) {
    changed = false
    for (let at = 0; at + 1 < steps.length; at++) {
      const step = steps[at]!
      const next = steps[at + 1]!
      const nextRank = rankOf(next)
      if (nextRank === UNRANKED || reads(next, step.labels)) continue
      if (step.labels.length > 0) {
        moveLabels(step, next)
        changed = true
      }
      if (rankOf(step) > nextRank) {
        steps[at] = next
        steps[at + 1] = step
        changed = true
      }
    }
  }
}

const reads = (step: Step, labels: readonly string[]): boolean => {
  if (labels.length === 0) return false
  const read = labelsReadIn(step)
  return labels.some((label) => read.has(label))
}

/** Steps that do not change places. */
const UNRANKED = 0

const ranks: Readonly<Record<string, number>> = {
  IsStep: 1,
  HasStep: 2,
  HasPropertyStep: 4,
  TraversalFilterStep: 4,
  NotStep: 4,
  OrStep: 6,
  AndStep: 7,
  DedupGlobalStep: 9,
  OrderGlobalStep: 10
}

const rankOf = (step: Step): number => {
  const own = ownRank(step)
  if (own === UNRANKED) return UNRANKED
  return Math.max(own, ...step.localChildren().flatMap(({ steps }) => steps.map(rankOf)))
}

const ownRank = (step: Step): number => {
  if (step instanceof WherePredicateStep) return step.bys().length === 0 ? 3 : 8
  return isWhereWithVariables(step) ? 5 : (ranks[step.name] ?? UNRANKED)
}
