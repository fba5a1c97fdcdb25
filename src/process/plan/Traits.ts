import type { PlanSummary } from "./Activation.ts"
import type { Step, Traversal } from "./Step.ts"
import type { StepTraits } from "./StepTraits.ts"

/** What the machine may assume of traversals that it reorders, batches or merges around, from the traits of their steps. */

const childrenOf = (step: Step): ReadonlyArray<Traversal> => [...step.localChildren(), ...step.globalChildren()]

/** No effects and no randomness, in the traversal and everything inside it. */
export const isSilent = ({ steps }: Traversal): boolean => steps.every(isSilentStep)

/** No effects and no randomness, in the step and its children. */
export const isSilentStep = (step: Step): boolean =>
  (step.traits.work === "streams" || collects(step.traits)) && childrenOf(step).every(isSilent)

/** Remembers rows, and has no effect outside its traversal. */
const collects = ({ work }: StepTraits): boolean => work === "collects" || work === "tallies"

/** Works row by row and without effects, the steps of its branches included. */
const streams = (step: Step): boolean =>
  step.traits.work === "streams" &&
  step.localChildren().every(isSilent) &&
  step.globalChildren().every((branch) => branch.steps.every(streams))

/** True for the steps that TinkerPop counts as barriers. */
export const isBarrier = (step: Step): boolean => step.traits.gathers !== "nothing"

/** True for steps that do nothing but stream: what holds before them holds behind them. */
export const passes = (step: Step): boolean => step.traits.work === "streams" && step.traits.children === "none"

/** True when a barrier stands anywhere in a traversal of a linked plan, or in its children. */
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
 * True for a traversal of a linked plan that may give results without end, or go on without end after some: those of a
 * repeat() are given on, and nothing behind it takes in all of them before it answers.
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

/** Children whose results are those of the step. */
const childrenGivenOn = (step: Step): ReadonlyArray<Traversal> => {
  const { children } = step.traits
  return children === "given" || children === "flowing" || children === "local"
    ? childrenOf(step)
    : step.globalChildren()
}

/** What is known about the way of the rows behind a step. */
export interface Downstream {
  /** Somebody could tell in which order the rows leave the step. */
  readonly orderShows: boolean
  /** Every row that leaves the step is asked for: no limit behind it, no mere question whether there is one. */
  readonly drains: boolean
  /** Before anything else could tell, rows that hold an object that came before are dropped. */
  readonly dedups: boolean
}

const known = new WeakMap<Step, Downstream>()

/** Looks behind a step of a linked plan. */
export const downstreamOf = (step: Step, plan: PlanSummary): Downstream => {
  let downstream = known.get(step)
  if (downstream === undefined) known.set(step, (downstream = look(step, plan)))
  return downstream
}

const look = (step: Step, plan: PlanSummary): Downstream =>
  lookFrom(step.traversal, step.traversal.steps.indexOf(step) + 1, plan.path === 0 && !plan.sack)

/** Looks from a place between the steps of a traversal. `bare`: rows carry neither path nor sack. */
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
      // Which of equal rows survives shows only in their paths and sacks.
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
    // A repeat() sends rows through its whole body again.
    if (parent.traits.children === "loop" && !streams(parent)) orderShows = true
    at = parent.traversal.steps.indexOf(parent) + 1
    traversal = parent.traversal
  }
}

/** Whether a step takes every result of its local children. */
const takesAll = ({ traits: { children } }: Step): boolean =>
  children === "drained" || children === "given" || children === "flowing" || children === "local"
