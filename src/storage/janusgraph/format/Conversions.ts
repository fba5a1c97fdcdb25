import { Geoshape } from "../../../structure/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, isInt, Short } from "../../../structure/Numbers.ts"
import { Char, OffsetDateTime, Timestamp, Uuid } from "../../../structure/Temporal.ts"
import { shapeOfText } from "../../../structure/WellKnownText.ts"

/** Conversions of values that a property key of another data type accepts. */

/**
 * The numeric value of a number of any type, or of a text that is a decimal number; undefined for other values. A
 * BigDecimal keeps its fraction.
 */
export const numeric = (value: unknown): number | bigint | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return value
  if (value instanceof Byte || value instanceof Short || value instanceof Float || value instanceof Double) {
    return value.value
  }
  if (value instanceof BigInteger) return value.value
  if (value instanceof BigDecimal) return Number(`${value.unscaled}e${-value.scale}`)
  if (typeof value !== "string" || value.trim() === "" || !/^[+-]?[\d.]+([eE][+-]?\d+)?$/.test(value)) return undefined
  return /^[+-]?\d+$/.test(value) ? BigInt(value.replace("+", "")) : Number(value)
}

/**
 * A value as a whole number of `bits` bits; undefined when the conversion would lose something. JanusGraph's rule:
 * numbers of other types and their texts are converted.
 */
export const integer = (value: unknown, bits: number): bigint | undefined => {
  const number = numeric(value)
  if (number === undefined || (typeof number === "number" && !Number.isInteger(number))) return undefined
  const whole = BigInt(number)
  return BigInt.asIntN(bits, whole) === whole ? whole : undefined
}

/** Applies `make` unless the value is undefined. */
export const mapped = <A, B>(value: A | undefined, make: (value: A) => B): B | undefined =>
  value === undefined ? undefined : make(value)

/** A date from a date of another type, milliseconds since the epoch or an ISO-8601 text; undefined for other values. */
export const asTimestamp = (value: unknown): Timestamp | undefined => {
  if (value instanceof OffsetDateTime) return new Timestamp(value.epochMillis)
  if (value instanceof Timestamp) return new Timestamp(value.epochMillis)
  if (typeof value === "string") return dateOfText(value)
  return mapped(integer(value, 54), (millis) => new Timestamp(Number(millis)))
}

/** The date of an ISO-8601 text in UTC, with or without a time; undefined for another text. */
const dateOfText = (text: string): Timestamp | undefined => {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const millis = Date.parse(text)
  const day = Date.parse(text.slice(0, 10))
  const isReal = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10))
  return isReal && !Number.isNaN(millis) ? new Timestamp(millis) : undefined
}

/** A Boolean from `"true"`, `"false"`, 1 or 0; undefined for other values. */
export const asBoolean = (value: unknown): boolean | undefined => {
  if (value === "true" || value === "false") return value === "true"
  const number = typeof value === "string" ? undefined : numeric(value)
  return number === undefined ? undefined : Number(number) === 1 ? true : Number(number) === 0 ? false : undefined
}

/** The text of a Boolean, an int, a long, a UUID or a character; undefined for other values. */
export const asText = (value: unknown): string | undefined => {
  if (typeof value === "boolean" || typeof value === "bigint") return String(value)
  if (typeof value === "number" && isInt(value)) return String(value)
  if (value instanceof Uuid || value instanceof Char) return value.text
  return undefined
}

/**
 * A shape from numbers or their text (`46.95,7.45`), as JanusGraph: two are a point, three a circle and four a box. Also from
 * well-known text. Undefined for other values and for coordinates out of range.
 */
export const asShape = (value: unknown): Geoshape | undefined => {
  const parts = typeof value === "string" ? value.split(/[,;]/) : Array.isArray(value) ? value : []
  const numbers = parts.map((part) => Number(numeric(typeof part === "string" ? part.trim() : part)))
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers
  try {
    if (parts.length > 0 && !numbers.some(Number.isNaN)) {
      if (numbers.length === 2) return Geoshape.point(first, second)
      if (numbers.length === 3) return Geoshape.circle(first, second, third)
      return numbers.length === 4 ? Geoshape.box(first, second, third, fourth) : undefined
    }
    return typeof value === "string" ? Geoshape.of(shapeOfText(value)) : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A UUID as text, in upper or lower case. */
export const uuidText = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
