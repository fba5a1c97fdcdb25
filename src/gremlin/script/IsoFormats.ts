import { isoDate, isoTime } from "../../structure/IsoText.ts"
import { type CalendarTime, dateOfDay } from "./CalendarTimes.ts"
import { formatted, partsOfPattern } from "./DatePatterns.ts"
import { OperandError, Unavailable } from "./OperandErrors.ts"

// The constants of DateTimeFormatter for texts in ISO-8601.

/** The constants that scripts have. */
export const isoFormats = [
  ...["ISO_DATE", "ISO_DATE_TIME", "ISO_INSTANT", "ISO_LOCAL_DATE", "ISO_LOCAL_DATE_TIME", "ISO_OFFSET_DATE_TIME"],
  "BASIC_ISO_DATE"
] as const

const OFFSET = partsOfPattern("XXX", "DateTimeFormatter")
const BASIC = partsOfPattern("yyyyMMdd", "DateTimeFormatter")
const SECOND_NANOS = 1_000_000_000n

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

/** A text in the form of one of the constants, as the class that it is parsed to reads it without a formatter. */
export const isoText = (text: string, format: string, type: CalendarTime["type"]): string => {
  if (format === "BASIC_ISO_DATE") return text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")
  const takesOffset = format === "ISO_DATE_TIME" || format === "ISO_OFFSET_DATE_TIME" || format === "ISO_DATE"
  const local = takesOffset && type !== "OffsetDateTime" ? text.replace(/(?:Z|[+-]\d\d:\d\d)$/, "") : text
  if (type !== "LocalDate" || format === "ISO_LOCAL_DATE" || format === "ISO_DATE") return local
  // A formatter with a time reads a time, of which a LocalDate is the date.
  return /^[^T]+T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/.test(local) ? local.slice(0, local.indexOf("T")) : ""
}
