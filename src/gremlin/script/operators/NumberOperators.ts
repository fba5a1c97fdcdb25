import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { bytesOf } from "../../../structure/memory/HeldBytes.ts"
import {
  add,
  divide,
  multiply,
  subtract,
  toBigDecimal,
  toBigInt,
  toDouble
} from "../../../structure/numbers/Arithmetic.ts"
import { divideDecimals } from "../../../structure/numbers/Decimal.ts"
import { BigDecimal, BigInteger, double, Float, type GremlinNumber, isInt } from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { isIntegral } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"

// Arithmetic by Groovy's rules: Ints and Longs wrap around, a quotient of integers is a BigDecimal, and an operation with a Float
// or a Double gives a Double. Traversals have other rules (structure/numbers/Arithmetic.ts).

/** Items of the budget that an operation on numbers of unlimited length counts. */
const UNBOUNDED_OPERATION_ITEMS = 10_000

/** Bytes of a number that count as one item that the script made. As a number of bits to shift. */
const CREATED_BYTES_SHIFT = 6

type Operator = "+" | "-" | "*" | "/" | "%"

/** The value of an operation on two numbers. Throws ArithmeticFailure for a division of an integer by 0. */
export const calculated = (
  operator: Operator,
  left: GremlinNumber,
  right: GremlinNumber,
  budget: Budget
): GremlinNumber => {
  if (typeof left === "number" && typeof right === "number" && isInt(left) && isInt(right)) {
    budget.spend(1, "calculating")
    if (operator === "/") return quotient(left, right)
    if (operator !== "%") return wrapped(operator, left, right)
    // The remainder of Ints is an Int, also that of the smallest Int by -1.
    return right === 0 ? remainder(left, right) : (left % right) | 0
  }
  const isUnbounded = isUnlimited(left) || isUnlimited(right)
  budget.spend(isUnbounded ? UNBOUNDED_OPERATION_ITEMS : 1, "calculating")
  if (isFloating(left) || isFloating(right)) return ofDoubles(operator, toDouble(left), toDouble(right))
  if (operator === "/") return quotient(left, right)
  if (operator === "%") return remainder(left, right)
  if (!isUnbounded) return wrapped(operator, left, right)
  const value = operator === "+" ? add(left, right) : operator === "-" ? subtract(left, right) : multiply(left, right)
  budget.created(bytesOf(value instanceof BigDecimal ? value.unscaled : value) >> CREATED_BYTES_SHIFT)
  return value
}

const isUnlimited = (value: GremlinNumber): boolean => value instanceof BigInteger || value instanceof BigDecimal

/** True for a Float or a Double. */
export const isFloating = (value: GremlinNumber): boolean =>
  value instanceof Float || (!isIntegral(value) && !(value instanceof BigDecimal))

const ofDoubles = (operator: Operator, left: number, right: number): GremlinNumber => {
  switch (operator) {
    case "+":
      return double(left + right)
    case "-":
      return double(left - right)
    case "*":
      return double(left * right)
    case "/":
      return double(left / right)
    default:
      return double(left % right)
  }
}

/** A sum, difference or product of Bytes, Shorts, Ints or Longs. It wraps around at the bounds of Int or Long. */
export const wrapped = (operator: "+" | "-" | "*", left: GremlinNumber, right: GremlinNumber): GremlinNumber => {
  if (typeof left !== "bigint" && typeof right !== "bigint") {
    const [a, b] = [toDouble(left), toDouble(right)]
    if (operator === "*") return Math.imul(a, b)
    return operator === "+" ? (a + b) | 0 : (a - b) | 0
  }
  const [a, b] = [toBigInt(left), toBigInt(right)]
  return BigInt.asIntN(64, operator === "*" ? a * b : operator === "+" ? a + b : a - b)
}

/** The quotient of integers and BigDecimals: a BigDecimal. */
const quotient = (left: GremlinNumber, right: GremlinNumber): GremlinNumber => {
  const divisor = toBigDecimal(right)
  if (divisor.unscaled === 0n) throw new ArithmeticFailure("Division by zero")
  return divideDecimals(toBigDecimal(left), divisor)
}

const remainder = (left: GremlinNumber, right: GremlinNumber): GremlinNumber => {
  if (left instanceof BigDecimal || right instanceof BigDecimal) {
    throw new OperandError("% does not support BigDecimal; use Doubles or integers")
  }
  const rest = subtract(left, multiply(wholeQuotient(left, right), right))
  if (!isUnlimited(left) && !isUnlimited(right)) return rest
  // Groovy calls mod() of BigInteger, whose result is not negative.
  if (toDouble(right) < 0) throw new ArithmeticFailure("BigInteger: modulus not positive")
  return toDouble(rest) < 0 ? add(rest, right) : rest
}

/** The integral quotient of integers. Throws ArithmeticFailure with Java's message for a division by 0. */
export const wholeQuotient = (left: GremlinNumber, right: GremlinNumber): GremlinNumber => {
  if (toDouble(right) === 0) throw new ArithmeticFailure("/ by zero")
  return divide(left, right)
}
