import { Unavailable } from "../values/OperandErrors.ts"
import { dayNames, monthNames, type PatternKind, type PatternPart } from "./DatePatterns.ts"

/**
 * The fields that a text has by a pattern, by the letters y, M, d, D, E, a, H, h, m, s, S (nanoseconds) and X (seconds before UTC).
 * `era` is 1 if the pattern has the letter y: no year of an era is 0.
 */
export type ReadFields = { readonly [letter: string]: number | undefined }

/** What was read, or the offset in the text at which it does not fit the pattern. */
type ReadText =
  | { readonly fields: ReadFields; readonly end: number }
  | { readonly fields: undefined; readonly failed: number }

/** Letters of fields with digits only. M and L have names if they stand three times. */
const isNumeric = ({ count, letter }: PatternPart): boolean =>
  letter !== "" && ("yudDHhKkmsSn".includes(letter) || ("ML".includes(letter) && count < 3))

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= "0" && character <= "9"

/** Maximum number of digits that a field of a SimpleDateFormat takes. */
const MAX_DIGITS = 15

/** Maximum number of digits that are looked at for one field of a DateTimeFormatter: fields that follow it directly take some. */
const MAX_RUN_DIGITS = 200

/**
 * Reads a text by a pattern, from left to right without going back, as Java does. DateTimeFormatter takes the digits that the
 * pattern has; SimpleDateFormat takes all digits that follow, names in any case, and ignores spaces before a field.
 */
export const readByPattern = (text: string, parts: readonly PatternPart[], kind: PatternKind): ReadText => {
  const fields: { [letter: string]: number } = {}
  let at = 0
  for (const [index, part] of parts.entries()) {
    const { letter } = part
    if (letter === "") {
      if (!text.startsWith(part.text, at)) return { fields: undefined, failed: at }
      at += part.text.length
      continue
    }
    if (kind === "SimpleDateFormat") while (text[at] === " " || text[at] === "\t") at++
    const read = isNumeric(part)
      ? readNumber(text, at, parts, index, kind)
      : "MLEa".includes(letter)
        ? readName(text, at, part, kind)
        : readOffset(text, at, part, kind)
    if (read === undefined) return { fields: undefined, failed: at }
    fields[fieldOf(letter)] = read.value
    if (letter === "y") fields.era = 1
    at = read.end
  }
  return { fields, end: at }
}

/** The field that a letter sets: k and K are hours, too. */
const fieldOf = (letter: string): string =>
  ({ u: "y", L: "M", k: "H", K: "h", n: "S", x: "X", Z: "X", z: "X" })[letter] ?? letter

type Read = { readonly value: number; readonly end: number } | undefined

/** The number of digits of the fields with a fixed width that follow directly. */
const reserved = (parts: readonly PatternPart[], index: number): number => {
  let digits = 0
  for (const part of parts.slice(index + 1)) {
    if (!isNumeric(part) || (part.count === 1 && part.letter !== "S")) break
    digits += part.count
  }
  return digits
}

const readNumber = (
  text: string,
  start: number,
  parts: readonly PatternPart[],
  index: number,
  kind: PatternKind
): Read => {
  const { count, letter } = parts[index]!
  let end = start
  const most = kind === "SimpleDateFormat" ? MAX_DIGITS : MAX_RUN_DIGITS
  while (isDigit(text[end]) && end - start < most) end++
  const next = parts[index + 1]
  const isYear = letter === "y" || letter === "u"
  if (kind === "SimpleDateFormat") {
    if (next !== undefined && isNumeric(next)) end = Math.min(end, start + count)
  } else {
    const isFixed = letter === "S" || (count > 1 && (!isYear || count === 2))
    if (isFixed) end = end - start >= count ? start + count : start
    else end = Math.max(start, end - reserved(parts, index))
    // A year with more digits than the pattern needs a sign there.
    if (end - start < count || (isYear && count > 3 && end - start > count)) return undefined
  }
  if (end === start || end - start > MAX_DIGITS) return undefined
  const digits = text.slice(start, end)
  return { value: fieldValue(letter, count, digits, kind), end }
}

const fieldValue = (letter: string, count: number, digits: string, kind: PatternKind): number => {
  const value = Number(digits)
  switch (letter) {
    case "S":
      return kind === "SimpleDateFormat" ? value * 1_000_000 : Number(digits.padEnd(9, "0"))
    case "y":
    case "u":
      return count <= 2 && digits.length === 2 && (kind === "SimpleDateFormat" || count === 2)
        ? century(value, kind)
        : value
    case "k":
      return value === 24 ? 0 : value
    default:
      return value
  }
}

/** The year of two digits: from 2000 for DateTimeFormatter, and at most 20 years from now for SimpleDateFormat. */
const century = (value: number, kind: PatternKind): number => {
  if (kind === "DateTimeFormatter") return 2000 + value
  const first = new Date().getUTCFullYear() - 80
  return first + ((((value - first) % 100) + 100) % 100)
}

const readName = (text: string, start: number, { count, letter }: PatternPart, kind: PatternKind): Read => {
  const full = letter === "a" ? ["AM", "PM"] : letter === "E" ? dayNames : monthNames
  const short = full.map((name) => name.slice(0, 3))
  const isSimple = kind === "SimpleDateFormat"
  const names = isSimple ? [full, short] : [count < 4 ? short : full]
  for (const list of names) {
    const found = list.findIndex((name) => {
      const written = text.slice(start, start + name.length)
      return isSimple ? written.toLowerCase() === name.toLowerCase() : written === name
    })
    if (found >= 0) return { value: letter === "a" ? found : found + 1, end: start + list[found]!.length }
  }
  return undefined
}

/** As in Java, a zone is at most 18 hours from UTC. */
const MAX_OFFSET_MINUTES = 1080

const readOffset = (text: string, start: number, { count, letter }: PatternPart, kind: PatternKind): Read => {
  const rest = text.slice(start, start + 10)
  if (letter === "X" && rest.startsWith("Z")) return { value: 0, end: start + 1 }
  if ("zZ".includes(letter) && kind === "SimpleDateFormat" && /^[A-Za-z]/.test(rest)) {
    if (/^(?:UTC|GMT)(?![\w+-])/.test(rest)) return { value: 0, end: start + 3 }
    throw new Unavailable(`scripts read only UTC, GMT and offsets such as +0200 as time zones, not '${rest}'`)
  }
  const hasColon = count === 3 && (letter === "X" || letter === "x")
  const form = hasColon
    ? /^([+-])(\d\d):(\d\d)/
    : count === 1 && "Xx".includes(letter)
      ? /^([+-])(\d\d)(\d\d)?/
      : /^([+-])(\d\d)(\d\d)/
  const [written, sign, hours, minutes = "0"] = form.exec(rest) ?? []
  if (written === undefined || Number(minutes) > 59) return undefined
  if (Number(hours) * 60 + Number(minutes) > MAX_OFFSET_MINUTES) return undefined
  const isShort = kind === "SimpleDateFormat" && letter === "X" && count === 1
  const seconds = Number(hours) * 3600 + (isShort ? 0 : Number(minutes) * 60)
  return { value: sign === "-" ? -seconds : seconds, end: start + (isShort ? 3 : written.length) }
}
