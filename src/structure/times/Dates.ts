import { ArithmeticFailure, MalformedText } from "../errors/ValueErrors.ts"
import { civil, instantOf } from "./Instants.ts"
import { isoDate, isoTime, twoDigits } from "./IsoText.ts"
import { OffsetDateTime, type Timestamp } from "./Temporal.ts"

/** Reads, writes and calculates with dates by the rules of java.time, as Gremlin's datetime() applies them. */

/** Number of milliseconds in a day. */
const MILLIS_PER_DAY = 86_400_000

/** Dates are stored as milliseconds in a JavaScript Date's range: about 271,000 years around 1970. */
const MAX_MILLIS = 8_640_000_000_000_000

/** Largest offset from UTC in seconds: 18 hours. */
const MAX_OFFSET_SECONDS = 64_800

/** A date as a calendar shows it at its offset. */
interface DateFields {
  /** Proleptic ISO year; 0 is 1 BC. */
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  /** Nanoseconds since midnight, 0 to 86,399,999,999,999. */
  readonly nanoOfDay: bigint
}

/** The calendar fields of a date at its own offset. */
export const dateFields = (date: OffsetDateTime): DateFields => {
  const local = date.epochMillis + date.offsetSeconds * 1000
  const millisOfDay = ((local % MILLIS_PER_DAY) + MILLIS_PER_DAY) % MILLIS_PER_DAY
  const day = new Date(local - millisOfDay)
  return {
    year: day.getUTCFullYear(),
    month: day.getUTCMonth() + 1,
    day: day.getUTCDate(),
    nanoOfDay: BigInt(millisOfDay) * 1_000_000n + BigInt(date.nanos)
  }
}

/** The date with these calendar fields at an offset. Fails with ArithmeticFailure beyond 271,000 years around 1970. */
export const dateOfFields = (fields: DateFields, offsetSeconds: number): OffsetDateTime => {
  const midnight = new Date(0).setUTCFullYear(fields.year, fields.month - 1, fields.day)
  const millis = midnight + Number(fields.nanoOfDay / 1_000_000n) - offsetSeconds * 1000
  return checked(millis, Number(fields.nanoOfDay % 1_000_000n), offsetSeconds)
}

const checked = (millis: number, nanos: number, offsetSeconds: number): OffsetDateTime => {
  // Less than the range of a Date, so that the local time fits, too.
  if (Math.abs(millis) <= MAX_MILLIS - MILLIS_PER_DAY) return new OffsetDateTime(millis, nanos, offsetSeconds)
  throw new ArithmeticFailure("The date is beyond the years -271000 to 275000, which a datetime can hold.")
}

/** The date of a number of milliseconds since 1970-01-01T00:00Z, at UTC. Fails with ArithmeticFailure out of range. */
export const dateOfMillis = (millis: number): OffsetDateTime => checked(millis, 0, 0)

const year = "([+-]\\d{4,10}|\\d{4})"
const time = "(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{0,9}))?)?"
const offset = "(?:[zZ]|([+-])(\\d\\d):?(\\d\\d)(?::?(\\d\\d))?)?"
const dateSyntax = new RegExp(`^${year}-(\\d\\d)-(\\d\\d)(?:[tT]${time}${offset})?$`)
const monthSyntax = /^(-?\d{1,10})-(\d{1,2})$/
const mixedOffset = /[+-]\d\d(?::\d{4}|\d\d:\d\d)$/

/**
 * Reads a date as datetime() does: `2023-08-02T10:00:00.5+01:00`. Seconds, offset (then UTC), time (then midnight) and day (then the
 * first) may be absent. A day after the end of the month becomes the last day of the month. 24:00 becomes the next midnight. Fails
 * with MalformedText.
 */
export const parseDate = (text: string): OffsetDateTime => {
  const parts = dateSyntax.exec(text)
  const date = parts === null ? parseMonth(text) : dateOfParts(text, parts)
  if (date === undefined) {
    throw new MalformedText(
      `Can't parse '${text}' as a datetime: it should look like 2023-08-02T10:00:00Z, 2023-08-02 or 2023-08.`
    )
  }
  return date
}

/**
 * As {@link parseDate}, but fails for a day that its month does not have, as OffsetDateTime.parse() does: for data, in which such a
 * day is a mistake.
 */
export const parseRealDate = (text: string): OffsetDateTime => {
  const [, year, month, day] = dateSyntax.exec(text) ?? []
  if (day !== undefined && isMonth(Number(month)) && Number(day) > daysOfMonth(Number(year), Number(month))) {
    throw new MalformedText(`Can't parse '${text}' as a datetime: its month has no day ${day}.`)
  }
  return parseDate(text)
}

const parseMonth = (text: string): OffsetDateTime | undefined => {
  const [, year, month] = monthSyntax.exec(text) ?? []
  return year === undefined || !isMonth(Number(month))
    ? undefined
    : dateOfFields({ year: Number(year), month: Number(month), day: 1, nanoOfDay: 0n }, 0)
}

