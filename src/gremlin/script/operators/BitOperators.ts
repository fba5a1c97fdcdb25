import { Byte, isInt, Short } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Operators on the bits of Ints and Longs, and `&`, `|` and `^` of booleans. Fails with OperandError for other operands. */
export const bitwise = (operator: "<<" | ">>" | ">>>" | "&" | "|" | "^", first: unknown, second: unknown): unknown => {
  const [left, right] = [widened(first), widened(second)]
  if (typeof left === "boolean" && typeof right === "boolean") {
    if (operator === "&") return left && right
    if (operator === "|") return left || right
    if (operator === "^") return left !== right
  }
  if (!isInteger(left) || !isInteger(right)) throw wrong(operator, left, right)
  const isShift = operator.length > 1
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

/** A Byte or a Short as an Int. */
const widened = (value: unknown): unknown => (value instanceof Byte || value instanceof Short ? value.value : value)

const isInteger = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && isInt(value))

/** The error of an operator that does not take these operands. */
export const wrong = (operator: string, left: unknown, right: unknown): OperandError =>
  new OperandError(`${operator} does not take ${typeName(left)} and ${typeName(right)}`)
