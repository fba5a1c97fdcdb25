import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { TraversalError } from "../../language/Errors.ts"
import type { Joins, Step } from "../../plan/Step.ts"
import { checkRoom } from "../../scalars/Items.ts"

/** Joins two maps by key, as {@link Joins}. Throws if one value is not a map or two values cannot be joined. */
export function* joinedMaps(
  slice: TimeSlice,
  step: Step,
  [earlier, later]: readonly [unknown, unknown],
  joins: Joins,
  owned: WeakSet<object>
): Task<GremlinMap> {
  const before = mapIn(earlier, step)
  const after = mapIn(later, step)
  let seen = 0
  let out = before
  if (!owned.has(before)) {
    out = new GremlinMap()
    owned.add(out)
    for (const [key, value] of before) {
      out.set(key, value)
      if (slice.isOverAfter(++seen, key)) yield
    }
  }
  for (const [key, value] of after) {
    if (slice.isOverAfter(++seen, key)) yield
    out.set(key, out.has(key) ? joins(out.get(key), value, owned) : value)
  }
  return out
}

/** Joins two lists, as {@link Joins}. */
export const joinedLists = (
  earlier: ReadonlyArray<unknown>,
  later: ReadonlyArray<unknown>,
  owned: WeakSet<object>
): ReadonlyArray<unknown> => {
  const list = owned.has(earlier) ? (earlier as Array<unknown>) : [...earlier]
  owned.add(list)
  for (const member of later) {
    checkRoom(list)
    list.push(member)
  }
  return list
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
