import { isoDate, isoTime } from "./IsoText.ts"
import { Temporal } from "./Temporal.ts"

// Conversion between java.time.Instant (seconds and nanoseconds) and its ISO-8601 text, in the whole range of the class.

const DAY_SECONDS = 86_400n
const DAYS_OF_400_YEARS = 146_097
const syntax = /^([+-]?\d{4,10})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?Z$/

/** The instant at `seconds` since the epoch, a whole number; `nanos` is 0 to 999,999,999. */
export const instantOf = (seconds: number | bigint, nanos: number): Temporal => {
  const whole = BigInt(seconds)
  const second = ((whole % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS
  const { year, month, dayOfMonth } = civil(Number((whole - second) / DAY_SECONDS))
  return new Temporal("Instant", `${isoDate(year, month, dayOfMonth)}T${isoTime(Number(second), nanos, true)}Z`)
}

/**
 * Seconds since the epoch and nanoseconds of an instant; undefined when the text is not an instant. Seconds of the last years of the
 * class are beyond the whole numbers that JavaScript's numbers have exactly.
 */
export const partsOfInstant = (instant: Temporal): { seconds: bigint; nanos: number } | undefined => {
  const parts = syntax.exec(instant.text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as number[]
  const days = dayNumber(year!, month!, day!)
  const seconds = BigInt(days) * DAY_SECONDS + BigInt(hour! * 3600 + minute! * 60 + second!)
  return { seconds, nanos: Number((parts[7] ?? "").padEnd(9, "0")) }
}

/** The number of days since the epoch. Years begin in March here, so that the leap day is the last day of its year. */
const dayNumber = (year: number, month: number, day: number): number => {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_OF_400_YEARS + dayOfEra - 719_468
}

/** The date of a number of days since the epoch. Months count from 1. */
export const civil = (days: number): { year: number; month: number; dayOfMonth: number } => {
  const shifted = days + 719_468
  const era = Math.floor(shifted / DAYS_OF_400_YEARS)
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const part = Math.floor((5 * dayOfYear + 2) / 153)
  const month = part < 10 ? part + 3 : part - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * part + 2) / 5) + 1
  }
}
