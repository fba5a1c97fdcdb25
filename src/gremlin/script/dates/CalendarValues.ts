import { toBigInt } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Temporal } from "../../../structure/times/Temporal.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { calendarTimeOf, calendarValue, checkedDay, dateOfDay, dayOf, isDate, SECOND_NANOS } from "./CalendarTimes.ts"

// Dates and times of java.time, made of their fields or their texts.

/** The value of `LocalDateTime.of(...)`; undefined for other arguments. Fails with OperandError for a time that does not exist. */
export const localDateTimeOf = (fields: readonly unknown[]): Temporal | undefined => {
  if (fields.length < 5 || fields.length > 7 || !fields.every(isNumber)) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, nano = 0] = fields.map((field) =>
    Number(toBigInt(field))
  )
  const limits = [24, 60, 60, 1_000_000_000]
  for (const [at, field] of [hour, minute, second, nano].entries()) {
    if (field >= 0 && field < limits[at]!) continue
    throw new OperandError(`there is no time with the field ${field}`, "DateTimeException")
  }
  const nanos = BigInt((hour * 60 + minute) * 60 + second) * SECOND_NANOS + BigInt(nano)
  return calendarValue({ day: dayOf({ year, month, day }), nanos, type: "LocalDateTime", offset: 0 }) as Temporal
}

/** The value of `LocalDateTime.parse(text)`. Fails with OperandError for another text. */
export const localDateTimeOfText = (text: unknown): Temporal => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T/.exec(String(text)) ?? []
  const isReal = typeof text === "string" && isDate(Number(year), Number(month), Number(day))
  const time = isReal ? calendarTimeOf(new Temporal("LocalDateTime", text)) : undefined
  if (time !== undefined) return calendarValue(time) as Temporal
  const quoted = JSON.stringify(String(text).slice(0, 60))
  throw new OperandError(`${quoted} is not a time such as 2024-02-29T10:20:30`, "DateTimeParseException")
}

/** The value of `LocalDate.ofEpochDay(day)` and `LocalDate.ofYearDay(year, day)`. Fails with OperandError. */
export const localDateOfDay = (day: number): Temporal =>
  calendarValue({ day: checkedDay(day), nanos: 0n, type: "LocalDate", offset: 0 }) as Temporal

/** The value of `LocalDate.of(year, month, day)`. Fails with OperandError for a date that does not exist. */
export const localDateOfFields = (year: number, month: number, day: number): Temporal =>
  localDateOfDay(dayOf({ year, month, day }))

/** The value of `LocalDate.ofYearDay(year, day)`. Fails with OperandError for a day that the year does not have. */
export const localDateOfYearDay = (year: number, day: number): Temporal => {
  const first = dayOf({ year, month: 1, day: 1 })
  if (day < 1 || dateOfDay(first + day - 1).year !== year) {
    throw new OperandError(`the year ${year} has no day ${day}`, "DateTimeException")
  }
  return localDateOfDay(first + day - 1)
}
