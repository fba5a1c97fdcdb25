import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { LimitExceeded } from "../language/Errors.ts"
import { copied as copiedList } from "./Items.ts"

/** Members of a list, and entries of a map or members of a set, that are copied at once: some 5 ms. */
const LONGEST_LIST = 1_048_576
const MOST_ENTRIES = 65_536
/** Members of a collection that grows. */
const MOST_MEMBERS = 4_194_304

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof BulkSet) return value.uniqueSize
  return value instanceof GremlinMap || value instanceof GremlinSet ? value.size : 0
}

/** Fails with LimitExceeded for a collection that is too large to be copied, or added to another, at once. */
const checkCopied = (value: unknown): void => {
  const most = Array.isArray(value) ? LONGEST_LIST : MOST_ENTRIES
  const size = sizeOf(value)
  if (size <= most) return
  throw new LimitExceeded(
    `withSack(), withSideEffect(), fold() with a seed and Operator.addAll work on lists of at most ${LONGEST_LIST} members, and ` +
      `on maps and sets of at most ${MOST_ENTRIES}, and this one has ${size}. Give it as a value of the traversal, as in ` +
      "inject(), or in parts."
  )
}

/** Fails with LimitExceeded where a collection cannot be added to another: it is too large, or the other has become so. */
export const checkAdded = (to: unknown, value: unknown): void => {
  checkCopied(value)
  if (sizeOf(to) < MOST_MEMBERS) return
  throw new LimitExceeded(
    `Operator.addAll makes collections of at most ${MOST_MEMBERS} members. Work on them one by one, without a collection of all.`
  )
}

/** A copy of a list, map, set or bulk set with the same members; every other value is itself. Fails as {@link checkCopied} does. */
export const copyOf = (value: unknown): unknown => {
  checkCopied(value)
  return runWhole(copyTask(new TimeSlice(), value))
}

/** The same for a collection of any size. */
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
