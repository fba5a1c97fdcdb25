import { BulkSet, GremlinSet } from "../../../structure/collections/Collections.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { Terminal } from "../../Script.ts"
import type { ScriptTraversal } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { checkGrows } from "../values/Changeable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"

/** True for a terminal method that makes a set of the results. */
export const collects = ({ name }: Terminal): boolean => name === "toSet" || name === "toBulkSet"

/**
 * The value of a terminal method other than iterate(), explain(), toSet() and toBulkSet(). Fails with OperandError for next() without a
 * result.
 */
export const resultOf = (results: unknown[], { count, name }: Terminal): unknown => {
  switch (name) {
    case "next":
      if (count !== undefined) return results
      if (results.length === 0)
        throw new OperandError(
          "the traversal has no result for next(): call hasNext() first, or use tryNext()",
          "NoSuchElementException"
        )
      return results[0] ?? null
    case "hasNext":
      return results.length > 0
    case "tryNext":
      return new Optional(results.length === 0 ? undefined : (results[0] ?? null))
    default:
      return results
  }
}

/** The value of a terminal method other than iterate() and explain(). Fails with OperandError for next() without a result. */
export function* ended(results: unknown[], terminal: Terminal): ScriptRun {
  if (!collects(terminal)) return resultOf(results, terminal)
  const set = terminal.name === "toSet" ? new GremlinSet() : new BulkSet()
  for (let i = 0; i < results.length; i++) {
    set.add(results[i])
    if (i % 10_000 === 9_999) yield { kind: "pause" }
  }
  return set
}

/** The value of fill(collection): the list or set with the results added. Fails with OperandError for another value. */
export const filled = (target: unknown, results: readonly unknown[], budget: Budget): unknown => {
  budget.created(results.length)
  checkGrows(target, "fill()")
  if (target instanceof GremlinSet) for (const result of budget.keys([...results])) target.add(result)
  else if (Array.isArray(target)) for (const result of results) target.push(budget.member(result, target))
  else throw new OperandError("fill() takes a list or a set of the script")
  return target
}

/** The value of iterate(): the traversal itself, without results. */
export const emptied = (traversal: ScriptTraversal): ScriptTraversal => {
  traversal.results = []
  traversal.taken = 0
  return traversal
}
