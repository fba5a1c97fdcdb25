import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { Path } from "../../structure/Path.ts"
import { LimitExceeded } from "../Errors.ts"

/** Members of a list that steps make: one that grows is moved as a whole now and then, which takes some 15 ms with so many. */
const MOST_MEMBERS = 4_194_304

/** Fails with LimitExceeded when a list that is being made has so many members that none can be added. */
export const checkRoom = (list: ReadonlyArray<unknown>): void => {
  if (list.length < MOST_MEMBERS) return
  throw new LimitExceeded(
    `A list that a step makes has at most ${MOST_MEMBERS} members. Work on them one by one, without a list of all.`
  )
}

/** The members of a value that steps go into: a list, a set, a bulk set (with repetitions) or a path; undefined for anything else, maps included. */
export const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof GremlinSet) return [...value]
  return value instanceof Path ? value.objects : undefined
}
