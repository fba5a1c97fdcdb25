import { isInt } from "../../../structure/numbers/Numbers.ts"
import type { BinaryOperator } from "../../Script.ts"

/** The value of an operator on two Ints; undefined where the general operator decides, such as for a division by 0. */
export type IntOperator = (left: number, right: number) => number | boolean | undefined

/** Operators that give an Int or a boolean for two Ints. Sums and products wrap around, as in Groovy. */
const intOperators: ReadonlyMap<BinaryOperator, IntOperator> = new Map<BinaryOperator, IntOperator>([
  ["+", (left, right) => (left + right) | 0],
  ["-", (left, right) => (left - right) | 0],
  ["*", Math.imul],
  ["%", (left, right) => (right === 0 ? undefined : (left % right) | 0)],
  ["==", (left, right) => left === right],
  ["!=", (left, right) => left !== right],
  ["<", (left, right) => left < right],
  ["<=", (left, right) => left <= right],
  [">", (left, right) => left > right],
  [">=", (left, right) => left >= right],
  ["<=>", (left, right) => (left < right ? -1 : left > right ? 1 : 0)],
  ["&", (left, right) => left & right],
  ["|", (left, right) => left | right],
  ["^", (left, right) => left ^ right]
])

/** The operator for two Ints, which takes less time than the general one; undefined for other operators. */
export const intOperator = (operator: BinaryOperator): IntOperator | undefined => intOperators.get(operator)

/** True if both are Ints. */
export const areInts = (left: unknown, right: unknown): boolean =>
  typeof left === "number" && typeof right === "number" && isInt(left) && isInt(right)
