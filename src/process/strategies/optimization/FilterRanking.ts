import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { moveLabels } from "../StepInsertion.ts"
import { labelsReadIn } from "./PathRetraction.ts"

/**
 * Sorts adjacent filters by their cost, and moves them before dedup() and order(). As in TinkerPop, this is observable in
 * dedup().by(): of the elements with the same value it keeps the first that passes the filters. Labels of as() move to the
 * last of the filters, unless one of them reads the label. A filter that reads a label or holds a lambda stays behind the step before
 * it, and later filters may pass both. filter{closure} is not one of the filters.
 */
export const filterRanking: Strategy = {
  name: "FilterRankingStrategy",
  kind: "optimization",
  *apply(root, _configuration, { slice }) {
    const ranks = new Ranks(root)
    const waiting: Array<Traversal> = [root]
    for (let traversal = waiting.pop(); traversal !== undefined; traversal = waiting.pop()) {
      yield* rankIn(slice, traversal, ranks)
      for (const step of traversal.steps) {
        for (const child of step.localChildren()) waiting.push(child)
        for (const child of step.globalChildren()) waiting.push(child)
      }
    }
  }
}

function* rankIn(slice: TimeSlice, traversal: Traversal, ranks: Ranks): Task {
  const ordered: Array<Step> = []
  const filters = new RankedSteps()
  for (const step of traversal.steps) {
    if (slice.isOverNow()) yield
    const rank = ranks.of(step)
    if (rank === UNRANKED) {
      filters.moveTo(ordered)
      ordered.push(step)
      continue
    }
    const before = filters.last ?? ordered.at(-1)
    if (before !== undefined) {
      if (ranks.holdsLambda(step) || reads(step, before.labels)) filters.beginRun()
      else {
        moveLabels(before, step)
        if (!filters.joinsLastRun(rank) && labelsReadIn(step).size > 0) filters.beginRun()
      }
    }
    filters.add(step, rank)
    // The last step in the new order has the labels.
    if (filters.last !== step) moveLabels(step, filters.last!)
  }
  filters.moveTo(ordered)
  traversal.steps = ordered
}

/** The rank of steps that are never moved. */
const UNRANKED = 0
/** The highest rank. */
const HIGHEST_RANK = 10

/** Adjacent filters in a stable order by rank, and their last one. */
class Run {
  readonly #steps: Array<Array<Step>> = []

  get last(): Step {
    return this.#steps.at(-1)!.at(-1)!
  }

  add(step: Step, rank: number): void {
    while (this.#steps.length <= rank) this.#steps.push([])
    this.#steps[rank]!.push(step)
  }

  moveTo(ordered: Array<Step>): void {
    for (const steps of this.#steps) for (const step of steps) ordered.push(step)
  }
}

/**
 * Adjacent filters in the order in which they run. The first filter of each run but the first stays behind the runs before it. A filter
 * with a lower rank passes the run.
 */
class RankedSteps {
  #runs: Array<Run> = []
  #begins = true
  /** For each rank, the last run that does not begin with a filter of a higher rank. */
  #joined: Array<number> = []

  get last(): Step | undefined {
    return this.#runs.at(-1)?.last
  }

  /** The next filter begins a run. */
  beginRun(): void {
    this.#begins = true
  }

  joinsLastRun(rank: number): boolean {
    return this.#joined[rank] === this.#runs.length - 1
  }

  add(step: Step, rank: number): void {
    if (this.#begins) {
      this.#begins = false
      const least = this.#runs.length === 0 ? UNRANKED : rank
      for (let joining = least; joining <= HIGHEST_RANK; joining++) this.#joined[joining] = this.#runs.length
      this.#runs.push(new Run())
    }
    const run = this.#runs[this.#joined[rank]!]!
    const before = run === this.#runs.at(-1) ? undefined : run.last
    run.add(step, rank)
    if (before !== undefined && run.last === step) moveLabels(before, step)
  }

  moveTo(ordered: Array<Step>): void {
    for (const run of this.#runs) run.moveTo(ordered)
    this.#runs = []
    this.#joined = []
    this.#begins = true
  }
}

const reads = (step: Step, labels: readonly string[]): boolean => {
  if (labels.length === 0) return false
  const read = labelsReadIn(step)
  if (read.size === 0) return false
  return labels.some((label) => read.has(label))
}

/** The ranks of steps with their children. */
class Ranks {
  /** The ranks of steps with children. */
  readonly #known = new Map<Step, number>()
  /** Steps that hold lambdas, which may read any label, and their ancestors. */
  readonly #lambdas = new Set<Step>()

  constructor(root: Traversal) {
    root.visit((step) => {
      if (!step.holdsLambda) return
      for (let at: Step | null = step; at !== null && !this.#lambdas.has(at); at = at.traversal.parent) {
        this.#lambdas.add(at)
      }
    })
  }

  holdsLambda(step: Step): boolean {
    return this.#lambdas.has(step)
  }

  of(step: Step): number {
    let { rank } = step.traits
    if (rank === UNRANKED) return UNRANKED
    const children = step.localChildren()
    if (children.length === 0) return rank
    const before = this.#known.get(step)
    if (before !== undefined) return before
    for (const { steps } of children) {
      for (const inner of steps) rank = Math.max(rank, this.of(inner))
    }
    this.#known.set(step, rank)
    return rank
  }
}
