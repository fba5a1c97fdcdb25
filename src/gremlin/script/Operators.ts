import { add, divide, multiply, subtract, toBigDecimal, toBigInt, toDouble } from "../../structure/Arithmetic.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { compare } from "../../structure/Comparison.ts"
import { divideDecimals } from "../../structure/Decimal.ts"
import { equals } from "../../structure/Equality.ts"
import {
  BigDecimal,
  BigInteger,
  double,
  Float,
  type GremlinNumber,
  isInt,
  isNumber,
  numberKind
} from "../../structure/Numbers.ts"
import { indexIn } from "../../structure/TextSearch.ts"
import { typeName } from "../../structure/TypeNames.ts"
import type { BinaryOperator } from "../Script.ts"
import { type Budget, membersOf, OperandError } from "./Budget.ts"

// The operators of scripts. They throw OperandError for operands that they do not accept.

/** The truth value of an operand, as in Groovy: null, false, 0, empty strings and empty collections are false. */
export const isTrue = (value: unknown): boolean => {
  if (typeof value === "boolean") return value
  if (value === null || value === undefined || value === "") return false
  if (isNumber(value)) return toDouble(value) !== 0
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet) return value.size > 0
  return true
}

/** Operators whose right operand is always evaluated. The interpreter implements the others. */
export type StrictOperator = Exclude<BinaryOperator, "&&" | "||" | "?:">

/**
 * The value of `left operator right`. `<<` appends to the list `left` in place. Throws OperandError for operands that the
 * operator does not accept.
 */
export const binary = (operator: StrictOperator, left: unknown, right: unknown, budget: Budget): unknown => {
  switch (operator) {
    case "==":
      return areEqual(left, right, budget)
    case "!=":
      return !areEqual(left, right, budget)
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isOrdered(operator, left, right)
    case "in":
      return contains(right, left, budget)
    case "<<":
      if (!Array.isArray(left)) throw wrong(operator, left, right)
      left.push(budget.member(right))
      return left
    case "+":
      return plus(left, right, budget)
    default:
      return arithmetic(operator, left, right, budget)
  }
}

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : value instanceof GremlinMap ? value.size : 1

const areEqual = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (sizeOf(left) === sizeOf(right)) budget.compared(left)
  return equals(left, right)
}

const isOrdered = (operator: "<" | "<=" | ">" | ">=", left: unknown, right: unknown): boolean => {
  const result = compare(left, right)
  if (result === undefined) {
    // NaN is neither less nor greater than any number.
    if (isNumber(left) && isNumber(right)) return false
    throw wrong(operator, left, right)
  }
  switch (operator) {
    case "<":
      return result < 0
    case "<=":
      return result <= 0
    case ">":
      return result > 0
    default:
      return result >= 0
  }
}

/**
 * Returns whether the container contains the value: a collection as a member, a map as a key, a string as a part. Throws
 * OperandError for other containers.
 */
export const contains = (container: unknown, value: unknown, budget: Budget): boolean => {
  if (container instanceof GremlinSet || container instanceof GremlinMap) return container.has(value)
  if (container instanceof BulkSet) return container.count(value) > 0
  if (typeof container === "string" && typeof value === "string") return indexIn(container, value) >= 0
  const members = membersOf(container, "looking for a member")
  budget.spend(members.length, "looking for a member")
  return members.some((member) => equals(member, value))
}

const isMembers = (value: unknown): boolean =>
  Array.isArray(value) || value instanceof GremlinSet || value instanceof BulkSet

const joined = (left: readonly unknown[], right: unknown, budget: Budget): Array<unknown> =>
  budget.list([...left, ...(isMembers(right) ? membersOf(right, "+") : [right]).map((item) => budget.member(item))])

const plus = (left: unknown, right: unknown, budget: Budget): unknown => {
  if (isNumber(left) && isNumber(right)) return calculated(add, left, right, budget)
  if (typeof left === "string" || typeof right === "string")
    return budget.string(budget.text(left) + budget.text(right))
  if (left instanceof GremlinMap && right instanceof GremlinMap) {
    budget.spend(left.size + right.size, "+")
    return new GremlinMap([...left, ...right])
  }
  if (Array.isArray(left)) return joined(left, right, budget)
  if (left instanceof GremlinSet) return new GremlinSet(joined([...left], right, budget))
  throw wrong("+", left, right)
}

const arithmetic = (operator: "-" | "*" | "/" | "%", left: unknown, right: unknown, budget: Budget): unknown => {
  if (isNumber(left) && isNumber(right)) return calculated(calculations[operator], left, right, budget)
  if (operator === "-" && Array.isArray(left)) {
    const removed = new GremlinSet(isMembers(right) ? membersOf(right, "-") : [right])
    budget.spend(left.length + removed.size, "-")
    return left.filter((item) => !removed.has(item))
  }
  if (operator === "*" && typeof left === "string" && isNumber(right)) return repeated(left, right, budget)
  throw wrong(operator, left, right)
}

/** `"ab" * 3` is "ababab". */
const repeated = (part: string, times: GremlinNumber, budget: Budget): string => {
  const count = Math.trunc(toDouble(times))
  if (!(count >= 0)) throw new OperandError("a string is repeated 0 times or more: put such a number behind the *")
  return budget.repeated(part, count)
}

/** Runs an arithmetic operation. Numbers of unlimited length count as 10,000 items of the budget, because they take longer. */
const calculated = (
  operation: (left: GremlinNumber, right: GremlinNumber) => GremlinNumber,
  left: GremlinNumber,
  right: GremlinNumber,
  budget: Budget
): GremlinNumber => {
  const unbounded = [left, right].some((it) => it instanceof BigInteger || it instanceof BigDecimal)
  budget.spend(unbounded ? 10_000 : 1, "calculating")
  return operation(left, right)
}

const isIntegral = (value: GremlinNumber): boolean => {
  const kind = numberKind(value)
  return kind !== "Float" && kind !== "Double" && kind !== "BigDecimal"
}

/** Divides as Groovy does: 7 / 2 is the BigDecimal 3.5. Integers that divide without a remainder give an integer. */
const quotient = (left: GremlinNumber, right: GremlinNumber): GremlinNumber => {
  if (!isIntegral(left) || !isIntegral(right)) return divide(left, right)
  const divisor = toBigInt(right)
  if (divisor === 0n || toBigInt(left) % divisor === 0n) return divide(left, right)
  return divideDecimals(toBigDecimal(left), toBigDecimal(right))
}

const remainder = (left: GremlinNumber, right: GremlinNumber): GremlinNumber => {
  if (isIntegral(left) && isIntegral(right)) return subtract(left, multiply(divide(left, right), right))
  if (left instanceof BigDecimal || right instanceof BigDecimal) {
    throw new OperandError("the remainder of a BigDecimal is not calculated; use Doubles or integers")
  }
  const value = toDouble(left) % toDouble(right)
  return left instanceof Float && right instanceof Float ? new Float(value) : double(value)
}

const calculations = { "-": subtract, "*": multiply, "/": quotient, "%": remainder } as const

/** The value of `-x`. Throws OperandError if x is not a number. */
export const negate = (value: unknown): unknown => {
  if (!isNumber(value)) throw new OperandError(`- takes a number, not ${typeName(value)}`)
  if (typeof value === "number" && !isInt(value)) return double(-value)
  return isIntegral(value) ? subtract(0, value) : multiply(value, -1)
}

const wrong = (operator: string, left: unknown, right: unknown): OperandError =>
  new OperandError(`${operator} does not take ${typeName(left)} and ${typeName(right)}`)
