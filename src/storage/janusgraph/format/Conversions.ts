import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { shapeOfGeometry } from "../../../structure/geoshapes/Geometries.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../../structure/geoshapes/WellKnownText.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  Double,
  Float,
  isInt,
  isNumber,
  Short
} from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { text } from "../../../structure/texts/Text.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"

/** Conversions of values that a property key of another data type accepts. */

/** Digits after the point, or zeros before it, of a BigDecimal that is read exactly: a Double has no larger exponent. */
const MAX_EXACT_SCALE = 308

/** The value of a BigDecimal: exact if it is whole, else the nearest Double. */
const valueOfDecimal = ({ scale, unscaled }: BigDecimal): number | bigint => {
  const unit = 10n ** BigInt(Math.min(Math.abs(scale), MAX_EXACT_SCALE))
  if (scale <= 0 && scale >= -MAX_EXACT_SCALE) return unscaled * unit
  const isWhole = scale > 0 && scale <= MAX_EXACT_SCALE && unscaled % unit === 0n
  return isWhole ? unscaled / unit : Number(`${unscaled}e${-scale}`)
}

/** The numeric value of a number of any type; undefined for other values. A BigDecimal keeps its fraction. */
const numeric = (value: unknown): number | bigint | undefined => {
  if (typeof value === "number" || typeof value === "bigint") return value
  if (value instanceof Byte || value instanceof Short || value instanceof Float || value instanceof Double) {
    return value.value
  }
  if (value instanceof BigInteger) return value.value
  return value instanceof BigDecimal ? valueOfDecimal(value) : undefined
}

/** The digits, the exponent and the suffix of a number as Java's Double.parseDouble() reads it. */
const javaDecimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[dDfF]?$)/
const javaHexadecimal = /^([+-]?)0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d+)[dDfF]?$/

/** The number of a text that Java's Double.parseDouble() reads, such as `1.5`, `NaN`, `-Infinity` and `0x1p3`; else undefined. */
const decimalOfText = (given: string): number | undefined => {
  const text = given.trim()
  const special = /^([+-]?)(NaN|Infinity)$/.exec(text)
  if (special !== null) return special[2] === "NaN" ? Number.NaN : special[1] === "-" ? -Infinity : Infinity
  const [decimal] = javaDecimal.exec(text) ?? []
  if (decimal !== undefined) return Number(decimal)
  const [, sign, whole = "", fraction = "", exponent] = javaHexadecimal.exec(text) ?? []
  const digits = `${whole}${fraction}`
  // More digits than these would be rounded.
  if (digits === "" || digits.length > MAX_HEX_DIGITS) return undefined
  const number = Number(`0x${digits}`) * 2 ** (Number(exponent) - 4 * fraction.length)
  return sign === "-" ? -number : number
}

/** Digits of a hexadecimal number that a Double has exactly. */
const MAX_HEX_DIGITS = 13

/** A number, or a text that Java reads as one, as a Double; undefined for other values. */
export const decimal = (value: unknown): number | undefined =>
  typeof value === "string" ? decimalOfText(value) : mapped(numeric(value), Number)

/**
 * A number, or a text that Java reads as one, as a Float. A Double that no Float can have is undefined; a text becomes the nearest
 * Float, or infinite, as in Java.
 */
export const single = (value: unknown): number | undefined => {
  const number = decimal(value)
  const isTooLarge = number !== undefined && typeof value !== "string" && Math.abs(number) > LARGEST_FLOAT
  return isTooLarge && !(value instanceof Float) ? undefined : number
}

/** Java's Float.MAX_VALUE. */
const LARGEST_FLOAT = 3.4028234663852886e38

/**
 * A value as a whole number of `bits` bits; undefined when the conversion would lose something. JanusGraph's rule:
 * numbers of other types, and texts of digits, are converted.
 */
export const integer = (value: unknown, bits: number): bigint | undefined => {
  const isDigits = typeof value === "string" && /^[+-]?\d+$/.test(value)
  const number = isDigits ? BigInt(value.replace("+", "")) : numeric(value)
  if (number === undefined) return undefined
  // A BigDecimal that is not exact may be rounded to a whole number.
  if (typeof number === "number" && (value instanceof BigDecimal || !Number.isInteger(number))) return undefined
  const whole = BigInt(number)
  return BigInt.asIntN(bits, whole) === whole ? whole : undefined
}

