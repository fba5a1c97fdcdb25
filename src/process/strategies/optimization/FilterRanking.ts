import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { moveLabels } from "../StepInsertion.ts"
import { labelsReadIn } from "./PathRetraction.ts"

/**
 * Sorts adjacent filters by their cost, and moves them before dedup() and order(). As in TinkerPop, this is observable in
 * dedup().by(): of the elements with the same value it keeps the first that passes the filters. Labels of as() move to the
 * last of the filters, unless one of them reads the label.
 */
export const filterRanking: Strategy = {
  name: "FilterRankingStrategy",
  kind: "optimization",
  *apply(root, _configuration, { slice }) {
    const ranksOfChildren = new Map<Step, number>()
    const waiting: Array<Traversal> = [root]
    for (let traversal = waiting.pop(); traversal !== undefined; traversal = waiting.pop()) {
      yield* rankIn(slice, traversal, ranksOfChildren)
      for (const step of traversal.steps) {
        for (const child of step.localChildren()) waiting.push(child)
        for (const child of step.globalChildren()) waiting.push(child)
      }
    }
  }
}

function* rankIn(slice: TimeSlice, traversal: Traversal, known: Map<Step, number>): Task {
  const ordered: Array<Step> = []
  const filters = new RankedSteps()
  for (const step of traversal.steps) {
    if (slice.isOverNow()) yield
    const rank = rankOf(step, known)
    if (rank === UNRANKED) {
      filters.moveTo(ordered)
      ordered.push(step)
      continue
    }
    const before = filters.last ?? ordered.at(-1)
    if (before !== undefined) {
      if (reads(step, before.labels)) filters.moveTo(ordered)
      else moveLabels(before, step)
    }
    filters.add(step, rank)
    // The last step in the new order has the labels.
    if (filters.last !== step) moveLabels(step, filters.last!)
  }
  filters.moveTo(ordered)
  traversal.steps = ordered
}

/** Adjacent filters in a stable order by rank. */
class RankedSteps {
  /** The filters of each rank. */
  #steps: Array<Array<Step>> = []

  get last(): Step | undefined {
    return this.#steps.at(-1)?.at(-1)
  }

  add(step: Step, rank: number): void {
    while (this.#steps.length <= rank) this.#steps.push([])
    this.#steps[rank]!.push(step)
  }

  moveTo(ordered: Array<Step>): void {
    for (const steps of this.#steps) for (const step of steps) ordered.push(step)
    if (this.#steps.length > 0) this.#steps = []
  }
}

const reads = (step: Step, labels: readonly string[]): boolean => {
  if (labels.length === 0) return false
  const read = labelsReadIn(step)
  if (read.size === 0) return false
  return labels.some((label) => read.has(label))
}

/** The rank of steps that are never moved. */
const UNRANKED = 0

/** The rank of a step with its children. `known` caches the ranks of steps with children. */
const rankOf = (step: Step, known: Map<Step, number>): number => {
  let { rank } = step.traits
  if (rank === UNRANKED) return UNRANKED
  const children = step.localChildren()
  if (children.length === 0) return rank
  const before = known.get(step)
  if (before !== undefined) return before
  for (const { steps } of children) {
    for (const inner of steps) rank = Math.max(rank, rankOf(inner, known))
  }
  known.set(step, rank)
  return rank
}
