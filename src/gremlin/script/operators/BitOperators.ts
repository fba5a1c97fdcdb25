import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { BigInteger, Byte, isInt, Short } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { counted, integerOf, MAX_BITS } from "../budget/Digits.ts"
import { OperandError } from "../values/OperandErrors.ts"

type BitOperator = "<<" | ">>" | ">>>" | "&" | "|" | "^"

/** Operators on the bits of integers, and `&`, `|` and `^` of booleans. Fails with OperandError for other operands. */
export const bitwise = (operator: BitOperator, first: unknown, second: unknown, budget: Budget): unknown => {
  const isShift = operator.length > 1
  const left = widened(first)
  // As in Groovy, the distance of a shift is converted, and the result has the type of the number.
  const right = isShift && second instanceof BigInteger ? BigInt.asIntN(64, second.value) : widened(second)
  if (typeof left === "boolean" && typeof right === "boolean") {
    if (operator === "&") return left && right
    if (operator === "|") return left || right
    if (operator === "^") return left !== right
  }
  if (left instanceof BigInteger || right instanceof BigInteger) return unbounded(operator, left, right, budget)
  if (!isInteger(left) || !isInteger(right)) throw wrong(operator, left, right)
  if (typeof left === "number" && (isShift || typeof right === "number")) {
    const other = Number(right)
    switch (operator) {
      case "<<":
        return left << other
      case ">>":
        return left >> other
      case ">>>":
        return (left >>> other) | 0
      case "&":
        return left & other
      case "|":
        return left | other
      default:
        return left ^ other
    }
  }
  const [long, other] = [BigInt(left), BigInt(right)]
  switch (operator) {
    case "<<":
      return BigInt.asIntN(64, long << (other & 63n))
    case ">>":
      return long >> (other & 63n)
    case ">>>":
      return BigInt.asIntN(64, BigInt.asUintN(64, long) >> (other & 63n))
    case "&":
      return long & other
    case "|":
      return long | other
    default:
      return long ^ other
  }
}

const wholeOf = (value: unknown): bigint | undefined => {
  if (value instanceof BigInteger) return value.value
  return isInteger(value) ? BigInt(value) : undefined
}

/** An operator on a BigInteger and another integer. */
const unbounded = (operator: BitOperator, left: unknown, right: unknown, budget: Budget): BigInteger => {
  const [value, other] = [wholeOf(left), wholeOf(right)]
  if (value === undefined || other === undefined) throw wrong(operator, left, right)
  counted(budget)
  switch (operator) {
    case "<<":
      return integerOf(shifted(value, other), budget)
    case ">>":
      return integerOf(shifted(value, -other), budget)
    case ">>>":
      throw new OperandError(
        "a BigInteger has no bits to the left of its sign, which >>> needs: write >>",
        "UnsupportedOperationException"
      )
    case "&":
      return integerOf(value & other, budget)
    case "|":
      return integerOf(value | other, budget)
    default:
      return integerOf(value ^ other, budget)
  }
}

/** Moves the bits to the left, or for a negative distance to the right. */
const shifted = (value: bigint, distance: bigint): bigint => {
  if (distance > BigInt(MAX_BITS) && value !== 0n) {
    throw new ArithmeticFailure(`A BigInteger is shifted by at most ${MAX_BITS} bits.`)
  }
  if (BigInt.asIntN(32, distance) !== distance) throw new OperandError("the distance of a shift is an Int in scripts")
  if (value === 0n) return value
  return distance >= 0n ? value << distance : value >> -distance
}

/** A Byte or a Short as an Int. */
const widened = (value: unknown): unknown => (value instanceof Byte || value instanceof Short ? value.value : value)

const isInteger = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && isInt(value))

/** The error of an operator that does not take these operands. */
export const wrong = (operator: string, left: unknown, right: unknown): OperandError =>
  new OperandError(`${operator} does not take ${typeName(left)} and ${typeName(right)}`)
