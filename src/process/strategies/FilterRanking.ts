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
  apply: (root) => root.visitTraversals(rankIn)
}

const rankIn = (traversal: Traversal): void => {
  const ordered: Array<Step> = []
  let filters: Array<Ranked> = []
  const end = (): void => {
    for (const { step } of filters) ordered.push(step)
    filters = []
  }
  for (const step of traversal.steps) {
    const rank = rankOf(step)
    const before = filters.at(-1)?.step ?? ordered.at(-1)
    if (rank === UNRANKED) end()
    if (rank === UNRANKED || before === undefined) {
      if (rank === UNRANKED) ordered.push(step)
      else filters.push({ step, rank })
      continue
    }
    if (reads(step, before.labels)) end()
    else moveLabels(before, step)
    insert(filters, { step, rank })
  }
  end()
  traversal.steps = ordered
}

interface Ranked {
  readonly step: Step
  readonly rank: number
}

/** Behind all that are as cheap; the labels of the last stay with the last. */
const insert = (filters: Array<Ranked>, filter: Ranked): void => {
  let from = 0
  let to = filters.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (filters[middle]!.rank <= filter.rank) from = middle + 1
    else to = middle
  }
  filters.splice(from, 0, filter)
  const last = filters[filters.length - 1]!.step
  if (last !== filter.step) moveLabels(filter.step, last)
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
