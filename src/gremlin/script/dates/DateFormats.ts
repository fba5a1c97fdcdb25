import { typeName } from "../../../structure/texts/TypeNames.ts"
import { type OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { asText } from "../methods/MethodTable.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import {
  type CalendarTime,
  calendarTimeOf,
  calendarValue,
  dateOfDay,
  localNanos,
  SECOND_NANOS,
  withLocalNanos
} from "./CalendarTimes.ts"
import { formatted, type PatternPart, partsOfPattern } from "./DatePatterns.ts"
import { lenientMillis, resolvedTime, unparsed } from "./DateResolution.ts"
import { readByPattern } from "./DateTexts.ts"
import { isoFormat, isoText } from "./IsoFormats.ts"
import { offsetOfZone, timeOfInstant } from "./Zones.ts"

/** Maximum length of a text that is read by a pattern. */
const MAX_TEXT_CHARS = 1_000

const textToRead = (value: unknown): string => {
  const text = asText(value)
  if (text.length <= MAX_TEXT_CHARS) return text
  throw new OperandError(`the text of a date has at most ${MAX_TEXT_CHARS} characters`, "DateTimeParseException")
}

const unknownMethod = (type: string, name: string, known: string): Unavailable =>
  new Unavailable(`${type} has no method ${name}() with these arguments in scripts; it has ${known}`)

/** A java.time.format.DateTimeFormatter of a script: a pattern, or one of the constants such as ISO_LOCAL_DATE. */
export class DateTimeFormatter extends CalledValue {
  readonly #parts: readonly PatternPart[] | string
  readonly #zone: Temporal | undefined

  /** @param zone the zone of `withZone()`, in which the formatter writes instants */
  constructor(parts: readonly PatternPart[] | string, zone?: Temporal) {
    super()
    this.#parts = parts
    this.#zone = zone
  }

  /** The formatter of `DateTimeFormatter.ofPattern(pattern)`. Fails with OperandError and Unavailable for other patterns. */
  static ofPattern(pattern: unknown): DateTimeFormatter {
    return new DateTimeFormatter(partsOfPattern(asText(pattern), "DateTimeFormatter"))
  }

  get [Symbol.toStringTag](): string {
    return "DateTimeFormatter"
  }

