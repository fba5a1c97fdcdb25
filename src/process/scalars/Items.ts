import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { Path } from "../../structure/Path.ts"
import { LimitExceeded } from "../language/Errors.ts"

/** Members of a list that steps make: one that grows is moved as a whole now and then, which takes some 15 ms with so many. */
const MOST_MEMBERS = 4_194_304

/** Fails with LimitExceeded when a list that is being made has so many members that none can be added. */
export const checkRoom = (list: ReadonlyArray<unknown>): void => {
  if (list.length < MOST_MEMBERS) return
  throw new LimitExceeded(
    `A list that a step makes has at most ${MOST_MEMBERS} members. Work on them one by one, without a list of all.`
  )
}

/** Members of a list that are copied at once. */
const AT_ONCE = 65_536

/** Places from `start` up to but not including `end` of a list, as slice() gives them. */
export function* copied<A>(list: ReadonlyArray<A>, start = 0, end = list.length): Task<Array<A>> {
  const last = Math.min(end, list.length)
  if (last - start <= AT_ONCE) return list.slice(start, last)
  const copy: Array<A> = []
  for (let i = start; i < last; i++) {
    copy.push(list[i]!)
    if (copy.length % AT_ONCE === 0) yield
  }
  return copy
}

/** All that an iterable gives, as a list. */
export function* listed<A>(slice: TimeSlice, items: Iterable<A>): Task<Array<A>> {
  const list: Array<A> = []
  for (const item of items) {
    list.push(item)
    if (slice.isOverAfter(list.length)) yield
  }
  return list
}

/** As {@link itemsOf}, in pieces. */
export function* itemsTask(slice: TimeSlice, value: unknown): Task<readonly unknown[] | undefined> {
  const isCounted = value instanceof BulkSet || value instanceof GremlinSet
  return isCounted ? yield* listed(slice, value instanceof BulkSet ? value.members() : value) : itemsOf(value)
}

/** The members of a value that steps go into: a list, a set, a bulk set (with repetitions) or a path; undefined for anything else, maps included. */
export const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof GremlinSet) return [...value]
  return value instanceof Path ? value.objects : undefined
}
