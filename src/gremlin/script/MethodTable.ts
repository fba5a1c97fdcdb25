import { toDouble } from "../../structure/Arithmetic.ts"
import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { isNumber } from "../../structure/Numbers.ts"
import { typeName } from "../../structure/TypeNames.ts"
import type { Budget } from "./Budget.ts"
import { OperandError } from "./OperandErrors.ts"

/** A method that scripts may call on a value: how many arguments it takes, and what it does. */
export type Method = readonly [
  least: number,
  most: number,
  run: (value: never, args: readonly unknown[], budget: Budget) => unknown
]

/** Methods of one type of value, by name. */
export type Methods = { readonly [name: string]: Method }

/** A new collection with the same members. */
export const cloneMethod: Method = [
  0,
  0,
  (value: unknown[] | GremlinMap | GremlinSet, _, budget) => {
    if (value instanceof GremlinMap) return new GremlinMap(budget.list([...value]) as Array<[unknown, unknown]>)
    return value instanceof GremlinSet ? new GremlinSet(budget.list([...value])) : budget.list([...value])
  }
]

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

/** Returns the index if it is from 0 to `size - 1`. Fails with OperandError otherwise. */
export const within = (index: number, size: number): number => {
  if (index >= 0 && index < size) return index
  throw new OperandError(
    `index ${index} is out of bounds for length ${size}`,
    "IndexOutOfBoundsException",
    `Index ${index} out of bounds for length ${size}`
  )
}

/** The index of a member of an array. As in Groovy, a negative one counts from the end. Fails with OperandError outside of the array. */
export const withinArray = (index: number, size: number): number => within(index < 0 ? index + size : index, size)

/**
 * The item at a position, which counts from the end if it is negative. As in Groovy, a position after the end of a list is null,
 * and one before its beginning or outside of a string is an error.
 */
export const positioned = (items: string | readonly unknown[], index: number): unknown => {
  const isOutside = typeof items === "string" ? index >= items.length : false
  if (isOutside || index < -items.length) {
    throw new OperandError(`index ${index} is out of bounds for length ${items.length}`, "IndexOutOfBoundsException")
  }
  return items.at(index) ?? null
}

/** Returns a range of `size` elements; without `to` it ends at `size`. Fails with OperandError if it is out of bounds. */
export const part = (size: number, from: unknown, to: unknown): readonly [from: number, to: number] => {
  const start = asIndex(from)
  const end = to === undefined ? size : asIndex(to)
  if (start < 0 || end > size || start > end) {
    throw new OperandError(
      `the part from ${start} to ${end} is out of bounds for length ${size}`,
      "IndexOutOfBoundsException"
    )
  }
  return [start, end]
}
