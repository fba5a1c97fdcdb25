import type { PlanSummary } from "./Activation.ts"
import type { Step, Traversal } from "./Step.ts"
import type { StepTraits } from "./StepTraits.ts"

// Properties of traversals, derived from the traits of their steps, that decide whether rows may be reordered, batched or merged.

const childrenOf = (step: Step): ReadonlyArray<Traversal> => [...step.localChildren(), ...step.globalChildren()]

/** True for a traversal without effects and randomness, its children included. */
export const isSilent = ({ steps }: Traversal): boolean => steps.every(isSilentStep)

/** True for a step without effects and randomness, its children included. */
export const isSilentStep = (step: Step): boolean =>
  (step.traits.work === "streams" || collects(step.traits)) && childrenOf(step).every(isSilent)

/** True for a step that keeps rows and has no effect outside its traversal. */
const collects = ({ work }: StepTraits): boolean => work === "collects" || work === "tallies"

/** True for a step that works row by row and without effects, the steps of its branches included. */
const streams = (step: Step): boolean =>
  step.traits.work === "streams" &&
  step.localChildren().every(isSilent) &&
  step.globalChildren().every((branch) => branch.steps.every(streams))

/** True for TinkerPop's barriers. */
export const isBarrier = (step: Step): boolean => step.traits.gathers !== "nothing"

/** True for a step that emits new traversers for each row, which TinkerPop splits from that of the row. */
export const replacesTraverser = ({ answersEmpty, keepsObject, results }: StepTraits): boolean =>
  !keepsObject && !answersEmpty && (results === "perRow" || results === "many")

/** True for a streaming step without children: a barrier before it has the same use as a barrier after it. */
export const passes = (step: Step): boolean => step.traits.work === "streams" && step.traits.children === "none"

/** True if a traversal of a linked plan, or any of its descendants, has a barrier. */
export const holdsBarrier = (traversal: Traversal): boolean => {
  let holds = holding.get(traversal)
  if (holds === undefined) {
    holds = traversal.steps.some((step) => isBarrier(step) || childrenOf(step).some(holdsBarrier))
    holding.set(traversal, holds)
  }
  return holds
}
const holding = new WeakMap<Traversal, boolean>()

/**
 * True for a traversal of a linked plan whose results may be endless, or which may run endlessly after some results: it has a
 * repeat() with no barrier after it that takes in all rows.
 */
export const mayBeEndless = (traversal: Traversal, plan: PlanSummary): boolean => {
  let endless = endlessness.get(traversal)
  if (endless === undefined) {
    endless = false
    for (const step of traversal.steps) {
      if (step.traits.gathers === "all") endless = false
      else if (step.isEndless(plan) || childrenGivenOn(step).some((child) => mayBeEndless(child, plan))) endless = true
    }
    endlessness.set(traversal, endless)
  }
  return endless
}
const endlessness = new WeakMap<Traversal, boolean>()

/** Children whose results the step emits. */
const childrenGivenOn = (step: Step): ReadonlyArray<Traversal> => {
  const { children } = step.traits
  return children === "given" || children === "flowing" || children === "local"
    ? childrenOf(step)
    : step.globalChildren()
}

/** What the steps after a step do with its results. */
export interface Downstream {
  /** The order of the results is observable. */
  readonly orderShows: boolean
  /** Every result is used: no limit follows, and the parent does not only test for existence. */
  readonly drains: boolean
  /** Duplicates of objects are dropped before they become observable. */
  readonly dedups: boolean
}

const known = new WeakMap<Step, Downstream>()

/** What happens after a step of a linked plan. The result is cached. */
export const downstreamOf = (step: Step, plan: PlanSummary): Downstream => {
  let downstream = known.get(step)
  if (downstream === undefined) known.set(step, (downstream = look(step, plan)))
  return downstream
}

const look = (step: Step, plan: PlanSummary): Downstream =>
  lookFrom(step.traversal, step.traversal.steps.indexOf(step) + 1, plan.path === 0 && !plan.sack)

/** What happens from index `place` of a traversal on. `bare`: rows carry neither path nor sack. */
export const lookFrom = (from: Traversal, place: number, bare: boolean): Downstream => {
  let traversal = from
  let at = place
  let orderShows: boolean | undefined
  let dedups = false
  for (;;) {
    for (; at < traversal.steps.length; at++) {
      const next = traversal.steps[at]!
      const { traits } = next
      if (traits.work === "tallies" && next.localChildren().every(isSilent)) {
        return { orderShows: orderShows ?? false, drains: true, dedups }
      }
      if (traits.limits === "is") return { orderShows: true, drains: false, dedups }
      // Which of equal rows remains is observable only in paths and sacks.
      const isDedup = traits.merging === "drops" && bare && next.localChildren().length === 0
      if (isDedup && orderShows === undefined) dedups = true
      if (!isDedup && !streams(next)) orderShows = true
      if (collects(traits) && !isDedup) return { orderShows: true, drains: true, dedups }
    }
    const { parent } = traversal
    if (parent === null) return { orderShows: true, drains: true, dedups }
    if (!parent.globalChildren().includes(traversal)) {
      const asked = !parent.asksWhether(traversal)
      return { orderShows: orderShows ?? asked, drains: takesAll(parent), dedups }
    }
    // Rows of a repeat() may pass the whole body again.
    if (parent.traits.children === "loop" && !streams(parent)) orderShows = true
    at = parent.traversal.steps.indexOf(parent) + 1
    traversal = parent.traversal
  }
}

/** Whether a step takes every result of its local children. */
const takesAll = ({ traits: { children } }: Step): boolean =>
  children === "drained" || children === "given" || children === "flowing" || children === "local"
