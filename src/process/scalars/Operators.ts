import { add, divide, larger, multiply, smaller, subtract } from "../../structure/Arithmetic.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import { type GremlinNumber, isNumber } from "../../structure/Numbers.ts"
import { order } from "../../structure/Ordering.ts"
import { briefText } from "../../structure/Text.ts"
import { TraversalError } from "../language/Errors.ts"
import { checkAdded, copyOf } from "../machine/Copy.ts"

/**
 * A binary Operator over two values: sack(), fold(seed, operator), withSideEffect(key, value, operator). It changes neither
 * of them: Operator.addAll makes a new collection. Fails with TraversalError where the operator does not take the values, and
 * with LimitExceeded for collections that are too large.
 */
export const applyOperator = (operator: EnumValue, a: unknown, b: unknown): unknown => {
  switch (operator.name) {
    case "sum":
    case "sumLong":
      return add(number(operator, a), number(operator, b))
    case "minus":
      return subtract(number(operator, a), number(operator, b))
    case "mult":
      return multiply(number(operator, a), number(operator, b))
    case "div":
      return divide(number(operator, a), number(operator, b))
    case "min":
      return isNumber(a) && isNumber(b) ? smaller(a, b) : order(a, b) <= 0 ? a : b
    case "max":
      return isNumber(a) && isNumber(b) ? larger(a, b) : order(a, b) >= 0 ? a : b
    case "assign":
      return b
    case "and":
      return a === true && b === true
    case "or":
      return a === true || b === true
    default:
      return addAll(a, b)
  }
}

const number = (operator: EnumValue, value: unknown): GremlinNumber => {
  if (isNumber(value)) return value
  throw new TraversalError(`Operator.${operator.name} needs two numbers, but was given ${briefText(value)}`)
}

const addAll = (a: unknown, b: unknown): unknown => {
  if (a === null || a === undefined) return b
  if (b === null || b === undefined) return a
  const sum = copyOf(a)
  addInto(sum, b)
  return sum
}

/**
 * Adds the members of a collection, the entries of a map or a single value to the collection `to`, which the caller owns (see
 * Accumulator). Fails as {@link applyOperator} does.
 */
export const addInto = (to: unknown, value: unknown): void => {
  checkAdded(to, value)
  if (to instanceof GremlinMap && value instanceof GremlinMap) for (const [key, item] of value) to.set(key, item)
  else if (to instanceof BulkSet && value instanceof BulkSet) {
    for (const [item, count] of value.entries()) to.add(item, count)
  } else if (to instanceof GremlinSet && value instanceof BulkSet) for (const item of value.distinct()) to.add(item)
  else if (to instanceof GremlinSet || to instanceof BulkSet) for (const item of membersOf(value)) to.add(item)
  else if (Array.isArray(to)) for (const item of membersOf(value)) to.push(item)
  else throw new TraversalError("Operator.addAll needs collections or maps")
}

/** What a value adds to a list or a set: its members, or itself. */
const membersOf = (value: unknown): Iterable<unknown> => {
  if (value instanceof BulkSet) return value.toList()
  return value instanceof GremlinSet || Array.isArray(value) ? value : [value]
}
