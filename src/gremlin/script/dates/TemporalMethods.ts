import { order } from "../../../structure/comparison/Ordering.ts"
import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { durationOfNanos } from "../../../structure/times/Durations.ts"
import { partsOfInstant } from "../../../structure/times/Instants.ts"
import { Duration, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { unitNanos } from "../../../structure/times/TimeUnits.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { calendarMember } from "./CalendarMethods.ts"
import { calendarValue } from "./CalendarTimes.ts"
import { formatDate } from "./DateFormats.ts"
import { checkedDuration, instantOfDate, longOf, millisOfInstant, nanosOfDuration, shifted } from "./DateMethods.ts"
import { datePartMethods } from "./DateParts.ts"
import { amountOf, nanosOfUnit } from "./TemporalUnits.ts"
import { offsetOfZone, timeOfInstant } from "./Zones.ts"

// Methods of java.util.Date, java.time.Instant and java.time.Duration on values of scripts.

const times =
  (unit: string, sign = 1n) =>
  (value: Temporal, [amount]: ReadonlyArray<unknown>): Temporal =>
    shifted(value, checkedDuration(whole(amount) * unitNanos[unit]!), sign)

const parts = (value: Temporal): { readonly seconds: bigint; readonly nanos: number } =>
  partsOfInstant(value) ?? { seconds: 0n, nanos: 0 }

const truncated = (value: Temporal, [unit]: ReadonlyArray<unknown>): Temporal => {
  const size = nanosOfUnit(unit)
  const { nanos, seconds } = parts(value)
  const all = seconds * unitNanos.SECONDS! + BigInt(nanos)
  return shifted(value, durationOfNanos(((all % size) + size) % size), -1n)
}

const millisOf = (value: unknown): bigint => {
  if (value instanceof Timestamp) return value.millis
  throw new OperandError(`a Date was expected, not ${typeName(value)}`)
}

const atZone = (value: Temporal, [zone]: ReadonlyArray<unknown>): unknown =>
  calendarValue(timeOfInstant(value, offsetOfZone(zone)))

/** Methods of java.util.Date. */
export const dateMethods: Methods = {
  ...datePartMethods,
  getTime: [0, 0, (value: Timestamp) => value.millis],
  toInstant: [0, 0, instantOfDate],
  // Groovy's method of its module for dates.
  format: [1, 2, (value: Timestamp, [pattern, zone]) => formatDate(value, pattern, zone)],
  before: [1, 1, (value: Timestamp, [other]) => value.millis < millisOf(other)],
  after: [1, 1, (value: Timestamp, [other]) => value.millis > millisOf(other)]
}

/** Methods of java.time.Instant. */
export const instantMethods: Methods = {
  toEpochMilli: [0, 0, (value) => longOf(millisOfInstant(value))],
  getEpochSecond: [0, 0, (value: Temporal) => parts(value).seconds],
  getNano: [0, 0, (value: Temporal) => parts(value).nanos],
  plus: [1, 2, (value: Temporal, args) => shifted(value, amountOf(args), 1n)],
  minus: [1, 2, (value: Temporal, args) => shifted(value, amountOf(args), -1n)],
  plusSeconds: [1, 1, times("SECONDS")],
  plusMillis: [1, 1, times("MILLIS")],
  plusNanos: [1, 1, times("NANOS")],
  minusSeconds: [1, 1, times("SECONDS", -1n)],
  minusMillis: [1, 1, times("MILLIS", -1n)],
  minusNanos: [1, 1, times("NANOS", -1n)],
  truncatedTo: [1, 1, truncated],
  atZone: [1, 1, atZone],
  atOffset: [1, 1, atZone],
  isBefore: [1, 1, (value: Temporal, [other]) => order(value, other) < 0],
  isAfter: [1, 1, (value: Temporal, [other]) => order(value, other) > 0]
}

/** The number of whole units in a duration: towards zero, as Java divides seconds and nanoseconds. */
const countOf =
  (unit: string) =>
  (value: Duration): bigint =>
    longOf(nanosOfDuration(value) / unitNanos[unit]!)

/** The number of whole units in the seconds of a duration: `toMinutes()` does not look at the nanoseconds. */
const secondsIn =
  (unit: string) =>
  (value: Duration): bigint =>
    value.seconds / (unitNanos[unit]! / unitNanos.SECONDS!)

const longer =
  (unit: string, sign: bigint) =>
  (value: Duration, [amount]: ReadonlyArray<unknown>): Duration =>
    checkedDuration(nanosOfDuration(value) + sign * whole(amount) * unitNanos[unit]!)

const added =
  (sign: bigint) =>
  (value: Duration, args: ReadonlyArray<unknown>): Duration =>
    checkedDuration(nanosOfDuration(value) + sign * nanosOfDuration(amountOf(args)))

const dividedBy = (value: Duration, [divisor]: ReadonlyArray<unknown>): unknown => {
  const by = divisor instanceof Duration ? nanosOfDuration(divisor) : whole(divisor)
  if (by === 0n) throw new ArithmeticFailure("Cannot divide by zero")
  const quotient = nanosOfDuration(value) / by
  return divisor instanceof Duration ? quotient : checkedDuration(quotient)
}

/** `duration.truncatedTo(unit)`. As in Java, only the part within a day is cut: towards zero, with the sign of its seconds. */
const cut = (value: Duration, [unit]: ReadonlyArray<unknown>): Duration => {
  const size = nanosOfUnit(unit)
  const ofDay = (value.seconds % 86_400n) * unitNanos.SECONDS! + BigInt(value.nanos)
  return checkedDuration(nanosOfDuration(value) - (ofDay % size))
}

/** Methods of java.time.Duration. */
export const durationMethods: Methods = {
  getSeconds: [0, 0, (value: Duration) => value.seconds],
  getNano: [0, 0, (value: Duration) => value.nanos],
  toSeconds: [0, 0, (value: Duration) => value.seconds],
  toDays: [0, 0, secondsIn("DAYS")],
  toHours: [0, 0, secondsIn("HOURS")],
  toMinutes: [0, 0, secondsIn("MINUTES")],
  toMillis: [0, 0, countOf("MILLIS")],
  toNanos: [0, 0, countOf("NANOS")],
  isZero: [0, 0, (value: Duration) => nanosOfDuration(value) === 0n],
  isNegative: [0, 0, (value: Duration) => value.seconds < 0n],
  plus: [1, 2, added(1n)],
  minus: [1, 2, added(-1n)],
  plusDays: [1, 1, longer("DAYS", 1n)],
  plusHours: [1, 1, longer("HOURS", 1n)],
  plusMinutes: [1, 1, longer("MINUTES", 1n)],
  plusSeconds: [1, 1, longer("SECONDS", 1n)],
  plusMillis: [1, 1, longer("MILLIS", 1n)],
  minusDays: [1, 1, longer("DAYS", -1n)],
  minusHours: [1, 1, longer("HOURS", -1n)],
  minusMinutes: [1, 1, longer("MINUTES", -1n)],
  minusSeconds: [1, 1, longer("SECONDS", -1n)],
  minusMillis: [1, 1, longer("MILLIS", -1n)],
  plusNanos: [1, 1, longer("NANOS", 1n)],
  minusNanos: [1, 1, longer("NANOS", -1n)],
  truncatedTo: [1, 1, cut],
  toDaysPart: [0, 0, secondsIn("DAYS")],
  toMillisPart: [0, 0, (value: Duration) => Math.floor(value.nanos / 1_000_000)],
  toNanosPart: [0, 0, (value: Duration) => value.nanos],
  toHoursPart: [0, 0, (value: Duration) => Number(secondsIn("HOURS")(value) % 24n)],
  toMinutesPart: [0, 0, (value: Duration) => Number(secondsIn("MINUTES")(value) % 60n)],
  toSecondsPart: [0, 0, (value: Duration) => Number(value.seconds % 60n)],
  multipliedBy: [1, 1, (value: Duration, [factor]) => checkedDuration(nanosOfDuration(value) * whole(factor))],
  dividedBy: [1, 1, dividedBy],
  negated: [0, 0, (value: Duration) => checkedDuration(-nanosOfDuration(value))],
  abs: [0, 0, (value: Duration) => (value.seconds < 0n ? checkedDuration(-nanosOfDuration(value)) : value)]
}

/** The value of a property of a date, an instant or a duration, as Groovy reads a getter; undefined for another one. */
export const temporalMember = (value: unknown, name: string): unknown => {
  if (value instanceof Timestamp) return name === "time" ? value.millis : undefined
  if (value instanceof Duration) return name === "seconds" ? value.seconds : name === "nano" ? value.nanos : undefined
  if (!(value instanceof Temporal) || value.name !== "Instant") return calendarMember(value, name)
  return name === "epochSecond" ? parts(value).seconds : name === "nano" ? parts(value).nanos : undefined
}

/** The date of `new Date(year - 1900, month, day[, hour, minute[, second]])`, in UTC. Fields may be too large, as in Java. */
export const dateOfFields = (fields: ReadonlyArray<unknown>): number => {
  const [year = 0, month = 0, day = 1, ...time] = fields.map((field) => {
    if (!isNumber(field) || !Number.isInteger(toDouble(field))) {
      throw new OperandError(`new Date() takes whole numbers, not ${typeName(field)}`)
    }
    return Number(toBigInt(field))
  })
  const [hour = 0, minute = 0, second = 0] = time
  // Date.UTC() reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year + 1900, month, day)
  const millis = date.setUTCHours(hour, minute, second)
  if (!Number.isNaN(millis)) return millis
  throw new OperandError("new Date() with fields makes dates at most 100,000,000 days away from 1970")
}
