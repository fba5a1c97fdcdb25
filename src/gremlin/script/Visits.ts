import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { OperandError } from "./Budget.ts"

/**
 * The members of a collection, one after the other, as Java's iterators visit them: a member that is replaced is visited with its new
 * value. Fails with OperandError at the next member if members were added to the collection or removed from it. Only its size is compared: a change
 * that adds as many members as it removes is not noticed.
 *
 * @param of the collection; members of any other value, such as the results of a traversal, cannot change
 * @param members its members at the beginning
 */
export function* visited(of: unknown, members: readonly unknown[]): Generator<unknown, void, undefined> {
  if (Array.isArray(of)) {
    const size = of.length
    for (let at = 0; at !== of.length; at++) {
      assertUnchanged(of, size)
      yield of[at]
    }
  } else if (of instanceof GremlinMap || of instanceof GremlinSet) {
    const { size } = of
    for (const member of members) {
      assertUnchanged(of, size)
      yield member
    }
  } else yield* members
}

/** Fails with OperandError if a collection has another number of members by now. Other values pass. */
export const assertUnchanged = (of: unknown, size: number): void => {
  const now = Array.isArray(of) ? of.length : of instanceof GremlinMap || of instanceof GremlinSet ? of.size : size
  if (now === size) return
  throw new OperandError(
    "the collection has changed while its members were visited: visit a copy, such as list.toList(), or change it afterwards"
  )
}
