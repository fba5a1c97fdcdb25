import { GremlinSet } from "../../../structure/collections/Collections.ts"
import type { Budget } from "../budget/Budget.ts"
import { Unavailable } from "../values/OperandErrors.ts"

/**
 * The value of a method of TinkerPop's IteratorUtils, which Gremlin Server imports, for the members of its only argument. Fails with
 * Unavailable for another method, and without members.
 */
export const ofIterated = (name: string, members: readonly unknown[] | undefined, budget: Budget): unknown => {
  if (members !== undefined) {
    if (name === "count") return BigInt(members.length)
    if (name === "list" || name === "asList") return budget.list([...members])
    if (name === "set" || name === "asSet") return new GremlinSet(budget.keys([...members]))
  }
  throw new Unavailable(
    `scripts do not have the method IteratorUtils.${name}(): toList() of the iterator or traversal gives a list, which has methods such as ` +
      "collect { }, findAll { } and size()"
  )
}
