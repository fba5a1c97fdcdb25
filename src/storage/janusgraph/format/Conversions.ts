import { Geoshape } from "../../../structure/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, isNumber, Short } from "../../../structure/Numbers.ts"
import { Char, Duration, OffsetDateTime, Temporal, Timestamp, Uuid } from "../../../structure/Temporal.ts"
import { text } from "../../../structure/Text.ts"
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
  const date = typeof value === "string" ? dateOfText(value) : undefined
  if (date !== undefined) return date
  return mapped(integer(value, 54), (millis) => new Timestamp(Number(millis)))
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?(?:Z|([+-]\d\d):?(\d\d))?)?$/

/** The date of an ISO-8601 text, with or without a time, in UTC if it names no offset; undefined for another text. */
const dateOfText = (text: string): Timestamp | undefined => {
  const [found, date, time = "00:00", fraction = "", hours, minutes] = isoDate.exec(text) ?? []
  if (found === undefined || (fraction !== "" && time.length === 5)) return undefined
  const offset = hours === undefined ? "Z" : `${hours}:${minutes}`
  // Parts of a millisecond are left out.
  const millis = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${offset}`)
  const day = Date.parse(text.slice(0, 10))
  const isReal = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10))
  return isReal && !Number.isNaN(millis) ? new Timestamp(millis) : undefined
}

/** A Boolean from `"true"`, `"false"` (in upper or lower case), 1 or 0; undefined for other values. */
export const asBoolean = (value: unknown): boolean | undefined => {
  if (typeof value === "string" && /^(true|false)$/i.test(value)) return value.length === 4
  const number = typeof value === "string" ? undefined : numeric(value)
  return number === undefined ? undefined : Number(number) === 1 ? true : Number(number) === 0 ? false : undefined
}

/** The text of a Boolean, a number, a UUID, a character, a date, a duration or a shape, as Java writes it; undefined for other values. */
export const asText = (value: unknown): string | undefined => {
  if (value instanceof Uuid || value instanceof Char) return value.text
  const isScalar =
    typeof value === "boolean" || isNumber(value) || value instanceof Geoshape || value instanceof Duration
  return isScalar || value instanceof Timestamp || value instanceof Temporal ? text(value) : undefined
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