const dateOfParts = (text: string, parts: RegExpExecArray): OffsetDateTime | undefined => {
  const [, yearText, monthText, dayText, hourText, minuteText, secondText, fraction] = parts
  const number = Number(yearText)
  const month = Number(monthText)
  const day = Number(dayText)
  // A plus sign is for years of five digits and more.
  const signed = yearText!.startsWith("+") !== number > 9999
  if (signed || yearText === "-0000" || !isMonth(month) || day < 1 || day > 31) return undefined
  const fields = { year: number, month, day: Math.min(day, daysOfMonth(number, month)) }
  if (hourText === undefined) return dateOfFields({ ...fields, nanoOfDay: 0n }, 0)
  const hour = Number(hourText)
  const minute = Number(minuteText)
  const second = Number(secondText ?? 0)
  const nano = Number((fraction ?? "").padEnd(9, "0"))
  const offsetSeconds = offsetOf(text, parts)
  const endOfDay = hour === 24 && minute === 0 && second === 0 && nano === 0
  if ((hour > 23 && !endOfDay) || minute > 59 || second > 59 || offsetSeconds === undefined) return undefined
  const seconds = hour * 3600 + minute * 60 + second
  return dateOfFields({ ...fields, nanoOfDay: BigInt(seconds) * 1_000_000_000n + BigInt(nano) }, offsetSeconds)
}

const isMonth = (month: number): boolean => month >= 1 && month <= 12

/** Days of a month of the proleptic ISO calendar; months count from 1. */
export const daysOfMonth = (year: number, month: number): number =>
  new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate()

const offsetOf = (text: string, parts: RegExpExecArray): number | undefined => {
  const [sign, hours, minutes, seconds] = parts.slice(8)
  if (sign === undefined) return 0
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)
  const valid =
    Number(minutes) < 60 && Number(seconds ?? 0) < 60 && total <= MAX_OFFSET_SECONDS && !mixedOffset.test(text)
  return valid ? (sign === "-" && total > 0 ? -total : total) : undefined
}

/** A date as text, as java.time.OffsetDateTime writes it: without seconds and fractions that are 0. */
export const dateText = (date: OffsetDateTime): string => {
  const fields = dateFields(date)
  const seconds = Number(fields.nanoOfDay / 1_000_000_000n)
  const nano = Number(fields.nanoOfDay % 1_000_000_000n)
  const day = isoDate(fields.year, fields.month, fields.day)
  return `${day}T${isoTime(seconds, nano, false)}${offsetText(date.offsetSeconds)}`
}

/** The offset: `Z`, `+01:30` or `-01:30:15`. */
export const offsetText = (offsetSeconds: number): string => {
  if (offsetSeconds === 0) return "Z"
  const seconds = Math.abs(offsetSeconds)
  const rest = seconds % 60 === 0 ? "" : `:${twoDigits(seconds % 60)}`
  return `${offsetSeconds < 0 ? "-" : "+"}${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}${rest}`
}

/** Milliseconds of each unit that dateAdd() takes. */
const unitMillis = { second: 1000, minute: 60_000, hour: 3_600_000, day: MILLIS_PER_DAY } as const

/** A unit of dateAdd(): the name of a DT constant. */
export type DateUnit = keyof typeof unitMillis

/** The date `amount` units later, or earlier if it is negative. The offset stays. Fails with ArithmeticFailure out of range. */
export const addToDate = (date: OffsetDateTime, unit: DateUnit, amount: number): OffsetDateTime =>
  checked(date.epochMillis + amount * unitMillis[unit], date.nanos, date.offsetSeconds)

/**
 * Milliseconds from the second date to the first, negative when the first is earlier; fractions are truncated towards 0. The dates may
 * be farther from each other than a Long can say.
 */
export const millisBetween = (date: OffsetDateTime | Timestamp, other: OffsetDateTime | Timestamp): bigint => {
  const millis = date.millis - other.millis
  const nanos = (date instanceof OffsetDateTime ? date.nanos : 0) - (other instanceof OffsetDateTime ? other.nanos : 0)
  if (millis > 0n && nanos < 0) return millis - 1n
  return millis < 0n && nanos > 0 ? millis + 1n : millis
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** A Timestamp as a JavaScript Date. Fails with ArithmeticFailure for one that is farther from 1970 than such a Date can be. */
export const dateOfTimestamp = ({ epochMillis }: Timestamp): Date => {
  if (Math.abs(epochMillis) <= MAX_MILLIS) return new Date(epochMillis)
  throw new ArithmeticFailure("The date is more than 100,000,000 days away from 1970.")
}

/**
 * A Timestamp as text of ISO-8601 at UTC: as {@link dateText} writes dates, and one that no datetime can hold as java.time.Instant
 * does.
 */
export const isoTextOfTimestamp = ({ epochMillis, millis }: Timestamp): string => {
  if (Math.abs(epochMillis) <= MAX_MILLIS - MILLIS_PER_DAY) return dateText(new OffsetDateTime(epochMillis, 0, 0))
  const millisOfSecond = ((millis % 1000n) + 1000n) % 1000n
  return instantOf((millis - millisOfSecond) / 1000n, Number(millisOfSecond) * 1_000_000).text
}

/** A java.util.Date or java.sql.Timestamp as text, at UTC: `Thu Jan 01 00:00:00 UTC 1970`, `1970-01-01 00:00:00.0`. */
export const timestampText = ({ millis, sql }: Timestamp): string => {
  const dayMillis = BigInt(MILLIS_PER_DAY)
  const millisOfDay = Number(((millis % dayMillis) + dayMillis) % dayMillis)
  const days = Number((millis - BigInt(millisOfDay)) / dayMillis)
  const { dayOfMonth, month, year } = civil(days)
  const seconds = Math.floor(millisOfDay / 1000)
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(":")
  if (!sql) {
    const day = `${weekdays[(((days + 4) % 7) + 7) % 7]} ${months[month - 1]} ${twoDigits(dayOfMonth)}`
    return `${day} ${time} UTC ${year}`
  }
  const fraction = String(millisOfDay % 1000)
    .padStart(3, "0")
    .replace(/0{1,2}$/, "")
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(dayOfMonth)} ${time}.${fraction}`
}
