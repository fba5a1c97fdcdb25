import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { OffsetDateTime, Temporal } from "../../../structure/times/Temporal.ts"
import { unitNanos } from "../../../structure/times/TimeUnits.ts"
import { asIndex, type Method, type Methods } from "../methods/MethodTable.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import {
  type CalendarTime,
  calendarTimeOf,
  calendarValue,
  checkedDay,
  dateOfDay,
  dayOf,
  lengthOfMonth,
  localNanos,
  needCalendarTime,
  plusMonths,
  withLocalNanos
} from "./CalendarTimes.ts"
import { localDateTimeOf } from "./CalendarValues.ts"
import { daysOfWeek, months } from "./DateConstants.ts"
import { DateTimeFormatter } from "./DateFormats.ts"
import { instantOfSeconds, longOf, nanosOfDuration } from "./DateMethods.ts"
import { dayOfWeek } from "./DatePatterns.ts"
import { amountOf, unitName } from "./TemporalUnits.ts"
import { timeOfDayMethods, withDayOfYear } from "./TimeOfDay.ts"
import { offsetOfZone, timeOfInstant } from "./Zones.ts"

// Methods of java.time.LocalDate, LocalDateTime and OffsetDateTime on values of scripts.

/** Nanoseconds of the units of a fixed length. */
const lengths: { readonly [unit: string]: bigint } = {
  Nanos: unitNanos.NANOS!,
  Seconds: unitNanos.SECONDS!,
  Minutes: unitNanos.MINUTES!,
  Hours: unitNanos.HOURS!,
  Days: unitNanos.DAYS!,
  Weeks: 7n * unitNanos.DAYS!
}

/** Months of the units whose length differs. */
const monthsOf: { readonly [unit: string]: number } = { Months: 1, Years: 12, Decades: 120, Centuries: 1200 }

/** Largest amount that is added at once; a larger one leaves the years of scripts. */
const MAX_MONTHS = 200_000n

const shiftedBy = (time: CalendarTime, amount: bigint, unit: string): CalendarTime => {
  if (Object.hasOwn(monthsOf, unit)) {
    if (amount > MAX_MONTHS || amount < -MAX_MONTHS) checkedDay(Number.POSITIVE_INFINITY)
    return plusMonths(time, Number(amount) * monthsOf[unit]!)
  }
  const isTime = Object.hasOwn(lengths, unit) && unit !== "Days" && unit !== "Weeks"
  if (!Object.hasOwn(lengths, unit) || (isTime && time.type === "LocalDate")) {
    throw new OperandError(`a ${time.type} has no ${unit}`, "DateTimeException")
  }
  return withLocalNanos(time, localNanos(time) + amount * lengths[unit]!)
}

type Value = Temporal | OffsetDateTime

const shifting = (unit: string, sign: bigint): Method => [
  1,
  1,
  (value: Value, [amount]) => calendarValue(shiftedBy(needCalendarTime(value), sign * whole(amount), unit))
]

/** `plus(1, ChronoUnit.DAYS)` and `plus(duration)`. */
const adding = (sign: bigint): Method => [
  1,
  2,
  (value: Value, args) => {
    const time = needCalendarTime(value)
    const [amount, unit] = args
    if (unit !== undefined) return calendarValue(shiftedBy(time, sign * whole(amount), unitName(unit)))
    if (time.type === "LocalDate") throw new OperandError("a LocalDate has no seconds", "DateTimeException")
    return calendarValue(withLocalNanos(time, localNanos(time) + sign * nanosOfDuration(amountOf(args))))
  }
]

/** The fields of the date. */
const dateFields: { readonly [name: string]: (time: CalendarTime) => unknown } = {
  year: ({ day }) => dateOfDay(day).year,
  monthValue: ({ day }) => dateOfDay(day).month,
  dayOfMonth: ({ day }) => dateOfDay(day).day,
  month: ({ day }) => months[dateOfDay(day).month - 1],
  dayOfWeek: ({ day }) => daysOfWeek[dayOfWeek(day) - 1],
  dayOfYear: ({ day }) => day - dayOf({ year: dateOfDay(day).year, month: 1, day: 1 }) + 1
}

/** The fields of the time of day. */
const timeFields: { readonly [name: string]: (time: CalendarTime) => unknown } = {
  hour: ({ nanos }) => Number(nanos / lengths.Hours!),
  minute: ({ nanos }) => Number((nanos / lengths.Minutes!) % 60n),
  second: ({ nanos }) => Number((nanos / lengths.Seconds!) % 60n),
  nano: ({ nanos }) => Number(nanos % lengths.Seconds!)
}

