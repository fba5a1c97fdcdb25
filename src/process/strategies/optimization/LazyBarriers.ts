import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { Needs } from "../../plan/Activation.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { type Downstream, isBarrier, lookFrom, passes } from "../../plan/Traits.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { InjectStep } from "../../steps/sideeffect/InjectStep.ts"
import { moveLabels } from "../StepInsertion.ts"
import { needsOf } from "./IncidentToAdjacent.ts"
import { processesPaths, readsLabels } from "./PathRetraction.ts"

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
    if (merges || (sequential && path < 2)) {
      const context = { merges, path, bulk: compiler.bulk, readers: readersIn(root), slice: compiler.slice }
      return insertWhereSeen(root, context, false)
    }
    if (path === 0 && !sack) insertIn(root)
    return undefined
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
  let inside = 0
  // Children are looked at, too.
  traversal.visit(() => inside++)
  const looks = Math.min(MOST_LOOKS, MOST_LOOKED_AT / inside)
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

/** What {@link insertWhereSeen} knows of the whole traversal. */
interface SeenBarriers {
  /** Equal traversers do not simply add up. */
  readonly merges: boolean
  /** Of the whole traversal. In one that keeps full paths TinkerPop has barriers behind repeat() with times() alone. */
  readonly path: Needs["path"]
  /** False after withBulk(false). TinkerPop adds a step behind all others then, so that a barrier may stand behind the last. */
  readonly bulk: boolean
  /** Steps that read labels, themselves or in their children. */
  readonly readers: ReadonlySet<Step>
  readonly slice: TimeSlice
}

/**
 * Barriers show where each row is worked to its end before the next begins, because effects are seen, and where equal
 * traversers do not simply add up: `merges`, with sacks that merge or without bulk. There they stand where TinkerPop puts
 * them: behind steps that read labels, and behind what multiplies rows, from the second such step on, while rows carry no
 * labels.
 */
function* insertWhereSeen(traversal: Traversal, context: SeenBarriers, readsBehind: boolean): Task {
  const { merges, path, bulk, readers, slice } = context
  const lastReader = traversal.steps.findLastIndex((step) => readers.has(step))
  const steps: Array<Step> = []
  for (let at = 0; at < traversal.steps.length; at++) {
    const step = traversal.steps[at]!
    if (slice.isOverNow()) yield
    for (const child of [...step.localChildren(), ...step.globalChildren()]) {
      yield* insertWhereSeen(child, context, readsBehind || lastReader > at)
    }
    if (merges && (step.traits.merging === "before" || branchesToBarrier(step))) {
      steps.push(placed(new BarrierStep("values"), traversal))
    }
    steps.push(step)
    // What inject() adds at once meets before the next step.
    if (merges && step instanceof InjectStep) steps.push(barrierBehind(step, MOST))
    if (merges && step.traits.merging === "behind") steps.push(barrierBehind(step, Number.POSITIVE_INFINITY))
  }
  traversal.steps = steps
  if (steps.some(({ traits }) => traits.merging === "forbids")) return
  const last = steps.findLastIndex((step) => readers.has(step))
  let multiplied = false
  let labelled = false
  const out: Array<Step> = []
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!
    const next = steps[at + 1]
    if (slice.isOverNow()) yield
    out.push(step)
    const isBarrierPossible = next === undefined ? !bulk && traversal.parent === null : !waits(next)
    if (path === 2) {
      if (isUnrolled(step) && isBarrierPossible) out.push(barrierBehind(step, MOST))
      continue
    }
    if (processesPaths(step)) {
      if (!readsBehind && last <= at) labelled = false
      if (step.labels.length > 0) labelled = true
      if (isBarrierPossible) out.push(barrierBehind(step, MOST))
      continue
    }
    if (isUnrolled(step)) {
      if (isBarrierPossible) out.push(barrierBehind(step, MOST))
      multiplied = true
    } else if (multiplies(step, out.length - 1, next)) {
      if (multiplied && !labelled && isBarrierPossible) out.push(barrierBehind(step, MOST))
      else multiplied = true
    }
    if (step.labels.length > 0) labelled = true
  }
  traversal.steps = out
}

/** Steps that read labels, themselves or in their children. */
const readersIn = (root: Traversal): ReadonlySet<Step> => {
  const readers = new Set<Step>()
  root.visit((step) => {
    if (!readsLabels(step)) return
    for (let at: Step | null = step; at !== null && !readers.has(at); at = at.traversal.parent) readers.add(at)
  })
  return readers
}

const placed = (step: Step, traversal: Traversal): Step => {
  step.traversal = traversal
  return step
}

/** A branch with a barrier is given all traversers at once, so that equal ones meet in front of it. */
const branchesToBarrier = (step: Step): boolean => {
  if (step.traits.children !== "branches") return false
  let found = false
  for (const child of step.globalChildren()) child.visit((inside) => (found ||= isBarrier(inside)))
  return found
}

/** The labels of the step go to the barrier. */
const barrierBehind = (step: Step, most: number): Step => {
  const barrier = new BarrierStep("values", most)
  moveLabels(step, barrier)
  return placed(barrier, step.traversal)
}

const multiplies = (step: Step, at: number, next: Step | undefined): boolean => {
  if (step instanceof GraphStep) {
    return at > 0 || step.ids.length >= 5 || (step.ids.length === 0 && !(next instanceof HasStep))
  }
  return step.traits.results === "many"
}

/** repeat() with times() alone is to TinkerPop as many bodies in a row, each with a barrier behind it. */
const isUnrolled = (step: Step): boolean =>
  step instanceof RepeatStep && step.emit === null && step.until?.kind === "times"

/** Steps that take in everything before they give anything, and those that drop everything. */
const waits = (step: Step): boolean =>
  isBarrier(step) || step.traits.role === "discards" || step.traits.role === "loopEnd"

/** After these no element comes twice. */
const merges = (step: Step): boolean => step.traits.merging === "drops" || step.traits.merging === "joins"
