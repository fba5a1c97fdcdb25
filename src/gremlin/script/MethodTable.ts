import { toDouble } from "../../structure/Arithmetic.ts"
import { isNumber } from "../../structure/Numbers.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { type Budget, OperandError } from "./Budget.ts"

/** A method that scripts may call on a value: how many arguments it takes, and what it does. */
export type Method = readonly [
  least: number,
  most: number,
  run: (value: never, args: readonly unknown[], budget: Budget) => unknown
]

/** Methods of one type of value, by name. */
export type Methods = { readonly [name: string]: Method }

/** The value as a string. Fails with OperandError. */
export const asText = (value: unknown): string => {
  if (typeof value === "string") return value
  throw new OperandError(`a string was expected, not ${typeName(value)}`)
}

/** The value as an integer, for positions and lengths. Fails with OperandError. */
export const asIndex = (value: unknown): number => {
  const index = isNumber(value) ? toDouble(value) : Number.NaN
  if (Number.isInteger(index)) return index
  throw new OperandError(`an integer was expected, not ${typeName(value)}`)
}

/** The index, when it is inside of the size. Fails with OperandError. */
export const within = (index: number, size: number): number => {
  if (index >= 0 && index < size) return index
  throw new OperandError(`index ${index} is out of bounds for length ${size}`)
}

/** The start and end of a part, when it lies inside. Fails with OperandError. */
export const part = (size: number, from: unknown, to: unknown): readonly [from: number, to: number] => {
  const start = asIndex(from)
  const end = to === undefined ? size : asIndex(to)
  if (start < 0 || end > size || start > end) {
    throw new OperandError(`the part from ${start} to ${end} is out of bounds for length ${size}`)
  }
  return [start, end]
}
