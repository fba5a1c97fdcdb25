import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { deepCopy, isCopied } from "../../structure/DeepCopy.ts"
import type { Evaluation } from "../Scope.ts"
import { type HostCall, Optional, ScriptIterator } from "../Scope.ts"
import type { Budget } from "./Budget.ts"
import { SideEffectList, SideEffectMap, SideEffectSet } from "./ConstantCollections.ts"

// A script may change all collections in its variables, so no other code may share them. Collections are copied when they come
// in (results of traversals, bindings, values of elements and paths, answers of the host) and when they go out (arguments of
// traversals and of the host, results of a session). So a variable never changes a graph, a plan or a response.

/** A copy of a value that enters or leaves a script. Iterators and optionals are copied with their values. */
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

/** Replaces the collections in a new list by copies. Gives the list. */
export function* ownMembers(list: Array<unknown>, budget: Budget): Generator<HostCall, Array<unknown>, unknown> {
  for (let at = 0; at < list.length; at++) {
    const member = list[at]
    if (isCopied(member)) list[at] = yield* ownCopy(member, budget)
    if (isCopied(member) ? budget.slice.isOverNow() : budget.slice.isOver()) yield { kind: "pause" }
  }
  return list
}

/**
 * The answer of a method of a traverser, given its copy. In TinkerPop a change of a side effect would reach the traversal, so here
 * a change fails.
 */
export const traverserPart = (method: string, copy: unknown, budget: Budget): unknown => {
  if (method !== "sideEffects") return copy
  if (Array.isArray(copy) && copy.constructor === Array) return SideEffectList.holding(budget.list(copy))
  if (copy instanceof GremlinMap) return new SideEffectMap(budget.list([...copy]) as Array<[unknown, unknown]>)
  return copy instanceof GremlinSet ? new SideEffectSet(budget.list([...copy])) : copy
}
