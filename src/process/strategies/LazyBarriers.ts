import type { Step } from "../Step.ts"
import { BarrierStep } from "../steps/BarrierStep.ts"
import { GraphStep } from "../steps/GraphStep.ts"
import { HasStep } from "../steps/HasStep.ts"
import { RepeatStep } from "../steps/RepeatStep.ts"
import { VertexStep } from "../steps/VertexStep.ts"
import { type Downstream, isBarrier, lookFrom, passes } from "../Traits.ts"
import type { Traversal } from "../Traversal.ts"
import { needsOf } from "./IncidentToAdjacent.ts"
import { moveLabels } from "./Inserting.ts"
import { processesPaths, readBehind } from "./PathRetraction.ts"
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
    const merges = !compiler.bulk || (compiler.sack !== null && compiler.sack.merge !== null)
    if (path < 2 && (sequential || merges)) insertWhereSeen(root, merges)
    else if (path === 0 && !sack) insertIn(root)
  }
}

/** Steps to neighbours behind which it is looked how the traversal goes on, which may be to its end. */
const MOST_LOOKS = 256
/** Steps that are looked at in all of these looks, about: some milliseconds. */
const MOST_LOOKED_AT = 65_536

const insertIn = (traversal: Traversal): void => {
  const ordered: Array<Step> = []
  let multiplied = false
  /** What holds behind a step holds behind the next one, too, when that only streams. */
  let behind: Downstream | undefined
  const looks = Math.min(MOST_LOOKS, MOST_LOOKED_AT / traversal.steps.length)
  let looked = 0
  traversal.steps.forEach((step, at) => {
    if (merges(step)) multiplied = false
    if (behind !== undefined && !passes(step)) behind = undefined
    if (step instanceof VertexStep && (behind !== undefined || looked++ < looks)) {
      behind ??= lookFrom(traversal, at + 1, true)
      const { orderShows, drains, dedups } = behind
      if (multiplied && drains && (dedups || !orderShows)) {
        const barrier = new BarrierStep("refs")
        barrier.traversal = traversal
        ordered.push(barrier)
      }
      multiplied = !step.edges
    }
    ordered.push(step)
  })
  traversal.steps = ordered
}

/** Traversers that TinkerPop's barriers hold at most. */
const MOST = 2500

/**
 * Barriers show where each row is worked to its end before the next begins, because effects are seen, and where equal
 * traversers do not simply add up: `merges`, with sacks that merge or without bulk. There they stand where TinkerPop puts
 * them: behind steps that read labels, and behind what multiplies rows, from the second such step on, while rows carry no
 * labels.
 */
const insertWhereSeen = (traversal: Traversal, merges: boolean): void => {
  for (const step of [...traversal.steps]) {
    for (const child of [...step.localChildren(), ...step.globalChildren()]) insertWhereSeen(child, merges)
    if (merges && merging.has(step.name)) traversal.insert(traversal.steps.indexOf(step), new BarrierStep("values"))
  }
  if (traversal.steps.some(({ operator }) => operator === "drop" || operator === "element")) return
  let multiplied = false
  let labelled = false
  for (let at = 0; at < traversal.steps.length; at++) {
    const step = traversal.steps[at]!
    const next = traversal.steps[at + 1]
    if (processesPaths(step)) {
      if (readBehind(step).size === 0) labelled = false
      if (step.labels.length > 0) labelled = true
      if (next !== undefined && !waits(next)) insertBehind(step, ++at)
      continue
    }
    if (isUnrolled(step)) {
      if (next !== undefined && !waits(next)) insertBehind(step, ++at)
      multiplied = true
    } else if (multiplies(step, at, next)) {
      if (multiplied && !labelled && next !== undefined && !waits(next)) insertBehind(step, ++at)
      else multiplied = true
    }
    if (step.labels.length > 0) labelled = true
  }
}

/** The labels of the step go to the barrier. */
const insertBehind = (step: Step, at: number): void => {
  const barrier = new BarrierStep("values", MOST)
  moveLabels(step, barrier)
  step.traversal.insert(at, barrier)
}

const multiplies = (step: Step, at: number, next: Step | undefined): boolean => {
  if (step instanceof GraphStep) {
    return at > 0 || step.ids.length >= 5 || (step.ids.length === 0 && !(next instanceof HasStep))
  }
  if (step instanceof VertexStep) return !step.edges
  return flatMaps.has(step.name)
}

/** repeat() with times() alone is to TinkerPop as many bodies in a row, each with a barrier behind it. */
const isUnrolled = (step: Step): boolean =>
  step instanceof RepeatStep && step.emit === null && step.until?.kind === "times"

/** Barriers that merge equal traversers before they do what they are for. */
const merging: ReadonlySet<string> = new Set(["AggregateGlobalStep", "OrderGlobalStep", "SampleGlobalStep"])

const flatMaps: ReadonlySet<string> = new Set([
  "CoalesceStep",
  "EdgeVertexStep",
  "PropertiesStep",
  "TraversalFlatMapStep",
  "UnfoldStep"
])

/** Steps that take in everything before they give anything, and those that drop everything. */
const waits = (step: Step): boolean => isBarrier(step) || step.operator === "discard" || step.name === "RepeatEndStep"

/** After these no element comes twice. */
const merges = (step: Step): boolean => step.name === "DedupGlobalStep" || step.name === "NoOpBarrierStep"
