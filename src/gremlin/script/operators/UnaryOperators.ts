import { multiply } from "../../../structure/numbers/Arithmetic.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  double,
  type GremlinNumber,
  isInt,
  isNumber,
  Short
} from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { isIntegral } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { calculated, wrapped } from "./NumberOperators.ts"

/** Operators before one operand. */
type UnaryOperator = "-" | "+" | "~"

/**
 * The value of `-x`, `+x` or `~x`. As in Groovy, that of a list is the list of the values for its members, and `~` of a string is
 * a pattern. Throws OperandError for another operand, and for a list with too many members.
 */
export const prefixed = (operator: UnaryOperator, value: unknown, budget: Budget): unknown => {
  // Members that a list has several times are measured and created as often.
  if (Array.isArray(value)) budget.compared(value)
  return applied(operator, value, budget)
}

const applied = (operator: UnaryOperator, value: unknown, budget: Budget): unknown => {
  if (Array.isArray(value)) return budget.list(value.map((member) => applied(operator, member, budget)))
  if (operator === "~") return complement(value, budget)
  if (!isNumber(value)) throw new OperandError(`${operator} takes a number, not ${typeName(value)}`)
  return operator === "+" ? value : negated(value)
}

const negated = (value: GremlinNumber): GremlinNumber => {
  // The least Byte has no opposite: as in Java it stays.
  if (value instanceof Byte) return new Byte((-value.value << 24) >> 24)
  if (value instanceof Short) return new Short((-value.value << 16) >> 16)
  if (typeof value === "number" && !isInt(value)) return double(-value)
  if (value instanceof BigDecimal || value instanceof BigInteger || !isIntegral(value)) return multiply(value, -1)
  return wrapped("-", 0, value)
}

const complement = (value: unknown, budget: Budget): unknown => {
  if (typeof value === "string") return budget.pattern(value)
  if (!isNumber(value) || !isIntegral(value)) {
    throw new OperandError(`~ takes an integer, a string or a list of these, not ${typeName(value)}`)
  }
  return typeof value === "number" ? ~value : calculated("-", negated(value), 1, budget)
}
