import { daysOfMonth, offsetText } from "../structure/times/Dates.ts"
import { durationOfNanos } from "../structure/times/Durations.ts"
import { isoDate, isoTime, twoDigits, yearText } from "../structure/times/IsoText.ts"
import { Temporal, type TemporalName } from "../structure/times/Temporal.ts"
import { ProtocolError } from "./ProtocolError.ts"

// The server keeps java.time values as text: that of the class's toString(). GraphBinary has their fields.

/** The parts of a type, in the order of GraphBinary. A date is three numbers, a time the nanosecond of the day. */
type Shape = ReadonlyArray<"date" | "time" | "offset">

const shapes: Partial<Record<TemporalName, Shape>> = {
  LocalDate: ["date"],
  LocalTime: ["time"],
  LocalDateTime: ["date", "time"],
  OffsetTime: ["time", "offset"],
  ZonedDateTime: ["date", "time", "offset"],
  ZoneOffset: ["offset"]
}

/** The fields of a temporal value. A type uses some of them. */
export interface TemporalFields {
  year: number
  month: number
  day: number
  nanoOfDay: bigint
  offsetSeconds: number
  /** Instant: seconds since 1970-01-01T00:00Z, and nanoseconds that are added to them, as java.time.Instant.ofEpochSecond takes them. */
  epochSeconds: bigint
  nanos: number
}

/** Fields that are all zero, to be filled. */
export const noFields = (): TemporalFields => ({
  year: 0,
  month: 0,
  day: 0,
  nanoOfDay: 0n,
  offsetSeconds: 0,
  epochSeconds: 0n,
  nanos: 0
})

const date = "([+-]\\d{4,10}|\\d{4})-(\\d\\d)-(\\d\\d)"
const time = "(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{1,9}))?)?"
const offset = "(Z|[+-]\\d\\d(?::\\d\\d(?::\\d\\d)?)?)"
const patterns: Record<TemporalName, RegExp> = {
  Instant: new RegExp(`^${date}T${time}Z$`),
  LocalDate: new RegExp(`^${date}$`),
  LocalDateTime: new RegExp(`^${date}T${time}$`),
  LocalTime: new RegExp(`^${time}$`),
  MonthDay: /^--(\d\d)-(\d\d)$/,
  OffsetTime: new RegExp(`^${time}${offset}$`),
  Period: /^([+-])?P(?:([+-]?\d{1,10})Y)?(?:([+-]?\d{1,10})M)?(?:([+-]?\d{1,9})W)?(?:([+-]?\d{1,10})D)?$/i,
  Year: /^([+-]?\d{1,10})$/,
  YearMonth: /^([+-]\d{4,10}|\d{4})-(\d\d)$/,
  ZonedDateTime: new RegExp(`^${date}T${time}${offset}(?:\\[[^\\]]+\\])?$`),
  ZoneOffset: new RegExp(`^${offset}$`)
}

const NANOSECONDS_PER_SECOND = 1_000_000_000n
const SECONDS_PER_DAY = 86_400n

/** The fields of a value with this text. Fails with ProtocolError when the text is not of the type. */
export const temporalFields = (name: TemporalName, text: string): TemporalFields => {
  const match = patterns[name].exec(text)
  const fields = noFields()
  if (match === null || !fill(name, match, fields)) throw new ProtocolError(`'${text}' is no java.time.${name}.`)
  return fields
}

/** The value with this text. Fails with ProtocolError when the text is not of the type. */
export const temporalOfText = (name: TemporalName, text: string): Temporal => {
  temporalFields(name, text)
  return new Temporal(name, text)
}

const fill = (name: TemporalName, match: RegExpExecArray, fields: TemporalFields): boolean => {
  switch (name) {
    case "Instant":
      if (!fillDate(match, 1, fields) || !fillTime(match, 4, fields)) return false
      fields.epochSeconds = epochDay(fields) * SECONDS_PER_DAY + fields.nanoOfDay / NANOSECONDS_PER_SECOND
      fields.nanos = Number(fields.nanoOfDay % NANOSECONDS_PER_SECOND)
      return true
    case "MonthDay":
      fields.month = Number(match[1])
      fields.day = Number(match[2])
      return isDay(LEAP_YEAR, fields.month, fields.day)
    case "Period":
      return fillPeriod(match, fields)
    case "Year":
      fields.year = Number(match[1])
      return isYear(fields.year)
    case "YearMonth":
      fields.year = Number(match[1])
      fields.month = Number(match[2])
      return isYear(fields.year) && fields.month >= 1 && fields.month <= 12
    default:
      return fillShape(shapes[name]!, match, fields)
  }
}

const fillShape = (shape: Shape, match: RegExpExecArray, fields: TemporalFields): boolean => {
  let group = 1
  for (const part of shape) {
    if (part === "date" ? !fillDate(match, group, fields) : part === "time" ? !fillTime(match, group, fields) : false) {
      return false
    }
    if (part === "offset" && !fillOffset(match[group]!, fields)) return false
    group += part === "date" ? 3 : 4
  }
  return true
}

/** A MonthDay may be that of a leap day. */
const LEAP_YEAR = 2000

