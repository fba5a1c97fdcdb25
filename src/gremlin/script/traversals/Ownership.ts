import type { ClosureTraverser } from "../../../process/language/Closure.ts"
import { deepCopy, isCopied } from "../../../structure/collections/DeepCopy.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import type { Budget } from "../budget/Budget.ts"
import { lent } from "../objects/ConstantCollections.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

// A script may change all collections in its variables, so no other code may share them. Collections are copied when they come
// in (results of traversals, bindings, values of elements and paths, answers of the host) and when they go out (arguments of
// traversals and of the host, results of a session). So a variable never changes a graph, a plan or a response.

/** A copy of a value that enters or leaves a script. Iterators and optionals are copied with their values. */
export function* ownCopy(value: unknown, budget: Budget): ScriptRun {
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

/** True for collections, which the script owns with their parts, and for values without parts. */
export const isOwn = (value: unknown): boolean =>
  typeof value !== "object" || isCopied(value) || value instanceof ScriptIterator || value instanceof Optional

/** Replaces the collections in a new list by copies. Gives the list. */
export function* ownMembers(list: Array<unknown>, budget: Budget): Generator<HostCall, Array<unknown>, unknown> {
  for (let at = 0; at < list.length; at++) {
    const member = list[at]
    if (isCopied(member)) list[at] = yield* ownCopy(member, budget)
    if (isCopied(member) ? budget.slice.isOverNow() : budget.slice.isOver()) yield { kind: "pause" }
  }
  return list
}

const OWN_COPY = "write [] + list or [:] + map for a copy of its own"

const SIDE_EFFECT =
  "a closure gets a copy of a side effect, which it cannot change: write aggregate('x'), group('x') or another step, change a variable " +
  `of the script, or ${OWN_COPY}`

const OBJECT =
  "this closure gets a copy of the object of its traverser, which it cannot change: write map { } whose closure gives the new object, or " +
  OWN_COPY

const SACK = `a closure gets a copy of the sack, which it cannot change: write sack { sack, value -> ... }, or ${OWN_COPY}`

/**
 * The answer of a method of a traverser, given its copy. In TinkerPop a change of the collection would reach the traversal, so here a
 * change fails. A closure that gives the new object may change its copy.
 */
export const traverserPart = (traverser: ClosureTraverser, method: string, copy: unknown, budget: Budget): unknown => {
  switch (method) {
    case "sideEffects":
      return lent(copy, SIDE_EFFECT, budget)
    case "sack":
      return lent(copy, SACK, budget)
    case "get":
      return traverser.keepsObject ? lent(copy, OBJECT, budget) : copy
    default:
      return copy
  }
}
