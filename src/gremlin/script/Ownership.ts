import { deepCopy, isCopied } from "../../structure/DeepCopy.ts"
import type { Evaluation } from "../Scope.ts"
import { type HostCall, Optional, ScriptIterator } from "../Scope.ts"
import type { Budget } from "./Budget.ts"

/**
 * A script may change every collection that it holds, and nobody else may have one of them. So collections are copied where
 * they come in (results of traversals, bindings, what elements and paths hold, answers of the host) and where they go out
 * (arguments of traversals and of the host, results of a session). Neither a graph, a plan nor an answer on its way ever
 * changes with a variable.
 */

/** A copy of a value for the script, or of one of the script's for somebody else. */
export function* ownCopy(value: unknown, budget: Budget): Evaluation {
  if (value instanceof ScriptIterator) return new ScriptIterator(yield* ownMembers(value.rest(), budget))
  if (value instanceof Optional) return new Optional(yield* ownCopy(value.value, budget))
  if (!isCopied(value)) return value
  const copying = deepCopy(budget.slice, value)
  for (;;) {
    const { done, value: copy } = copying.next()
    if (done === true) return copy
    yield { kind: "pause" }
  }
}

/** A list that is new itself, with copies in the place of the collections in it. */
export function* ownMembers(list: Array<unknown>, budget: Budget): Generator<HostCall, Array<unknown>, unknown> {
  for (let at = 0; at < list.length; at++) {
    const member = list[at]
    if (isCopied(member)) list[at] = yield* ownCopy(member, budget)
    if (isCopied(member) ? budget.slice.isOverNow() : budget.slice.isOver()) yield { kind: "pause" }
  }
  return list
}