const fieldOf = (time: CalendarTime, name: string): unknown => {
  if (Object.hasOwn(dateFields, name)) return dateFields[name]!(time)
  return time.type !== "LocalDate" && Object.hasOwn(timeFields, name) ? timeFields[name]!(time) : undefined
}

/** The value of a property of a date, such as `year`; undefined for another property or value. */
export const calendarMember = (value: unknown, name: string): unknown => {
  const time = calendarTimeOf(value)
  return time === undefined ? undefined : fieldOf(time, name)
}

const getters = (names: readonly string[]): Methods =>
  Object.fromEntries(
    names.map((name) => [
      `get${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      [0, 0, (value: Value) => fieldOf(needCalendarTime(value), name)] as Method
    ])
  )

/** `withYear(2021)`: the day becomes the last one of a shorter month. */
const withField = (field: "year" | "month" | "day"): Method => [
  1,
  1,
  (value: Value, [wanted]) => {
    const time = needCalendarTime(value)
    const date = { ...dateOfDay(time.day), [field]: asIndex(wanted) }
    if (date.year < 0 || date.year > 9999 || date.month < 1 || date.month > 12) checkedDay(Number.POSITIVE_INFINITY)
    const day = field === "day" ? date.day : Math.min(date.day, lengthOfMonth(date.year, date.month))
    return calendarValue({ ...time, day: dayOf({ ...date, day }) })
  }
]

const comparing = (holds: (difference: bigint) => boolean): Method => [
  1,
  1,
  (value: Value, [other]) => {
    const time = needCalendarTime(value)
    const than = needCalendarTime(other, time)
    const instant = (of: CalendarTime): bigint => localNanos(of) - BigInt(of.offset) * lengths.Seconds!
    return holds(instant(time) - instant(than))
  }
]

/** `format(formatter)`, and Groovy's `format('yyyy-MM-dd')`. */
const format = (value: Value, [form]: readonly unknown[]): string => {
  if (form instanceof DateTimeFormatter) return form.format(value)
  if (typeof form === "string") return DateTimeFormatter.ofPattern(form).format(value)
  throw new OperandError(`format() takes a DateTimeFormatter or a pattern, not ${typeName(form)}`)
}

/** The time at the offset of a zone: `dateTime.atZone(ZoneOffset.UTC)`. */
const atZone = (value: Value, [zone]: readonly unknown[]): Value =>
  calendarValue({ ...needCalendarTime(value), type: "OffsetDateTime", offset: offsetOfZone(zone) })

const atStartOfDay = (value: Value, [zone]: readonly unknown[]): Value => {
  const start = calendarValue({ ...needCalendarTime(value), type: "LocalDateTime" })
  return zone === undefined ? start : atZone(start, [zone])
}

/** `date.atTime(hour, minute)`, also with seconds and nanoseconds. */
const atTime = (value: Value, time: readonly unknown[]): unknown => {
  const { day, month, year } = dateOfDay(needCalendarTime(value).day)
  return localDateTimeOf([year, month, day, ...time])
}

const dateMethods: Methods = {
  format: [1, 1, format],
  ...getters(Object.keys(dateFields)),
  ...Object.fromEntries(
    ["Days", "Weeks", "Months", "Years"].flatMap((unit) => [
      [`plus${unit}`, shifting(unit, 1n)],
      [`minus${unit}`, shifting(unit, -1n)]
    ])
  ),
  plus: adding(1n),
  minus: adding(-1n),
  withYear: withField("year"),
  withMonth: withField("month"),
  withDayOfMonth: withField("day"),
  withDayOfYear,
  until: [2, 2, (value: Value, [end, unit]) => until(value, end, unit)],
  isBefore: comparing((difference) => difference < 0n),
  isAfter: comparing((difference) => difference > 0n),
  isEqual: comparing((difference) => difference === 0n)
}

/** `date.until(end, ChronoUnit.DAYS)`. */
const until = (value: Value, end: unknown, unit: unknown): bigint => {
  const count = unitsBetween(unit, value, end)
  if (count !== undefined) return count
  throw new Unavailable(`until() of scripts does not count ${String(unit)} from ${typeName(value)} to ${typeName(end)}`)
}

/** Methods of java.time.LocalDate. */
export const localDateMethods: Methods = {
  ...dateMethods,
  isLeapYear: [0, 0, (value: Value) => lengthOfMonth(dateOfDay(needCalendarTime(value).day).year, 2) === 29],
  lengthOfYear: [
    0,
    0,
    (value: Value) => (lengthOfMonth(dateOfDay(needCalendarTime(value).day).year, 2) === 29 ? 366 : 365)
  ],
  lengthOfMonth: [
    0,
    0,
    (value: Value) => {
      const { month, year } = dateOfDay(needCalendarTime(value).day)
      return lengthOfMonth(year, month)
    }
  ],
  toEpochDay: [0, 0, (value: Value) => BigInt(needCalendarTime(value).day)],
  atStartOfDay: [0, 1, atStartOfDay],
  atTime: [2, 4, atTime]
}

/** Methods of java.time.LocalDateTime. */
export const localDateTimeMethods: Methods = {
  ...dateMethods,
  ...getters(Object.keys(timeFields)),
  ...Object.fromEntries(
    ["Hours", "Minutes", "Seconds", "Nanos"].flatMap((unit) => [
      [`plus${unit}`, shifting(unit, 1n)],
      [`minus${unit}`, shifting(unit, -1n)]
    ])
  ),
  ...timeOfDayMethods,
  toLocalDate: [0, 0, (value: Value) => calendarValue({ ...needCalendarTime(value), type: "LocalDate" })],
  atZone: [1, 1, atZone],
  atOffset: [1, 1, atZone],
  toInstant: [1, 1, (value: Value, zone) => instantAt(atZone(value, zone))],
  toEpochSecond: [1, 1, (value: Value, zone) => secondsOf(atZone(value, zone))]
}

const secondsOf = (value: Value): bigint => {
  const time = needCalendarTime(value)
  const all = localNanos(time) - BigInt(time.offset) * lengths.Seconds!
  return (all - (((all % lengths.Seconds!) + lengths.Seconds!) % lengths.Seconds!)) / lengths.Seconds!
}

const instantAt = (value: Value): Temporal =>
  instantOfSeconds(secondsOf(value), timeFields.nano!(needCalendarTime(value)))

/** The instant of a time, as a time at the offset of another zone. */
const sameInstant = (value: Value, [zone]: readonly unknown[]): Value =>
  calendarValue(timeOfInstant(instantAt(value), offsetOfZone(zone)))

/** Methods of java.time.OffsetDateTime, which scripts have for ZonedDateTime, too. */
export const offsetDateTimeMethods: Methods = {
  ...Object.fromEntries(Object.entries(localDateTimeMethods).filter(([name]) => !/^at(?:Zone|Offset)$/.test(name))),
  withOffsetSameInstant: [1, 1, sameInstant],
  withZoneSameInstant: [1, 1, sameInstant],
  toOffsetDateTime: [0, 0, (value: Value) => value],
  toZonedDateTime: [0, 0, (value: Value) => value],
  toLocalDateTime: [0, 0, (value: Value) => calendarValue({ ...needCalendarTime(value), type: "LocalDateTime" })],
  toEpochSecond: [0, 0, secondsOf],
  toInstant: [0, 0, instantAt]
}

/** The number of whole units between two times: `ChronoUnit.DAYS.between(a, b)`. Undefined for other values. */
export const unitsBetween = (unit: unknown, from: unknown, to: unknown): bigint | undefined => {
  const [first, last] = [calendarTimeOf(from), calendarTimeOf(to)]
  if (first === undefined || last === undefined || first.type !== last.type) return undefined
  const name = unitName(unit)
  const nanos =
    localNanos(last) -
    BigInt(last.offset) * lengths.Seconds! -
    localNanos(first) +
    BigInt(first.offset) * lengths.Seconds!
  if (Object.hasOwn(lengths, name)) {
    // A date has no hours: this fails with the same error as the methods.
    if (first.type === "LocalDate") shiftedBy(first, 0n, name)
    return longOf(nanos / lengths[name]!)
  }
  if (!Object.hasOwn(monthsOf, name) || first.type === "OffsetDateTime") return undefined
  const [a, b] = [dateOfDay(first.day), dateOfDay(last.day)]
  let whole = (b.year - a.year) * 12 + b.month - a.month
  const rest = b.day - a.day === 0 ? Number(last.nanos - first.nanos) : b.day - a.day
  if (whole > 0 && rest < 0) whole--
  else if (whole < 0 && rest > 0) whole++
  return BigInt(Math.trunc(whole / monthsOf[name]!))
}
