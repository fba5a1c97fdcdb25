import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { LimitExceeded } from "../language/Errors.ts"

/** Members of a list, and entries of a map or members of a set, that are copied at once: some 5 ms. */
const LONGEST_LIST = 1_048_576
const MOST_ENTRIES = 65_536
/** Members of all copies that one call of a step makes. */
const MOST_COPIED = 4_194_304

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof BulkSet) return value.uniqueSize
  return value instanceof GremlinMap || value instanceof GremlinSet ? value.size : 0
}

/** Fails with LimitExceeded for a collection that is too large to be copied, or added to another, at once. */
export const checkCopied = (value: unknown): void => {
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
  if (sizeOf(to) < MOST_COPIED) return
  throw new LimitExceeded(
    `Operator.addAll makes collections of at most ${MOST_COPIED} members. Work on them one by one, without a collection of all.`
  )
}

/**
 * A copy of a collection that may be changed without changing the plan's or another run's. Other values are themselves. Fails
 * with LimitExceeded as {@link checkCopied} does.
 */
export const copyOf = (value: unknown): unknown => {
  checkCopied(value)
  if (Array.isArray(value)) return [...value]
  if (value instanceof GremlinMap) return new GremlinMap(value)
  if (value instanceof GremlinSet) return new GremlinSet(value)
  if (value instanceof BulkSet) {
    const copy = new BulkSet()
    for (const [item, count] of value.entries()) copy.add(item, count)
    return copy
  }
  return value
}

/** Copies that are made in one call of a step: with too many of a large collection, memory would end before anybody looks. */
export class Copies {
  #left = MOST_COPIED

  /** As {@link copyOf}; fails with LimitExceeded, too, when all copies have more than 4,194,304 members. */
  of(value: unknown): unknown {
    this.#left -= sizeOf(value)
    if (this.#left >= 0) return copyOf(value)
    throw new LimitExceeded(
      `The collection of withSack() is copied for each traverser that inject() adds, more than ${MOST_COPIED} members in one ` +
        "step. Begin with a smaller sack, or inject one list and unfold() it."
    )
  }
}
