import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinSet } from "../../structure/collections/Collections.ts"
import { Path } from "../../structure/elements/Path.ts"
import { LimitExceeded } from "../language/Errors.ts"

/** Limit of the members of a collection that a step makes: V8 reallocates a growing list, which takes about 15 ms at this size. */
export const MAX_MEMBERS = 4_194_304

/** Throws LimitExceeded when no member may be added to a list that a step makes. */
export const checkRoom = (list: ReadonlyArray<unknown>): void => {
  if (list.length < MAX_MEMBERS) return
  throw new LimitExceeded(
    `A list that a step makes has at most ${MAX_MEMBERS} members. Process the members one by one instead of collecting them.`
  )
}

/** Members of a list that are copied between two yields. */
const MEMBERS_PER_YIELD = 65_536

/** A copy of the members of a list from `start` to `end`, as slice() makes it, with yields. */
export function* copied<A>(list: ReadonlyArray<A>, start = 0, end = list.length): Task<Array<A>> {
  const last = Math.min(end, list.length)
  if (last - start <= MEMBERS_PER_YIELD) return list.slice(start, last)
  const copy: Array<A> = []
  for (let i = start; i < last; i++) {
    copy.push(list[i]!)
    if (copy.length % MEMBERS_PER_YIELD === 0) yield
  }
  return copy
}

/** The items of an iterable as a list. */
export function* listed<A>(slice: TimeSlice, items: Iterable<A>): Task<Array<A>> {
  const list: Array<A> = []
  for (const item of items) {
    list.push(item)
    if (slice.isOverAfter(list.length)) yield
  }
  return list
}

/** The same as {@link itemsOf}, with yields. */
export function* itemsTask(slice: TimeSlice, value: unknown): Task<readonly unknown[] | undefined> {
  const isCounted = value instanceof BulkSet || value instanceof GremlinSet
  return isCounted ? yield* listed(slice, value instanceof BulkSet ? value.members() : value) : itemsOf(value)
}

/** The members of a list, set, bulk set (with repetitions) or path; undefined for any other value, maps included. */
export const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof GremlinSet) return [...value]
  return value instanceof Path ? value.objects : undefined
}