  override call(name: string, args: readonly unknown[]): unknown {
    const [value] = args
    if (name === "format" && args.length === 1) return this.format(value)
    if (name === "withZone" && value instanceof Temporal) {
      offsetOfZone(value)
      return new DateTimeFormatter(this.#parts, value)
    }
    throw unknownMethod("DateTimeFormatter", name, "format(), withZone()")
  }

  /** The text of a date or a time. Fails with OperandError for a value that has not the fields of the pattern. */
  format(value: unknown): string {
    const parts = this.#parts
    const isInstant = value instanceof Temporal && value.name === "Instant"
    if (isInstant && parts === "ISO_INSTANT") return value.text
    if (isInstant && this.#zone === undefined) {
      throw new OperandError(
        "an Instant has no fields: write instant.atZone(ZoneOffset.UTC), or withZone(ZoneOffset.UTC) after the formatter",
        "UnsupportedTemporalTypeException",
        "Unsupported field: YearOfEra"
      )
    }
    const time = isInstant ? timeOfInstant(value, offsetOfZone(this.#zone)) : this.#zoned(calendarTimeOf(value))
    if (time === undefined) throw new OperandError(`format() takes a date or a time, not ${typeName(value)}`)
    return typeof parts === "string" ? isoFormat(time, parts) : formatted(time, parts, "DateTimeFormatter")
  }

  /** The time at the zone of the formatter, if both have one. */
  #zoned(time: CalendarTime | undefined): CalendarTime | undefined {
    if (time?.type !== "OffsetDateTime" || this.#zone === undefined) return time
    const offset = offsetOfZone(this.#zone)
    return withLocalNanos({ ...time, offset }, localNanos(time) + BigInt(offset - time.offset) * SECOND_NANOS)
  }

  /**
   * The text as `LocalDate.parse(text)` and the like read it, or the value that the pattern gives. Fails with OperandError for a text
   * of another form.
   */
  read(value: unknown, type: CalendarTime["type"]): string | Temporal | OffsetDateTime {
    const text = textToRead(value)
    const parts = this.#parts
    const zone = this.#zone
    if (typeof parts === "string") return isoText(text, parts, type, zone?.text)
    const read = readByPattern(text, parts, "DateTimeFormatter")
    if (read.fields === undefined) throw unparsed(text, ` at index ${read.failed}`)
    if (read.end < text.length) throw unparsed(text, `, unparsed text found at index ${read.end}`)
    return calendarValue(resolvedTime(text, read.fields, type, zone === undefined ? undefined : offsetOfZone(zone)))
  }
}

/** The first day of the Gregorian calendar, 1582-10-15: SimpleDateFormat has the Julian calendar before it. */
const FIRST_GREGORIAN_DAY = -141_427

const MILLI_NANOS = 1_000_000n

/** Fails with Unavailable for a date before the Gregorian calendar. */
const gregorian = (time: CalendarTime): CalendarTime => {
  if (time.day >= FIRST_GREGORIAN_DAY) return time
  throw new Unavailable(
    `SimpleDateFormat has no dates before 1582-10-15 in scripts, such as one of the year ${dateOfDay(time.day).year}: use LocalDate`
  )
}

/** A java.text.SimpleDateFormat of a script. Its zone is UTC before setTimeZone(). */
export class SimpleDateFormat extends CalledValue {
  readonly #pattern: string
  readonly #parts: readonly PatternPart[]
  #offset = 0
  #isLenient = true

  /** Fails with OperandError and Unavailable for a pattern that scripts do not have. */
  constructor(pattern: unknown) {
    super()
    this.#pattern = asText(pattern)
    this.#parts = partsOfPattern(this.#pattern, "SimpleDateFormat")
  }

  get [Symbol.toStringTag](): string {
    return "SimpleDateFormat"
  }

  override call(name: string, args: readonly unknown[]): unknown {
    const [value] = args
    if (name === "toPattern" && args.length === 0) return this.#pattern
    if (args.length === 1) {
      switch (name) {
        case "format":
          return this.format(value)
        case "parse":
          return this.parse(value)
        case "setTimeZone":
          this.#offset = offsetOfZone(value)
          return null
        case "setLenient":
          if (typeof value !== "boolean") break
          this.#isLenient = value
          return null
      }
    }
    throw unknownMethod("SimpleDateFormat", name, "format(), parse(), setLenient(), setTimeZone(), toPattern()")
  }

  /** The text of a date, or of milliseconds since 1970. Fails with OperandError for another value. */
  format(value: unknown): string {
    if (!(value instanceof Timestamp)) throw new OperandError(`format() takes a Date, not ${typeName(value)}`)
    const start: CalendarTime = { day: 0, nanos: 0n, type: "OffsetDateTime", offset: this.#offset }
    const nanos = (value.millis + BigInt(this.#offset * 1000)) * MILLI_NANOS
    const zoned = this.#parts.some(({ letter }) => letter === "z") && this.#offset !== 0
    if (zoned) throw new Unavailable("the letter z writes UTC only: write Z or X for an offset")
    return formatted(gregorian(withLocalNanos(start, nanos)), this.#parts, "SimpleDateFormat")
  }

  /** The date of a text. Fails with OperandError for a text of another form. */
  parse(value: unknown): Timestamp {
    const text = textToRead(value)
    const read = readByPattern(text, this.#parts, "SimpleDateFormat")
    const millis = read.fields === undefined ? undefined : lenientMillis(read.fields, this.#offset, this.#isLenient)
    if (millis === undefined) {
      const problem = `Unparseable date: "${text}"`
      throw new OperandError(`${problem.slice(0, 100)} for the pattern ${this.#pattern}`, "ParseException", problem)
    }
    gregorian(withLocalNanos({ day: 0, nanos: 0n, type: "LocalDateTime", offset: 0 }, BigInt(millis) * MILLI_NANOS))
    return new Timestamp(millis)
  }
}

/** The text of a date by a pattern, at the offset of a zone. Fails with OperandError and Unavailable as SimpleDateFormat does. */
export const formatDate = (date: Timestamp, pattern: unknown, zone: unknown = undefined): string => {
  const format = new SimpleDateFormat(pattern)
  if (zone !== undefined) format.call("setTimeZone", [zone])
  return format.format(date)
}
