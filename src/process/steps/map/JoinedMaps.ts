import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/Collections.ts"
import { briefText } from "../../../structure/Text.ts"
import { typeName } from "../../../structure/TypeNames.ts"
import { TraversalError } from "../../language/Errors.ts"
import type { Step } from "../../plan/Step.ts"

/** One map of two, by key. Fails where one is no map, or two values cannot be joined. */
export function* joinedMaps(
  slice: TimeSlice,
  step: Step,
  earlier: unknown,
  later: unknown,
  joined: (earlier: unknown, later: unknown) => unknown
): Task<GremlinMap> {
  const before = mapIn(earlier, step)
  const after = mapIn(later, step)
  if (before.size === 0) return after
  const out = new GremlinMap()
  let seen = 0
  for (const [key, value] of before) {
    out.set(key, value)
    if (slice.isOverAfter(++seen, key)) yield
  }
  for (const [key, value] of after) {
    if (slice.isOverAfter(++seen, key)) yield
    out.set(key, before.has(key) ? joined(before.get(key), value) : value)
  }
  return out
}

/** The map that a step adds to. Fails for what is no map. */
export const mapIn = (value: unknown, step: Step): GremlinMap => {
  if (value instanceof GremlinMap) return value
  throw new TraversalError(
    `${step.operator}() adds to a map, but its side effect holds ${described(value)}. ` +
      "Give it a side effect of its own, or begin that with an empty map."
  )
}

/** A value with its type, for the errors of steps that cannot add to it. */
export const described = (value: unknown): string => `a value of the type ${typeName(value)}: ${briefText(value)}`
