import { ArithmeticFailure } from "../../structure/errors/ValueErrors.ts"
import { hasGeometry } from "../../structure/geoshapes/Geometries.ts"
import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../structure/geoshapes/WellKnownText.ts"
import { decimalText, parseDecimal } from "../../structure/numbers/Decimal.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  double,
  Float,
  isInt,
  isNumber,
  LONG_MAX,
  LONG_MIN,
  numberKind,
  Short
} from "../../structure/numbers/Numbers.ts"
import { Char } from "../../structure/scalars/Char.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { text } from "../../structure/texts/Text.ts"
import { dateText, isoTextOfTimestamp, parseRealDate } from "../../structure/times/Dates.ts"
import { durationText, parseDuration } from "../../structure/times/Durations.ts"
import { instantOf } from "../../structure/times/Instants.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../structure/times/Temporal.ts"
import { temporalFields } from "../TemporalFields.ts"

/** A type that the header of a column can name: `age:Int`. */
export interface CsvType {
  /** The name that this server writes. */
  readonly name: string
  /** The value of a field; undefined when the text is not of the type. */
  readonly parse: (text: string) => unknown
}

const whole = /^[+-]?\d+$/

const integer =
  (least: number, most: number, make: (value: number) => unknown) =>
  (field: string): unknown => {
    const value = Number(field)
    return whole.test(field) && value >= least && value <= most ? make(value + 0) : undefined
  }

const long = (field: string): unknown => {
  if (!whole.test(field)) return undefined
  const value = BigInt(field.replace("+", ""))
  return value >= LONG_MIN && value <= LONG_MAX ? value : undefined
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const special = /^(?:NaN|[+-]?Infinity)$/

/** The nearest number of the type, by `round`; undefined for a number beyond its range. */
const floating = (field: string, round = (value: number): number => value): number | undefined => {
  const text = field.trim()
  if (special.test(text)) return Number(text)
  const value = decimal.test(text) ? round(Number(text)) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** Converts a parser that throws to one that gives undefined. */
const attempted =
  <A>(parse: (field: string) => A) =>
  (field: string): A | undefined => {
    try {
      return parse(field)
    } catch {
      return undefined
    }
  }

/** The date of a text. One that is too far from 1970 for a datetime is written as an instant. */
const date = attempted((field: string): Timestamp => {
  try {
    return new Timestamp(parseRealDate(field).epochMillis)
  } catch (error) {
    if (!(error instanceof ArithmeticFailure)) throw error
  }
  const { epochSeconds, nanos } = temporalFields("Instant", field)
  const millis = epochSeconds * 1000n + BigInt(Math.floor(nanos / 1_000_000))
  if (millis >= LONG_MIN && millis <= LONG_MAX) return new Timestamp(millis)
  throw new ArithmeticFailure("The date is beyond those that a Long has.")
})

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const types: ReadonlyArray<CsvType> = [
  { name: "String", parse: (field) => field },
  { name: "Int", parse: integer(-(2 ** 31), 2 ** 31 - 1, (value) => value) },
  { name: "Long", parse: long },
  {
    name: "Double",
    parse: (field) => {
      const value = floating(field)
      return value === undefined ? undefined : double(value)
    }
  },
  {
    name: "Float",
    parse: (field) => {
      const value = floating(field, Math.fround)
      return value === undefined ? undefined : new Float(value)
    }
  },
  { name: "Boolean", parse: (field) => (/^true$/i.test(field) ? true : /^false$/i.test(field) ? false : undefined) },
  { name: "Byte", parse: integer(-128, 127, (value) => new Byte(value)) },
  { name: "Short", parse: integer(-32_768, 32_767, (value) => new Short(value)) },
  { name: "Date", parse: date },
  { name: "Datetime", parse: attempted(parseRealDate) },
  { name: "Duration", parse: attempted(parseDuration) },
  { name: "UUID", parse: (field) => (uuid.test(field) ? new Uuid(field) : undefined) },
  { name: "Character", parse: (field) => ([...field].length === 1 ? new Char(field) : undefined) },
  {
    name: "BigInteger",
    parse: (field) => (whole.test(field) ? new BigInteger(BigInt(field.replace("+", ""))) : undefined)
  },
  { name: "BigDecimal", parse: attempted(parseDecimal) },
  { name: "Instant", parse: (field) => instantOfText(field) },
  { name: "Geoshape", parse: attempted((field) => Geoshape.of(shapeOfText(field))) },
  {
    name: "Binary",
    parse: (field) =>
      base64.test(field) && field.length % 4 === 0 ? Uint8Array.from(Buffer.from(field, "base64")) : undefined
  }
]

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The instant of an ISO-8601 text; undefined for another text, and for a day or a time that does not exist. */
const instantOfText = attempted((field: string): Temporal => {
  const { epochSeconds, nanos } = temporalFields("Instant", field)
  return instantOf(epochSeconds, nanos)
})

/** Names that other programs use for the types. */
const others: Readonly<Record<string, string>> = {
  integer: "Int",
  bool: "Boolean",
  datetime: "Datetime",
  localdatetime: "Datetime",
  zoneddatetime: "Datetime",
  char: "Character",
  number: "Double"
}

const byName = new Map(types.map((type) => [type.name.toLowerCase(), type]))

/** The type with this name, in upper or lower case; undefined for an unknown name. */
export const csvType = (name: string): CsvType | undefined => {
  const lower = name.toLowerCase()
  return byName.get(lower) ?? byName.get((others[lower] ?? "").toLowerCase())
}

/** The type of columns without a type. */
export const stringType = byName.get("string")!

/** Names of all types, for messages. */
export const csvTypeNames: ReadonlyArray<string> = types.map(({ name }) => name)

/** The type and the text of a value; undefined when CSV has no type for it. */
export const csvValue = (value: unknown): { readonly type: string; readonly text: string } | undefined => {
  if (typeof value === "string") return { type: "String", text: value }
  if (typeof value === "boolean") return { type: "Boolean", text: String(value) }
  if (isNumber(value)) {
    // Numbers are written as in JavaScript. Java writes some numbers differently.
    if (typeof value === "number") {
      return isInt(value) ? { type: "Int", text: String(value) } : { type: "Double", text: numberText(value) }
    }
    if (value instanceof Float) return { type: "Float", text: text(value) }
    if (value instanceof BigDecimal) return { type: "BigDecimal", text: decimalText(value) }
    if (typeof value === "bigint") return { type: "Long", text: String(value) }
    return { type: numberKind(value), text: numberText(Number(value.value), value) }
  }
  if (value instanceof Timestamp) {
    return value.sql ? undefined : { type: "Date", text: isoTextOfTimestamp(value) }
  }
  if (value instanceof OffsetDateTime) return { type: "Datetime", text: dateText(value) }
  if (value instanceof Duration) return { type: "Duration", text: durationText(value) }
  if (value instanceof Uuid) return { type: "UUID", text: value.text }
  if (value instanceof Geoshape) {
    return hasGeometry(value.shape) ? { type: "Geoshape", text: String(value) } : undefined
  }
  if (value instanceof Temporal && value.name === "Instant" && instantOfText(value.text)?.text === value.text) {
    return { type: "Instant", text: value.text }
  }
  if (value instanceof Uint8Array) return { type: "Binary", text: Buffer.from(value).toString("base64") }
  return value instanceof Char ? { type: "Character", text: value.text } : undefined
}

const numberText = (value: number, exact?: { readonly value: number | bigint }): string => {
  if (exact !== undefined) return String(exact.value)
  return Object.is(value, -0) ? "-0.0" : String(value)
}