/** Applies `make` unless the value is undefined. */
export const mapped = <A, B>(value: A | undefined, make: (value: A) => B): B | undefined =>
  value === undefined ? undefined : make(value)

/**
 * A date from a date of another type, milliseconds since the epoch, or a text of ISO 8601 or RFC 1123; undefined for other values. As in
 * JanusGraph, a Double or a Float is no number of milliseconds.
 */
export const asTimestamp = (value: unknown): Timestamp | undefined => {
  if (value instanceof OffsetDateTime) return new Timestamp(value.epochMillis)
  if (value instanceof Timestamp) return new Timestamp(value.millis)
  const date = typeof value === "string" ? (dateOfText(value) ?? dateOfMail(value)) : undefined
  if (date !== undefined) return date
  if (typeof value === "number" ? !isInt(value) : value instanceof Double || value instanceof Float) return undefined
  return mapped(integer(value, 64), (millis) => new Timestamp(millis))
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

/** `Tue, 1 Jan 2019 10:20:30 GMT`; the day of the week and the seconds may be missing. */
const mailDate = /^(?:([a-z]{3}), )?(\d{1,2}) ([a-z]{3}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))? (?:GMT|([+-]\d\d)(\d\d))$/i

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** The date of a text of RFC 1123, as Java reads it: a day after the last one of its month is the last one. Undefined for another text. */
const dateOfMail = (text: string): Timestamp | undefined => {
  const [found, weekday, day, month, year, hours, minutes, seconds = "0", offsetHours = "0", offsetMinutes = "0"] =
    mailDate.exec(text) ?? []
  if (found === undefined) return undefined
  const monthIndex = months.indexOf(month!.toLowerCase())
  const date = new Date(0)
  date.setUTCFullYear(Number(year), monthIndex + 1, 0)
  if (monthIndex === -1 || Number(day) < 1 || Number(day) > 31) return undefined
  date.setUTCDate(Math.min(Number(day), date.getUTCDate()))
  if (weekday !== undefined && weekdays[date.getUTCDay()] !== weekday.toLowerCase()) return undefined
  const second = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  if (Number(minutes) > 59 || Number(seconds) > 59 || second > 24 * 3600) return undefined
  const sign = offsetHours.startsWith("-") ? -1 : 1
  const offset = Math.abs(Number(offsetHours)) * 60 + Number(offsetMinutes)
  if (Number(offsetMinutes) > 59 || offset > 18 * 60) return undefined
  return new Timestamp(date.getTime() + second * 1000 - sign * offset * 60_000)
}

/** A Boolean from `"true"`, `"false"` (in upper or lower case), 1 or 0; undefined for other values. */
export const asBoolean = (value: unknown): boolean | undefined => {
  if (typeof value === "string" && /^(true|false)$/i.test(value)) return value.length === 4
  const number = typeof value === "string" ? undefined : numeric(value)
  return number === undefined ? undefined : Number(number) === 1 ? true : Number(number) === 0 ? false : undefined
}

/**
 * The text of a Boolean, a number, a UUID, a character, a date, a duration, a shape, or a collection of values, as Java writes it;
 * undefined for other values.
 */
export const asText = (value: unknown): string | undefined => {
  if (Array.isArray(value) || value instanceof GremlinMap || value instanceof GremlinSet) return text(value)
  if (value instanceof Uuid || value instanceof Char) return value.text
  const isScalar =
    typeof value === "boolean" || isNumber(value) || value instanceof Geoshape || value instanceof Duration
  return isScalar || value instanceof Timestamp || value instanceof Temporal ? text(value) : undefined
}

/** A number of a list; in a text, each part is a text. */
const numberOfPart = (part: unknown, isText: boolean): number | undefined =>
  isText || typeof part !== "string" ? decimal(part) : undefined

/**
 * A shape from numbers or their text (`46.95,7.45`), as JanusGraph: two are a point, three a circle and four a box. Also from a map that
 * is a geometry or a feature of GeoJSON, and from well-known text. Undefined for other values and for coordinates out of range.
 */
export const asShape = (value: unknown): Geoshape | undefined => {
  const parts = typeof value === "string" ? value.split(/[,;]/) : Array.isArray(value) ? value : []
  const numbers = parts.flatMap((part) => numberOfPart(part, typeof value === "string") ?? [])
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers
  try {
    if (value instanceof GremlinMap) {
      return shapeOfGeometry(value.get("type") === "Feature" ? value.get("geometry") : value)
    }
    if (parts.length > 0 && numbers.length === parts.length) {
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
