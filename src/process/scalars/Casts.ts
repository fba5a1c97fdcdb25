import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { trimmed } from "../../structure/characters/JavaSpace.ts"
import { ArithmeticFailure, MalformedText } from "../../structure/errors/ValueErrors.ts"
import { castTo, toDouble } from "../../structure/numbers/Arithmetic.ts"
import {
  BigInteger,
  Byte,
  type GremlinNumber,
  isInt,
  isNumber,
  type NumberKind,
  Short
} from "../../structure/numbers/Numbers.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { dateOfMillis, parseDate } from "../../structure/times/Dates.ts"
import { OffsetDateTime, Timestamp } from "../../structure/times/Temporal.ts"
import { TraversalError } from "../language/Errors.ts"
import { itemsOf } from "./Items.ts"
import { parseNumber } from "./NumberParser.ts"
import { textWithin } from "./Texts.ts"

/** The steps that convert a value to another type: asString, asNumber, asBool, asDate. */

/** asString(): the text of any value except null. */
export const asString = (input: unknown): string => {
  if (input === null || input === undefined) throw new TraversalError("Can't parse null as String.")
  return typeof input === "string" ? input : textWithin("asString", input)
}

/** asString(Scope.local): the texts of the members of a list, set or path; the text of any other value. */
export function* asStringLocal(slice: TimeSlice, input: unknown): Task<string | string[]> {
  const items = itemsOf(input)
  if (items === undefined) return asString(input)
  const texts: Array<string> = []
  for (const item of items) {
    texts.push(asString(item))
    if (slice.isOverAfter(texts.length, item)) yield
  }
  return texts
}

/**
 * asNumber() and asNumber(GType): converts a number, a string that spells a number (see {@link parseNumber}), or a date (in
 * milliseconds) to `kind`. With null as `kind` a number keeps its kind. Null stays null.
 */
export const asNumber = (input: unknown, kind: NumberKind | null): GremlinNumber | null => {
  if (input === null || input === undefined) return null
  const number = numberOf(input)
  return kind === null ? number : castTo(number, kind)
}

const numberOf = (input: unknown): GremlinNumber => {
  if (isNumber(input)) return input
  if (typeof input === "string") return parseNumber(input)
  if (input instanceof Timestamp) return input.millis
  if (input instanceof OffsetDateTime) return BigInt(input.epochMillis)
  throw new TraversalError(`Can't parse type ${typeName(input)} as number.`)
}

/** asBool(): all numbers except 0 and NaN are true. Strings must be "true" or "false" in upper or lower case. */
export const asBool = (input: unknown): boolean => {
  if (typeof input === "boolean") return input
  if (isNumber(input)) {
    const number = toDouble(input)
    return number !== 0 && !Number.isNaN(number)
  }
  if (typeof input === "string") {
    const word = trimmed(input).toLowerCase()
    if (word === "true" || word === "false") return word === "true"
    throw new TraversalError(`Can't parse ${briefText(input)} as Boolean.`)
  }
  throw new TraversalError(`Can't parse ${typeName(input)} as Boolean.`)
}

/** asDate(): from a date, an integer in milliseconds since 1970 in UTC, or a string in a format of datetime(). */
export const asDate = (input: unknown): OffsetDateTime => {
  if (input instanceof OffsetDateTime) return input
  try {
    if (input instanceof Timestamp) return dateOfMillis(input.epochMillis)
    if (typeof input === "string") return parseDate(input)
    const millis = integerOf(input)
    if (millis !== undefined) return dateOfMillis(millis)
  } catch (error) {
    if (!(error instanceof MalformedText || error instanceof ArithmeticFailure)) throw error
    throw new TraversalError(`Can't parse ${briefText(input)} as OffsetDateTime. ${error.message}`)
  }
  throw new TraversalError(`Can't parse ${typeName(input)} as OffsetDateTime.`)
}

const integerOf = (input: unknown): number | undefined => {
  if (typeof input === "number") return isInt(input) ? input : undefined
  if (typeof input === "bigint") return Number(input)
  return input instanceof Byte || input instanceof Short || input instanceof BigInteger
    ? Number(input.value)
    : undefined
}
