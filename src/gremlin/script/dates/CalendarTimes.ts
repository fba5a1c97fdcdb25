import { typeName } from "../../../structure/texts/TypeNames.ts"
import { isoDate, isoTime } from "../../../structure/times/IsoText.ts"
import { OffsetDateTime, Temporal } from "../../../structure/times/Temporal.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** A date with a time of day: of a LocalDate, a LocalDateTime or an OffsetDateTime. */
export interface CalendarTime {
  /** Days since 1970-01-01. */
  readonly day: number
  /** Nanoseconds since midnight. */
  readonly nanos: bigint
  /** The type, and the seconds before UTC of an OffsetDateTime. */
  readonly type: "LocalDate" | "LocalDateTime" | "OffsetDateTime"
  readonly offset: number
}

const DAY_NANOS = 86_400_000_000_000n
const DAY_MILLIS = 86_400_000
/** Nanoseconds of a second. */
export const SECOND_NANOS = 1_000_000_000n

/** Year, month from 1 to 12, and day of the month. */
interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The date of a number of days since 1970-01-01. */
export const dateOfDay = (day: number): CalendarDate => {
  const date = new Date(day * DAY_MILLIS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** True for a date that exists. */
export const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= lengthOfMonth(year, month)

/** The days since 1970-01-01 of a date. Fails with OperandError for a date that does not exist, and beyond the years 0 to 9999. */
export const dayOf = ({ day, month, year }: CalendarDate): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const found = dateOfDay(date.getTime() / DAY_MILLIS)
  if (found.year === year && found.month === month && found.day === day) return checkedDay(date.getTime() / DAY_MILLIS)
  throw new OperandError(`there is no date ${year}-${month}-${day}`, "DateTimeException")
}

/** Days from 0000-01-01 and up to 9999-12-31. */
const FIRST_DAY = -719_528
const LAST_DAY = 2_932_896

/** The day itself. Fails with OperandError beyond the years 0 to 9999. */
export const checkedDay = (day: number): number => {
  if (day >= FIRST_DAY && day <= LAST_DAY) return day
  throw new OperandError("dates of scripts have the years 0 to 9999", "DateTimeException")
}

/** The number of days of a month. */
export const lengthOfMonth = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?$/

/** The calendar time of a value; undefined for a value of another type. */
export const calendarTimeOf = (value: unknown): CalendarTime | undefined => {
  if (value instanceof OffsetDateTime) {
    const seconds = Math.floor(value.epochMillis / 1000) + value.offsetSeconds
    const day = Math.floor(seconds / 86_400)
    const millis = ((value.epochMillis % 1000) + 1000) % 1000
    const nanos = BigInt(seconds - day * 86_400) * SECOND_NANOS + BigInt(millis) * 1_000_000n + BigInt(value.nanos)
    return { day, nanos, type: "OffsetDateTime", offset: value.offsetSeconds }
  }
  if (!(value instanceof Temporal) || (value.name !== "LocalDate" && value.name !== "LocalDateTime")) return undefined
  const found = LOCAL.exec(value.text)
  if (found === null) return undefined
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = ""] = found
  const nanos =
    (BigInt(hour) * 3600n + BigInt(minute) * 60n + BigInt(second)) * SECOND_NANOS + BigInt(fraction.padEnd(9, "0"))
  // A time of day beyond 23:59:59 is no time, and not one of the next hour.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const days = dayOf({ year: Number(year), month: Number(month), day: Number(day) })
  return { day: days, nanos, type: value.name, offset: 0 }
}

/** The text of a date: `2020-01-31`. */
const dateText = (day: number): string => {
  const { year, month, day: ofMonth } = dateOfDay(day)
  return isoDate(year, month, ofMonth)
}

/** The text of a time as LocalTime writes it. */
const timeText = (nanos: bigint): string => isoTime(Number(nanos / SECOND_NANOS), Number(nanos % SECOND_NANOS), false)

/** The value of a calendar time. Fails with OperandError beyond the years 0 to 9999. */
export const calendarValue = ({ day, nanos, offset, type }: CalendarTime): Temporal | OffsetDateTime => {
  checkedDay(day)
  if (type === "LocalDate") return new Temporal("LocalDate", dateText(day))
  if (type === "LocalDateTime") return new Temporal("LocalDateTime", `${dateText(day)}T${timeText(nanos)}`)
  const millis = (day * 86_400 - offset) * 1000 + Number(nanos / 1_000_000n)
  return new OffsetDateTime(millis, Number(nanos % 1_000_000n), offset)
}

/** Nanoseconds since 1970 of a calendar time, as if it had no offset. */
export const localNanos = ({ day, nanos }: CalendarTime): bigint => BigInt(day) * DAY_NANOS + nanos

/** The calendar time with other nanoseconds since 1970. */
export const withLocalNanos = (time: CalendarTime, all: bigint): CalendarTime => {
  const nanos = ((all % DAY_NANOS) + DAY_NANOS) % DAY_NANOS
  return { ...time, day: checkedDay(Number((all - nanos) / DAY_NANOS)), nanos }
}

/** The calendar time some months later. The day becomes the last one of a shorter month, as in Java. */
export const plusMonths = (time: CalendarTime, months: number): CalendarTime => {
  const { day, month, year } = dateOfDay(time.day)
  const all = year * 12 + month - 1 + months
  const [inYear, inMonth] = [Math.floor(all / 12), (((all % 12) + 12) % 12) + 1]
  if (inYear < 0 || inYear > 9999) checkedDay(Number.POSITIVE_INFINITY)
  const last = lengthOfMonth(inYear, inMonth)
  return { ...time, day: dayOf({ year: inYear, month: inMonth, day: Math.min(day, last) }) }
}

/** The calendar time of a value. Fails with OperandError for a value of another type. */
export const needCalendarTime = (value: unknown, like?: CalendarTime): CalendarTime => {
  const time = calendarTimeOf(value)
  if (time !== undefined && (like === undefined || time.type === like.type)) return time
  throw new OperandError(`a ${like?.type ?? "date"} was expected, not ${typeName(value)}`, "MissingMethodException")
}
