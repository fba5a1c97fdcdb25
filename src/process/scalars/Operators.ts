import { add, divide, larger, multiply, smaller, subtract } from "../../structure/Arithmetic.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import { type GremlinNumber, isNumber } from "../../structure/Numbers.ts"
import { order } from "../../structure/Ordering.ts"
import { briefText } from "../../structure/Text.ts"
import { TraversalError } from "../language/Errors.ts"
import { checkAdded } from "../machine/Copy.ts"

/** A binary Operator over two values: sack(), fold(seed, operator), withSideEffect(key, value, operator). */
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

/** Operator.addAll: collections and maps are merged into the first. */
const addAll = (a: unknown, b: unknown): unknown => {
  if (a === null || a === undefined) return b
  if (b === null || b === undefined) return a
  checkAdded(a, b)
  if (a instanceof GremlinMap && b instanceof GremlinMap) {
    for (const [key, value] of b) a.set(key, value)
    return a
  }
  if (a instanceof BulkSet && b instanceof BulkSet) {
    for (const [item, count] of b.entries()) a.add(item, count)
    return a
  }
  if (a instanceof GremlinSet && b instanceof BulkSet) {
    for (const item of b.distinct()) a.add(item)
    return a
  }
  const items = b instanceof BulkSet ? b.toList() : b instanceof GremlinSet || Array.isArray(b) ? b : [b]
  if (a instanceof GremlinSet || a instanceof BulkSet) {
    for (const item of items) a.add(item)
    return a
  }
  if (Array.isArray(a)) {
    for (const item of items) a.push(item)
    return a
  }
  throw new TraversalError("Operator.addAll needs collections or maps")
}
