import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { type ParameterValues, resolve } from "../../language/Operand.ts"
import { ConnectiveP, NotP, type Predicate } from "../../language/Predicate.ts"
import { isSilentStep } from "../../plan/Silence.ts"
import type { Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { IsStep } from "../../steps/filter/IsStep.ts"
import { RangeGlobalStep } from "../../steps/filter/RangeStep.ts"
import { CountStep } from "../../steps/map/CountStep.ts"

/**
 * Stops count().is(predicate) when a larger count cannot change the result: is(0) at 1, is(gt(5)) at 6. Applies only to children
 * without effects whose parent tests for the existence of a result, because the value of the count changes. The limit costs about
 * 0.1 µs a row when no element reaches it. It bounds what an element with millions of edges costs.
 */
export const countBounds: Strategy = {
  name: "CountStrategy",
  kind: "optimization",
  apply: (root) => root.visitTraversals(bound)
}

const bound = (traversal: Traversal): void => {
  const { parent, steps } = traversal
  const at = steps.length - 2
  const [count, is] = [steps[at], steps[at + 1]]
  if (at < 1 || parent?.asksWhether(traversal) !== true) return
  if (!(count instanceof CountStep && is instanceof IsStep) || count.labels.length > 0) return
  if (!steps.slice(0, at).every(isSilentStep)) return
  const { predicate } = is
  const limitOf = (run: ParameterValues) => ({ low: 0, high: boundOf(predicate, run) })
  // Explained traversals have no parameters.
  const words = `0,${boundOf(predicate, { parameters: [] })}`
  traversal.insert(at, new RangeGlobalStep("limit", limitOf, words))
}

/** The smallest count from which on the predicate has the same result for every count; -1 = unknown. */
const boundOf = (predicate: Predicate, run: ParameterValues): number => {
  if (predicate instanceof NotP) return boundOf(predicate.predicate, run)
  if (predicate instanceof ConnectiveP) {
    const bounds = predicate.predicates.map((part) => boundOf(part, run))
    return bounds.includes(-1) ? -1 : Math.max(...bounds)
  }
  if (!comparisons.has(predicate.operator)) return -1
  let highest = -1
  for (const value of [resolve(predicate.value, run)].flat()) {
    if (!isNumber(value)) return -1
    highest = Math.max(highest, Math.floor(toDouble(value)))
  }
  return Number.isSafeInteger(highest) ? highest + 1 : -1
}

/** Operators over numbers whose result is constant for all counts above the largest operand. */
const comparisons: ReadonlySet<string> = new Set(
  "eq neq lt lte gt gte inside outside between within without".split(" ")
)
