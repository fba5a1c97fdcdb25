import { double, Float, longOrBig } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { uuidOfText } from "../../../structure/scalars/Uuid.ts"
import { parseRealDate } from "../../../structure/times/Dates.ts"
import { instantOf } from "../../../structure/times/Instants.ts"
import { OffsetDateTime, Timestamp } from "../../../structure/times/Temporal.ts"
import { toNumber } from "../types/Casts.ts"
import { OperandError } from "../values/OperandErrors.ts"

// The values of index queries. A query is a text, so the data type of a key says which value a part of the text means.

/** The value that a text means; undefined for a text that is no value of the type. */
type Reading = (written: string) => unknown

/** More digits are read as a Double. */
const INTEGER = /^-?\d{1,1000}$/
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MILLIS = /^-?\d{5,15}$/

const readBoolean: Reading = (written) => (written === "true" ? true : written === "false" ? false : undefined)

/** A number of any size: the ends of a range may lie beyond the values of the data type. */
const readNumber: Reading = (written) => {
  if (INTEGER.test(written)) return longOrBig(BigInt(written))
  return DECIMAL.test(written) ? double(Number(written)) : undefined
}

/** A time as index backends read it: a date, a date with a time and an offset, or milliseconds since 1970. */
const readTime = (written: string): OffsetDateTime | undefined => {
  if (MILLIS.test(written)) return new OffsetDateTime(Number(written), 0, 0)
  try {
    return parseRealDate(written)
  } catch {
    return undefined
  }
}

const readDate: Reading = (written) => {
  const time = readTime(written)
  return time === undefined ? undefined : new Timestamp(time.epochMillis)
}

const readInstant: Reading = (written) => {
  const time = readTime(written)
  if (time === undefined) return undefined
  const seconds = Math.floor(time.epochMillis / 1000)
  return instantOf(seconds, (time.epochMillis - seconds * 1000) * 1_000_000 + time.nanos)
}

const A_TIME = "a time, such as 2024-01-31, 2024-01-31T10:00:00Z, or milliseconds since 1970"

/** How the values of data types are read, and what their texts are. */
const readings: ReadonlyMap<string, readonly [read: Reading, form: string]> = new Map([
  ["Boolean", [readBoolean, "true or false"]],
  ["UUID", [uuidOfText, "a UUID, such as 41d2e28a-20a4-4ab0-b379-d810dede3786"]],
  ["Date", [readDate, A_TIME]],
  ["Instant", [readInstant, A_TIME]],
  ["OffsetDateTime", [readTime, A_TIME]],
  ["Character", [(written) => (written.length === 1 ? new Char(written) : undefined), "a character"]],
  // A single-precision number differs from the double-precision number with the same digits.
  ["Float", [(written) => (DECIMAL.test(written) ? new Float(Number(written)) : undefined), "a number"]],
  ["BigDecimal", [(written) => (DECIMAL.test(written) ? toNumber(written, "BigDecimal") : undefined), "a number"]],
  ...["Byte", "Short", "Integer", "Long", "Double", "BigInteger"].map((type): [string, readonly [Reading, string]] => [
    type,
    [readNumber, "a number"]
  ]),
  ["Object", [(written: string) => readBoolean(written) ?? readNumber(written), "a number, true or false"]]
])

/** The value that an index query writes for a key of a data type that is no text. Fails with OperandError. */
export const indexFieldValue = (written: string, type: string, key: string): unknown => {
  const reading = readings.get(type)
  if (reading === undefined) {
    throw new OperandError(
      `an index query has no values of the type ${type}, which the key ${key} has: find these elements with a traversal, ` +
        `such as g.V().has('${key}', value)`
    )
  }
  const value = reading[0](written)
  if (value !== undefined) return value
  throw new OperandError(
    `${JSON.stringify(written.slice(0, 60))} is no value of the key ${key}, which has the type ${type}: write ${reading[1]}`
  )
}
