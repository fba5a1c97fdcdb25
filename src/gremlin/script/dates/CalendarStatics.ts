import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { dateOfMillis, parseRealDate } from "../../../structure/times/Dates.ts"
import { Temporal } from "../../../structure/times/Temporal.ts"
import { argumentCount, asText } from "../methods/MethodTable.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { ScriptCalendar } from "./Calendars.ts"
import { type CalendarTime, calendarValue, isDate } from "./CalendarTimes.ts"
import {
  localDateOfDay,
  localDateOfFields,
  localDateOfYearDay,
  localDateTimeOf,
  localDateTimeOfText
} from "./CalendarValues.ts"
import { DateTimeFormatter, SimpleDateFormat } from "./DateFormats.ts"
import { instantOfMillis, instantOfSeconds } from "./DateMethods.ts"
import { offsetOfZone, timeOfInstant, UTC, zoneOf, zoneOfHours } from "./Zones.ts"

/** A method of a class: the least and the largest number of its arguments, and what it does. */
type Static = readonly [least: number, most: number, run: (args: readonly unknown[]) => unknown]

type CalendarType = CalendarTime["type"]

const real = (value: unknown): number => {
  if (!isNumber(value)) throw new OperandError(`a number was expected, not ${typeName(value)}`)
  return toDouble(value)
}

const localDateOf = (text: unknown): Temporal => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(text)) ?? []
  if (year !== undefined && isDate(Number(year), Number(month), Number(day))) {
    return new Temporal("LocalDate", String(text))
  }
  const quoted = JSON.stringify(String(text).slice(0, 60))
  throw new OperandError(`${quoted} is not a date such as 2024-02-29`, "DateTimeParseException")
}

/** `LocalDate.parse(text)` and `LocalDate.parse(text, formatter)`. */
const parsing = (type: CalendarType, parse: (text: unknown) => unknown): Static => [
  1,
  2,
  ([text, formatter]) => {
    if (formatter === undefined) return parse(text)
    if (!(formatter instanceof DateTimeFormatter)) {
      throw new OperandError(`${type}.parse() takes a text and a DateTimeFormatter, not ${typeName(formatter)}`)
    }
    const read = formatter.read(text, type)
    return typeof read === "string" ? parse(read) : read
  }
]

/** `LocalDate.now()` and `LocalDate.now(zone)`. */
const now = (type: CalendarType): Static => [
  0,
  1,
  ([zone]) => calendarValue(timeOfInstant(instantOfMillis(BigInt(Date.now())), offsetOfZone(zone ?? UTC), type))
]

/** `LocalDate.ofInstant(instant, zone)`. */
const ofInstant = (type: CalendarType): Static => [
  2,
  2,
  ([instant, zone]) => calendarValue(timeOfInstant(instant, offsetOfZone(zone), type))
]

const offsetDateTimes: { readonly [name: string]: Static } = {
  now: [0, 1, ([zone]) => (zone === undefined ? dateOfMillis(Date.now()) : now("OffsetDateTime")[2]([zone]))],
  parse: parsing("OffsetDateTime", (text) => parseRealDate(asText(text))),
  ofInstant: ofInstant("OffsetDateTime")
}

/** `Calendar.getInstance()`, also with a zone, which must be UTC. */
const calendarNow: Static = [
  0,
  1,
  ([zone]) => {
    if (zone === undefined || offsetOfZone(zone) === 0) return new ScriptCalendar(Date.now())
    throw new Unavailable("a Calendar of scripts is in UTC: use OffsetDateTime for another offset")
  }
]

const statics: { readonly [className: string]: { readonly [name: string]: Static } } = {
  Calendar: { getInstance: calendarNow },
  GregorianCalendar: { getInstance: calendarNow },
  LocalDate: {
    now: now("LocalDate"),
    parse: parsing("LocalDate", localDateOf),
    of: [3, 3, ([year, month, day]) => localDateOfFields(real(year), real(month), real(day))],
    ofEpochDay: [1, 1, ([day]) => localDateOfDay(real(day))],
    ofYearDay: [2, 2, ([year, day]) => localDateOfYearDay(real(year), real(day))],
    ofInstant: ofInstant("LocalDate")
  },
  LocalDateTime: {
    now: now("LocalDateTime"),
    parse: parsing("LocalDateTime", localDateTimeOfText),
    ofInstant: ofInstant("LocalDateTime"),
    ofEpochSecond: [
      3,
      3,
      ([seconds, nanos, zone]) =>
        calendarValue(timeOfInstant(instantOfSeconds(seconds, nanos), offsetOfZone(zone), "LocalDateTime"))
    ]
  },
  OffsetDateTime: offsetDateTimes,
  ZonedDateTime: offsetDateTimes,
  ZoneId: { of: [1, 1, ([name]) => zoneOf(name)], systemDefault: [0, 0, () => UTC] },
  ZoneOffset: { of: [1, 1, ([name]) => zoneOf(name)], ofHours: [1, 1, ([hours]) => zoneOfHours(hours)] },
  TimeZone: { getTimeZone: [1, 1, ([name]) => zoneOf(name)], getDefault: [0, 0, () => UTC] },
  DateTimeFormatter: { ofPattern: [1, 1, ([pattern]) => DateTimeFormatter.ofPattern(pattern)] },
  Date: { parse: [2, 2, ([pattern, text]) => new SimpleDateFormat(pattern).parse(text)] }
}

/**
 * The value of a method of a class of calendars, such as `LocalDate.now()`; undefined for another one. Fails with OperandError for
 * wrong arguments.
 */
export const callCalendar = (
  className: string,
  name: string,
  args: readonly unknown[]
): { readonly value: unknown } | undefined => {
  const methods = Object.hasOwn(statics, className) ? statics[className]! : {}
  if (className === "LocalDateTime" && name === "of") {
    const made = localDateTimeOf(args)
    return made === undefined ? undefined : { value: made }
  }
  if (!Object.hasOwn(methods, name)) return undefined
  const [least, most, run] = methods[name]!
  if (args.length >= least && args.length <= most) return { value: run(args) }
  throw new OperandError(`${className}.${name}() takes ${argumentCount(least, most)} arguments, not ${args.length}`)
}
