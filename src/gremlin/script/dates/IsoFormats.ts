import { isoDate, isoTime } from "../../../structure/times/IsoText.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { type CalendarTime, dateOfDay, SECOND_NANOS } from "./CalendarTimes.ts"
import { formatted, partsOfPattern } from "./DatePatterns.ts"
import { twoZones, unparsed } from "./DateResolution.ts"

// The constants of DateTimeFormatter for texts in ISO-8601.

/** The constants that scripts have. */
export const isoFormats = [
  ...["ISO_DATE", "ISO_DATE_TIME", "ISO_INSTANT", "ISO_LOCAL_DATE", "ISO_LOCAL_DATE_TIME", "ISO_OFFSET_DATE_TIME"],
  "BASIC_ISO_DATE"
] as const

const OFFSET = partsOfPattern("XXX", "DateTimeFormatter")
const BASIC = partsOfPattern("yyyyMMdd", "DateTimeFormatter")
/** The text of a time by one of the constants. Fails with OperandError for a time without a field of it. */
export const isoFormat = (time: CalendarTime, format: string): string => {
  const { day, month, year } = dateOfDay(time.day)
  const hasOffset = time.type === "OffsetDateTime"
  const offset = hasOffset ? formatted(time, OFFSET, "DateTimeFormatter") : ""
  const date = isoDate(year, month, day)
  if (format === "ISO_LOCAL_DATE") return date
  if (format === "ISO_DATE") return `${date}${offset}`
  if (format === "BASIC_ISO_DATE") return `${formatted(time, BASIC, "DateTimeFormatter")}${offset.replace(":", "")}`
  const needsOffset = format === "ISO_OFFSET_DATE_TIME" || format === "ISO_INSTANT"
  if (time.type === "LocalDate" || (needsOffset && !hasOffset)) {
    const field = time.type === "LocalDate" ? "HourOfDay" : "OffsetSeconds"
    throw new OperandError(
      `a ${time.type} has not the fields of ${format}`,
      "UnsupportedTemporalTypeException",
      `Unsupported field: ${field}`
    )
  }
  if (format === "ISO_INSTANT" && time.offset !== 0) {
    throw new Unavailable("ISO_INSTANT writes instants and times in UTC in scripts: write time.toInstant().toString()")
  }
  const nano = Number(time.nanos % SECOND_NANOS)
  const fraction = nano === 0 ? "" : `.${String(nano).padStart(9, "0").replace(/0+$/, "")}`
  const clock = isoTime(Number(time.nanos / SECOND_NANOS), 0, true)
  return `${date}T${clock}${fraction}${format === "ISO_LOCAL_DATE_TIME" ? "" : offset}`
}

const DATE = "(\\d{4})-(\\d\\d)-(\\d\\d)"
const TIME = "(T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)"
const ZONE = "(Z|[+-]\\d\\d:\\d\\d)"

/** What the constants read: year, month, day, time and offset. */
const forms: { readonly [format: string]: RegExp } = {
  ISO_DATE: new RegExp(`^${DATE}()${ZONE}?$`),
  ISO_LOCAL_DATE: new RegExp(`^${DATE}$`),
  ISO_DATE_TIME: new RegExp(`^${DATE}${TIME}${ZONE}?$`),
  ISO_LOCAL_DATE_TIME: new RegExp(`^${DATE}${TIME}$`),
  ISO_OFFSET_DATE_TIME: new RegExp(`^${DATE}${TIME}${ZONE}$`),
  BASIC_ISO_DATE: /^(\d{4})(\d\d)(\d\d)(?:Z|[+-]\d\d(?:\d\d)?)?$/
}

/**
 * A text in the form of one of the constants, as the class that it is parsed to reads it without a formatter. Fails with OperandError for
 * a text of another form, or without a field of the class, and with Unavailable for ISO_INSTANT and names of zones.
 *
 * @param zone the text of the formatter's zone, for a text without an offset
 */
export const isoText = (text: string, format: string, type: CalendarTime["type"], zone?: string): string => {
  if (format === "ISO_INSTANT") throw new Unavailable("ISO_INSTANT only writes in scripts: Instant.parse(text) reads")
  if (text.endsWith("]")) throw new Unavailable("scripts read no names of zones, such as [Europe/Berlin]")
  const found = forms[format]!.exec(text)
  if (found === null) throw unparsed(text, ` by ${format}`)
  const [, year, month, day, time = "", offset = zone] = found
  const date = `${year}-${month}-${day}`
  if (type === "LocalDate") return date
  if (time === "" || (type === "OffsetDateTime" && offset === undefined)) {
    throw unparsed(text, `: Unable to obtain ${type} from TemporalAccessor`)
  }
  if (type === "LocalDateTime") return `${date}${time}`
  if (zone !== undefined && offset !== zone) throw twoZones(text)
  return `${date}${time}${offset}`
}
