import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { type Evaluation, Optional, type ScriptTraversal } from "../Scope.ts"
import { OperandError } from "./Budget.ts"

/** The value of a terminal method other than iterate() and explain(). Fails with OperandError for next() without a result. */
export function* ended(results: unknown[], name: string, count: number | undefined): Evaluation {
  switch (name) {
    case "next":
      if (count !== undefined) return results
      if (results.length === 0)
        throw new OperandError("the traversal has no result for next(): call hasNext() first, or use tryNext()")
      return results[0] ?? null
    case "hasNext":
      return results.length > 0
    case "tryNext":
      return new Optional(results.length === 0 ? undefined : (results[0] ?? null))
    case "toSet":
    case "toBulkSet": {
      const set = name === "toSet" ? new GremlinSet() : new BulkSet()
      for (let i = 0; i < results.length; i++) {
        set.add(results[i])
        if (i % 10_000 === 9_999) yield { kind: "pause" }
      }
      return set
    }
    default:
      return results
  }
}

/** The value of iterate(): the traversal itself, without results. */
export const emptied = (traversal: ScriptTraversal): ScriptTraversal => {
  traversal.results = []
  traversal.taken = 0
  return traversal
}
