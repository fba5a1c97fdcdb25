import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { mapLike, setLike } from "../values/SortedCollections.ts"

/** A method that scripts may call on a value: how many arguments it takes, and what it does. */
export type Method = readonly [
  least: number,
  most: number,
  run: (value: never, args: readonly unknown[], budget: Budget) => unknown
]

/** Methods of one type of value, by name. */
export type Methods = { readonly [name: string]: Method }

/** How many arguments a method takes, for messages: `1 to 3`. */
export const argumentCount = (least: number, most: number): string =>
  least === most ? `${least}` : `${least} to ${most}`

/** A new collection with the same members. */
export const cloneMethod: Method = [
  0,
  0,
  (value: unknown[] | GremlinMap | GremlinSet, _, budget) => {
    if (value instanceof GremlinMap) return mapLike(value, budget.list([...value]) as Array<[unknown, unknown]>)
    return value instanceof GremlinSet ? setLike(value, budget.list([...value])) : budget.list([...value])
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
  const { length } = items
  if (index < -length || (typeof items === "string" && index >= length)) throw outside(items, index)
  return items.at(index) ?? null
}

/** The error of a position before the beginning of a list, or outside of a string. */
const outside = ({ length }: string | readonly unknown[], index: number): OperandError => {
  const problem = `index ${index} is out of bounds for length ${length}`
  if (index < -length) {
    const text = `Negative array index [${index}] too large for array size ${length}`
    return new OperandError(problem, "ArrayIndexOutOfBoundsException", text)
  }
  const text = `begin ${index}, end ${index + 1}, length ${length}`
  return new OperandError(problem, "StringIndexOutOfBoundsException", text)
}

/** Returns a range of `size` members of a list; without `to` it ends at `size`. Fails with OperandError if it is out of bounds. */
export const part = (size: number, from: unknown, to: unknown): readonly [from: number, to: number] => {
  const [start, end] = [asIndex(from), to === undefined ? size : asIndex(to)]
  if (start >= 0 && end <= size && start <= end) return [start, end]
  const problem = `the part from ${start} to ${end} is out of bounds for length ${size}`
  if (start >= 0 && end <= size) {
    throw new OperandError(problem, "IllegalArgumentException", `fromIndex(${start}) > toIndex(${end})`)
  }
  const text = start < 0 ? `fromIndex = ${start}` : `toIndex = ${end}`
  throw new OperandError(problem, "IndexOutOfBoundsException", text)
}

/** The part of a text from an index to another one; without `to` it ends with the text. Fails with OperandError if it is out of bounds. */
export const textPart = (text: string, from: unknown, to: unknown): string => {
  const [start, end] = [asIndex(from), to === undefined ? text.length : asIndex(to)]
  if (start >= 0 && end <= text.length && start <= end) return text.slice(start, end)
  throw new OperandError(
    `the part from ${start} to ${end} is out of bounds for length ${text.length}`,
    "StringIndexOutOfBoundsException",
    `begin ${start}, end ${end}, length ${text.length}`
  )
}

/** The index if the text has a character there. Fails with OperandError otherwise. */
export const withinText = (index: number, text: string): number => {
  if (index >= 0 && index < text.length) return index
  throw new OperandError(
    `index ${index} is out of bounds for length ${text.length}`,
    "StringIndexOutOfBoundsException",
    `String index out of range: ${index}`
  )
}
