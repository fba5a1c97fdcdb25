import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { type CalendarTime, dayOf, isDate, lengthOfMonth, SECOND_NANOS } from "./CalendarTimes.ts"
import { dayOfWeek } from "./DatePatterns.ts"
import type { ReadFields } from "./DateTexts.ts"

/** The error of a text that a formatter does not read. `why` ends Java's message. */
export const unparsed = (text: string, why: string): OperandError => {
  const problem = `Text '${text}' could not be parsed${why}`
  return new OperandError(problem.slice(0, 200), "DateTimeParseException", problem)
}

/** The error of a text with an offset that is not the one of the formatter's zone. */
export const twoZones = (text: string): Unavailable =>
  new Unavailable(`scripts read '${text.slice(0, 60)}' without withZone(): the text has an offset of its own`)

/** Ranges of the fields of DateTimeFormatter, with Java's names. */
const ranges: ReadonlyArray<readonly [letter: string, name: string, least: number, most: number, shown: string]> = [
  ["y", "YearOfEra", 0, 9999, "1 - 999999999/1000000000"],
  ["M", "MonthOfYear", 1, 12, "1 - 12"],
  ["d", "DayOfMonth", 1, 31, "1 - 28/31"],
  ["D", "DayOfYear", 1, 366, "1 - 365/366"],
  ["H", "HourOfDay", 0, 24, "0 - 23"],
  ["h", "ClockHourOfAmPm", 0, 12, "1 - 12"],
  ["m", "MinuteOfHour", 0, 59, "0 - 59"],
  ["s", "SecondOfMinute", 0, 59, "0 - 59"]
]

/**
 * The time of the fields of a text, as DateTimeFormatter resolves them. Fails with OperandError for a time that does not exist.
 *
 * @param zone seconds before UTC of the formatter's zone, for a text without an offset
 */
export const resolvedTime = (
  text: string,
  fields: ReadFields,
  type: CalendarTime["type"],
  zone?: number
): CalendarTime => {
  const offset = fields.X ?? zone
  if (zone !== undefined && offset !== zone && type === "OffsetDateTime") throw twoZones(text)
  for (const [letter, name, least, most, shown] of ranges) {
    const value = fields[letter]
    if (value === undefined || (value >= least && value <= most)) continue
    throw unparsed(text, `: Invalid value for ${name} (valid values ${shown}): ${value}`)
  }
  if (fields.y === 0 && fields.era !== undefined) {
    throw unparsed(text, ": Invalid value for YearOfEra (valid values 1 - 999999999/1000000000): 0")
  }
  if (fields.D === 366 && fields.y !== undefined && lengthOfMonth(fields.y, 2) < 29) {
    throw unparsed(text, `: Invalid date 'DayOfYear 366' as '${fields.y}' is not a leap year`)
  }
  const day = resolvedDay(fields)
  const seconds = type === "LocalDate" ? 0 : secondsOfDay(fields)
  if (day === undefined || seconds === undefined || (type === "OffsetDateTime" && offset === undefined)) {
    throw unparsed(text, `: Unable to obtain ${type} from TemporalAccessor`)
  }
  if (fields.E !== undefined && dayOfWeek(day) !== fields.E) {
    throw unparsed(text, ": Conflict found: the day of the week is another one")
  }
  const isNextDay = seconds === 86_400
  const nanos = isNextDay ? 0n : BigInt(seconds) * SECOND_NANOS + BigInt(type === "LocalDate" ? 0 : (fields.S ?? 0))
  if (isNextDay && (fields.S ?? 0) > 0) throw unparsed(text, ": Invalid value for HourOfDay (valid values 0 - 23): 24")
  return { day: isNextDay ? day + 1 : day, nanos, type, offset: type === "OffsetDateTime" ? offset! : 0 }
}

/** The day of the fields; undefined if they name none. As in Java, a day after the end of its month is the last one. */
const resolvedDay = ({ D, M, d, y }: ReadFields): number | undefined => {
  if (y === undefined) return undefined
  if (M !== undefined && d !== undefined) return dayOf({ year: y, month: M, day: Math.min(d, lengthOfMonth(y, M)) })
  return D === undefined ? undefined : dayOf({ year: y, month: 1, day: 1 }) + D - 1
}

/** Seconds since midnight of the fields; undefined if they name no time. */
const secondsOfDay = ({ H, a, h, m, s }: ReadFields): number | undefined => {
  const hour = H ?? (h === undefined || a === undefined ? undefined : (h % 12) + 12 * a)
  if (hour === undefined || (m === undefined && s !== undefined)) return undefined
  const seconds = hour * 3600 + (m ?? 0) * 60 + (s ?? 0)
  return seconds <= 86_400 ? seconds : undefined
}

/** The least and the largest value of the fields of a SimpleDateFormat that is not lenient. */
const strict: { readonly [letter: string]: readonly [least: number, most: number] } = {
  M: [1, 12],
  H: [0, 23],
  h: [0, 12],
  m: [0, 59],
  s: [0, 59],
  S: [0, 999_000_000]
}

/**
 * Milliseconds since 1970 of the fields of a text, as SimpleDateFormat resolves them: missing fields are those of 1970-01-01, and a
 * value that is too large moves the others. Undefined for such a value if it is not lenient.
 *
 * @param offset seconds before UTC of a text without a zone
 */
export const lenientMillis = (fields: ReadFields, offset: number, isLenient: boolean): number | undefined => {
  const { D, H, M = 1, X = offset, a = 0, d = 1, h = 0, m = 0, s = 0, S = 0, y = 1970 } = fields
  if (!isLenient) {
    const isOutside = Object.entries(strict).some(([letter, [least, most]]) => {
      const value = fields[letter]
      return value !== undefined && (value < least || value > most)
    })
    if (isOutside || !isDate(y, M, d)) return undefined
  }
  const date = new Date(0)
  date.setUTCFullYear(y, D === undefined ? M - 1 : 0, D ?? d)
  const seconds = (H ?? (h === 12 ? 0 : h) + 12 * a) * 3600 + m * 60 + s - X
  const millis = date.getTime() + seconds * 1000 + Math.floor(S / 1_000_000)
  return Number.isFinite(millis) ? millis : undefined
}
