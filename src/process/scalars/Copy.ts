import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { LimitExceeded } from "../language/Errors.ts"
import { copied as copiedList, MAX_MEMBERS } from "./Items.ts"

/** Largest list that is copied without a yield, in members. Copying it takes about 5 ms. */
const MAX_COPIED_LIST_MEMBERS = 1_048_576
/** Largest map or set that is copied without a yield, in entries. Copying it takes about 5 ms. */
const MAX_COPIED_ENTRIES = 65_536

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof BulkSet) return value.uniqueSize
  return value instanceof GremlinMap || value instanceof GremlinSet ? value.size : 0
}

/** Throws LimitExceeded for a collection that is too large to be copied, or added to another, without a yield. */
const checkCopied = (value: unknown): void => {
  const most = Array.isArray(value) ? MAX_COPIED_LIST_MEMBERS : MAX_COPIED_ENTRIES
  const size = sizeOf(value)
  if (size <= most) return
  throw new LimitExceeded(
    `withSack(), withSideEffect(), fold() with a seed and Operator.addAll work on lists of at most ${MAX_COPIED_LIST_MEMBERS} members and ` +
      `maps and sets of at most ${MAX_COPIED_ENTRIES}, but this one has ${size}. Pass it as a value of the traversal, as in ` +
      "inject(), or in parts."
  )
}

/** Throws LimitExceeded if a collection is too large to be added to another, or the other is too large to grow. */
export const checkAdded = (to: unknown, value: unknown): void => {
  checkCopied(value)
  if (sizeOf(to) < MAX_MEMBERS) return
  throw new LimitExceeded(
    `Operator.addAll makes collections of at most ${MAX_MEMBERS} members. Process the members one by one instead of collecting them.`
  )
}

/** A shallow copy of a list, map, set or bulk set; any other value is returned as it is. Throws what {@link checkCopied} throws. */
export const copyOf = (value: unknown): unknown => {
  checkCopied(value)
  return runWhole(copyTask(new TimeSlice(), value))
}

/** A shallow copy of a collection of any size, with yields; any other value is returned as it is. */
export function* copyTask(slice: TimeSlice, value: unknown): Task<unknown> {
  if (Array.isArray(value)) return yield* copiedList(value)
  let copied = 0
  if (value instanceof GremlinMap) {
    const copy = new GremlinMap()
    for (const [key, item] of value) {
      copy.set(key, item)
      if (slice.isOverAfter(++copied, key)) yield
    }
    return copy
  }
  if (value instanceof GremlinSet) {
    const copy = new GremlinSet()
    for (const item of value) {
      copy.add(item)
      if (slice.isOverAfter(++copied, item)) yield
    }
    return copy
  }
  if (!(value instanceof BulkSet)) return value
  const copy = new BulkSet()
  for (const [item, count] of value.entries()) {
    copy.add(item, count)
    if (slice.isOverAfter(++copied, item)) yield
  }
  return copy
}
