import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { ClassName } from "../../structure/Temporal.ts"
import type { Budget } from "./Budget.ts"
import { isAssignable } from "./ClassMethods.ts"
import { isInstance } from "./Instances.ts"
import { binary, contains, isTrue } from "./Operators.ts"
import { ScriptPattern } from "./Patterns.ts"

/**
 * Groovy's `isCase`, by which switch compares: a class by its instances, a list, set or range by its members, a pattern by the
 * whole text, a map by the value of the key, any other value by equality.
 */
export const isCase = (pattern: unknown, value: unknown, budget: Budget): boolean => {
  if (pattern instanceof ClassName) {
    return value instanceof ClassName ? isAssignable(pattern, value) : isInstance(value, pattern.simpleName) === true
  }
  if (Array.isArray(pattern) || pattern instanceof GremlinSet) return contains(pattern, value, budget)
  if (pattern instanceof GremlinMap) return isTrue(pattern.get(value))
  if (pattern instanceof ScriptPattern) return pattern.matches(budget.text(value))
  return binary("==", pattern, value, budget) === true
}
