import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import { Counter } from "../objects/Counters.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

/**
 * The truth value of an operand, as in Groovy: null, false, 0, empty strings, collections and iterators are false. Fails with OperandError
 * for a traversal that has not run, because only the host knows whether it has a result.
 */
export const isTrue = (value: unknown): boolean => {
  if (typeof value === "boolean") return value
  if (value === null || value === undefined || value === "") return false
  if (isNumber(value)) return toDouble(value) !== 0
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0
  if (value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet) return value.size > 0
  if (value instanceof Tree) return value.children.size > 0
  if (value instanceof Optional) return value.value !== undefined
  if (value instanceof ScriptTraversal) return hasMore(value)
  if (value instanceof ScriptIterator) return value.hasNext
  if (value instanceof ScriptMatcher) return value.found
  if (value instanceof TextBuilder) return value.text !== ""
  if (value instanceof Counter) return toDouble(value.value) !== 0
  return true
}

const hasMore = ({ results, taken }: ScriptTraversal): boolean => {
  if (results !== undefined) return taken < results.length
  throw new OperandError("a traversal that has not run is no condition here: write hasNext() after it")
}