/** The calendar repeats after so many years. A Date of JavaScript does not have all years of java.time. */
const CALENDAR_YEARS = 400

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year % CALENDAR_YEARS, month)

const isYear = (year: number): boolean => Math.abs(year) <= 999_999_999

const fillDate = (match: RegExpExecArray, group: number, fields: TemporalFields): boolean => {
  fields.year = Number(match[group])
  fields.month = Number(match[group + 1])
  fields.day = Number(match[group + 2])
  return isYear(fields.year) && isDay(fields.year, fields.month, fields.day)
}

const fillTime = (match: RegExpExecArray, group: number, fields: TemporalFields): boolean => {
  const hour = Number(match[group])
  const minute = Number(match[group + 1])
  const second = Number(match[group + 2] ?? 0)
  const nano = Number((match[group + 3] ?? "").padEnd(9, "0"))
  fields.nanoOfDay = BigInt(hour * 3600 + minute * 60 + second) * NANOSECONDS_PER_SECOND + BigInt(nano)
  return hour < 24 && minute < 60 && second < 60
}

const fillOffset = (text: string, fields: TemporalFields): boolean => {
  if (text === "Z") return true
  const [hours, minutes = 0, seconds = 0] = text.slice(1).split(":").map(Number)
  const total = hours! * 3600 + minutes * 60 + seconds
  fields.offsetSeconds = text.startsWith("-") && total !== 0 ? -total : total
  return minutes < 60 && seconds < 60 && total <= 64_800
}

const fillPeriod = (match: RegExpExecArray, fields: TemporalFields): boolean => {
  const sign = match[1] === "-" ? -1 : 1
  const part = (group: number): number => (match[group] === undefined ? 0 : sign * Number(match[group]) || 0)
  fields.year = part(2)
  fields.month = part(3)
  fields.day = part(4) * 7 + part(5)
  const any = match.slice(2).some((group) => group !== undefined)
  return any && [fields.year, fields.month, fields.day].every((value) => (value | 0) === value)
}

/** Days since 1970-01-01 of a date in the proleptic ISO calendar. Years start on 1 March in the calculation. */
const epochDay = ({ year, month, day }: TemporalFields): bigint => {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return BigInt(era * 146_097 + dayOfEra - 719_468)
}

const dateOfEpochDay = (epochDays: number): { year: number; month: number; day: number } => {
  const days = epochDays + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const m = Math.floor((5 * dayOfYear + 2) / 153)
  const month = m < 10 ? m + 3 : m - 9
  const day = dayOfYear - Math.floor((153 * m + 2) / 5) + 1
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

/** The value with these fields. Fails with ProtocolError when a field is out of its range. */
export const temporalOfFields = (name: TemporalName, fields: TemporalFields): Temporal => {
  const text = textOf(name, fields)
  if (text === undefined) throw new ProtocolError(`A java.time.${name} has a field out of its range.`)
  return temporalOfText(name, text)
}

const textOf = (name: TemporalName, fields: TemporalFields): string | undefined => {
  switch (name) {
    case "Instant":
      return instantText(fields)
    case "MonthDay":
      return `--${twoDigits(fields.month)}-${twoDigits(fields.day)}`
    case "Period":
      return periodText(fields)
    case "Year":
      return String(fields.year)
    case "YearMonth":
      return `${yearText(fields.year)}-${twoDigits(fields.month)}`
    default:
      return shapeText(shapes[name]!, fields)
  }
}

const shapeText = (shape: Shape, fields: TemporalFields): string | undefined => {
  let text = ""
  for (const part of shape) {
    if (part === "date") text += isoDate(fields.year, fields.month, fields.day)
    else if (part === "offset") text += offsetText(fields.offsetSeconds)
    else {
      if (fields.nanoOfDay < 0n || fields.nanoOfDay >= SECONDS_PER_DAY * NANOSECONDS_PER_SECOND) return undefined
      text += `${shape[0] === "date" ? "T" : ""}${timeText(fields.nanoOfDay, false)}`
    }
  }
  return text
}

const timeText = (nanoOfDay: bigint, withSeconds: boolean): string => {
  const nano = Number(nanoOfDay % NANOSECONDS_PER_SECOND)
  return isoTime(Number(nanoOfDay / NANOSECONDS_PER_SECOND), nano, withSeconds)
}

const instantText = (fields: TemporalFields): string | undefined => {
  const { nanos, seconds } = durationOfNanos(fields.epochSeconds * NANOSECONDS_PER_SECOND + BigInt(fields.nanos))
  const secondOfDay = ((seconds % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY
  const days = (seconds - secondOfDay) / SECONDS_PER_DAY
  if (days > 365_241_780_471n || days < -365_243_219_162n) return undefined
  const { year, month, day } = dateOfEpochDay(Number(days))
  const time = timeText(secondOfDay * NANOSECONDS_PER_SECOND + BigInt(nanos), true)
  return `${isoDate(year, month, day)}T${time}Z`
}

const periodText = ({ year, month, day }: TemporalFields): string => {
  const text = `${year === 0 ? "" : `${year}Y`}${month === 0 ? "" : `${month}M`}${day === 0 ? "" : `${day}D`}`
  return `P${text === "" ? "0D" : text}`
}
