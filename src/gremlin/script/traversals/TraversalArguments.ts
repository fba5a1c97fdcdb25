import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { JavaRandom } from "../../../structure/numbers/JavaRandom.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import { HostObject, ScriptSource, ScriptTraversal, TransactionControl } from "../../ScriptObjects.ts"
import { GraphComputation } from "../graph/Computation.ts"
import { JsonSlurper } from "../json/JsonReading.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { Counter } from "../objects/Counters.ts"
import { ScriptException } from "../objects/Exceptions.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptPattern } from "../values/Patterns.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

/** Converts a value to an argument of a traversal: an iterator becomes a list. Fails with OperandError for other values. */
export const asArgument = (value: unknown): unknown => {
  if (value instanceof ScriptTraversal) {
    throw new OperandError(
      `the traversal ${value.toString().slice(0, 100)} begins at a source and cannot be nested: begin it with __, or end it with next() or toList()`
    )
  }
  if (value instanceof ScriptIterator) return value.rest()
  if (value instanceof Optional) return asArgument(value.value ?? null)
  if (value instanceof HostConstant && value.ofGremlin !== undefined) return value.ofGremlin
  if (
    value instanceof ScriptSource ||
    value instanceof HostObject ||
    value instanceof TransactionControl ||
    value instanceof HostConstant ||
    value instanceof ScriptClosure ||
    value instanceof ScriptException ||
    value instanceof ScriptPattern ||
    value instanceof ScriptMatcher ||
    value instanceof JavaRandom ||
    value instanceof Counter ||
    value instanceof JsonSlurper ||
    value instanceof CalledValue ||
    value instanceof GraphComputation
  ) {
    throw new OperandError(`${String(value)} cannot be an argument of a traversal`)
  }
  return value ?? null
}
