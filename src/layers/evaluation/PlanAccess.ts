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

const collect = (plan: Plan, found: Set<StepTraits["access"]>): void => {
  for (const step of plan.steps) {
    found.add(step.traits.access)
    for (const child of step.localChildren()) collect(planOf(child), found)
  }
}
