import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Optional, ScriptIterator } from "../../Scope.ts"
import { Counter } from "../objects/Counters.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"

/** The truth value of an operand, as in Groovy: null, false, 0, empty strings, collections and iterators are false. */
export const isTrue = (value: unknown): boolean => {
  if (typeof value === "boolean") return value
  if (value === null || value === undefined || value === "") return false
  if (isNumber(value)) return toDouble(value) !== 0
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0
  if (value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet) return value.size > 0
  if (value instanceof Optional) return value.value !== undefined
  if (value instanceof ScriptIterator) return value.hasNext
  if (value instanceof ScriptMatcher) return value.found
  if (value instanceof TextBuilder) return value.text !== ""
  if (value instanceof Counter) return toDouble(value.value) !== 0
  return true
}
