import type { OffsetDateTime, Temporal } from "../../../structure/times/Temporal.ts"
import { unitNanos } from "../../../structure/times/TimeUnits.ts"
import { asIndex, type Method, type Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { calendarValue, dateOfDay, dayOf, lengthOfMonth, needCalendarTime } from "./CalendarTimes.ts"
import { nanosOfUnit } from "./TemporalUnits.ts"

// Methods of dates and times that set one field, or that cut off the small ones.

/** `withHour(3)`: a field of the time of day, its nanoseconds and the number of its values. */
const withField = (field: string, size: bigint, count: bigint): Method => [
  1,
  1,
  (value: Temporal | OffsetDateTime, [wanted]) => {
    const time = needCalendarTime(value)
    const amount = BigInt(asIndex(wanted))
    if (amount < 0n || amount >= count) {
      const text = `Invalid value for ${field} (valid values 0 - ${count - 1n}): ${amount}`
      throw new OperandError(text, "DateTimeException", text)
    }
    const old = (time.nanos / size) % count
    return calendarValue({ ...time, nanos: time.nanos + (amount - old) * size })
  }
]

/** Methods of times. */
export const timeOfDayMethods: Methods = {
  withHour: withField("HourOfDay", unitNanos.HOURS!, 24n),
  withMinute: withField("MinuteOfHour", unitNanos.MINUTES!, 60n),
  withSecond: withField("SecondOfMinute", unitNanos.SECONDS!, 60n),
  withNano: withField("NanoOfSecond", 1n, 1_000_000_000n),
  truncatedTo: [
    1,
    1,
    (value: Temporal | OffsetDateTime, [unit]) => {
      const time = needCalendarTime(value)
      return calendarValue({ ...time, nanos: time.nanos - (time.nanos % nanosOfUnit(unit)) })
    }
  ]
}

/** `withDayOfYear(60)`. */
export const withDayOfYear: Method = [
  1,
  1,
  (value: Temporal | OffsetDateTime, [wanted]) => {
    const time = needCalendarTime(value)
    const { year } = dateOfDay(time.day)
    const day = asIndex(wanted)
    if (day < 1 || day > (lengthOfMonth(year, 2) === 29 ? 366 : 365)) {
      throw new OperandError(`the year ${year} has no day ${day}`, "DateTimeException")
    }
    return calendarValue({ ...time, day: dayOf({ year, month: 1, day: 1 }) + day - 1 })
  }
]
