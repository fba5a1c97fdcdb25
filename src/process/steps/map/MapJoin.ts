import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { TraversalError } from "../../language/Errors.ts"
import type { Step } from "../../plan/Step.ts"

/** Joins two maps by key. Throws if one value is not a map or two values cannot be joined. */
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

/** Returns the map that a step adds to. Throws if the value is not a map. */
export const mapIn = (value: unknown, step: Step): GremlinMap => {
  if (value instanceof GremlinMap) return value
  throw new TraversalError(
    `${step.operator}() adds to a map, but its side effect holds ${described(value)}. ` +
      "Use another side-effect key, or start the side effect with an empty map."
  )
}

/** Describes a value and its type in errors of steps that cannot add to it. */
export const described = (value: unknown): string => `a value of the type ${typeName(value)}: ${briefText(value)}`
