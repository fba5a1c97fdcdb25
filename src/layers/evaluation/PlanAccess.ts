import { type Plan, planOf } from "../../process/plan/Plan.ts"
import type { GraphAccess } from "../../services/Authorizer.ts"

const known = new WeakMap<Plan, ReadonlyArray<GraphAccess>>()

/** What a traversal does to its graph, as far as an authorizer wants to know. Plans are shared, and looked at once. */
export const accessOf = (plan: Plan): ReadonlyArray<GraphAccess> => {
  const before = known.get(plan)
  if (before !== undefined) return before
  const operators = new Set<string>()
  collect(plan, operators)
  const access: Array<GraphAccess> = [plan.writes || operators.has("io") ? "write" : "read"]
  if (operators.has("call")) access.push("call")
  known.set(plan, access)
  return access
}

const collect = (plan: Plan, operators: Set<string>): void => {
  for (const step of plan.steps) {
    operators.add(step.operator)
    for (const child of step.localChildren()) collect(planOf(child), operators)
  }
}
