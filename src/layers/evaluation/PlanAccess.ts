import { TraversalError } from "../../process/language/Errors.ts"
import { type Plan, planOf } from "../../process/plan/Plan.ts"
import type { StepTraits } from "../../process/plan/StepTraits.ts"
import type { GraphAccess } from "../../services/Authorizer.ts"

const known = new WeakMap<Plan, ReadonlyArray<GraphAccess>>()

/** The kinds of access of a traversal to its graph. Plans are shared, so the result is kept for each plan. */
export const accessOf = (plan: Plan): ReadonlyArray<GraphAccess> => {
  const before = known.get(plan)
  if (before !== undefined) return before
  const found = new Set<StepTraits["access"]>()
  collect(plan, found)
  const access: Array<GraphAccess> = [plan.writes || found.has("writes") || found.has("files") ? "write" : "read"]
  if (found.has("services")) access.push("call")
  known.set(plan, access)
  return access
}

/**
 * Checks a traversal on a graph that a script made. Every user may change such a graph. Files and services are outside of it, and
 * no graph of the server decides who may use them. Throws TraversalError.
 */
export const assertInside = (plan: Plan, graph: string): void => {
  const found = new Set<StepTraits["access"]>()
  collect(plan, found)
  const outside = found.has("files") ? "io()" : found.has("services") ? "call()" : undefined
  if (outside === undefined) return
  throw new TraversalError(
    `${outside} is not available on the ${graph}, because the server has authorization: use it on a graph of the server.`
  )
}

const collect = (plan: Plan, found: Set<StepTraits["access"]>): void => {
  for (const step of plan.steps) {
    found.add(step.traits.access)
    for (const child of step.localChildren()) collect(planOf(child), found)
  }
}
