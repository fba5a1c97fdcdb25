import type { PlanSummary } from "./Activation.ts"
import { collects, isSilent, streams } from "./Silence.ts"
import type { Step, Traversal } from "./Step.ts"

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
