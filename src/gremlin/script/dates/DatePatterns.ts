import { twoDigits } from "../../../structure/times/IsoText.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { type CalendarTime, dateOfDay, dayOf, SECOND_NANOS } from "./CalendarTimes.ts"

/** The two kinds of patterns of Java: of DateTimeFormatter and of SimpleDateFormat, which read some letters otherwise. */
export type PatternKind = "DateTimeFormatter" | "SimpleDateFormat"

/** A part of a pattern: a letter and how often it stands there, or a text. */
export interface PatternPart {
  /** Empty for a text. */
  readonly letter: string
  readonly count: number
  readonly text: string
}

/** Maximum length of a pattern. */
const MAX_PATTERN_CHARS = 200

/** Letters that scripts have, by the kind of the pattern. */
const letters: { readonly [kind in PatternKind]: string } = {
  DateTimeFormatter: "yuMLdDEaHhKkmsSnXxZ",
  SimpleDateFormat: "yMLdDEaHhKkmsSXZz"
}

/** The largest number of equal letters; letters without an entry stand at most twice. */
const mostLetters: { readonly [letter: string]: number } = {
  y: 9,
  u: 9,
  M: 4,
  L: 4,
  D: 3,
  E: 4,
  S: 9,
  n: 9,
  X: 3,
  x: 3,
  Z: 3,
  z: 4
}

/** The parts of a pattern such as `yyyy-MM-dd`. Fails with OperandError, and with Unavailable for letters that scripts do not have. */
export const partsOfPattern = (pattern: string, kind: PatternKind): readonly PatternPart[] => {
  if (pattern.length > MAX_PATTERN_CHARS) {
    throw new Unavailable(`a pattern of a date has at most ${MAX_PATTERN_CHARS} characters in scripts`)
  }
  const parts: Array<PatternPart> = []
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]!
    if (character === "'") {
      const { end, text } = quotedText(pattern, at, kind)
      parts.push({ letter: "", count: 0, text })
      at = end
      continue
    }
    let end = at + 1
    while (pattern[end] === character) end++
    if (/[A-Za-z]/.test(character)) parts.push(letterPart(character, end - at, kind))
    else if (kind === "DateTimeFormatter" && "[]{}#".includes(character)) {
      throw new Unavailable(`patterns have no ${character} in scripts: write one pattern for each form of the date`)
    } else parts.push({ letter: "", count: 0, text: pattern.slice(at, end) })
    at = end
  }
  return parts
}

const letterPart = (letter: string, count: number, kind: PatternKind): PatternPart => {
  if (!letters[kind].includes(letter)) {
    throw new Unavailable(
      `patterns of ${kind} have no letter ${letter} in scripts; they have ${[...letters[kind]].join(", ")}`
    )
  }
  const most = mostLetters[letter] ?? (letter === "a" ? 1 : 2)
  if (count <= most || (kind === "SimpleDateFormat" && "adHhKkms".includes(letter) && count <= 9)) {
    return { letter, count, text: "" }
  }
  throw new Unavailable(`patterns of dates have the letter ${letter} at most ${most} times in scripts, not ${count}`)
}

/** The text in quotes that begins at an offset: `'T'`, or `''` for a quote. */
const quotedText = (
  pattern: string,
  start: number,
  kind: PatternKind
): { readonly end: number; readonly text: string } => {
  let text = ""
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") text += pattern[at]
    else if (pattern[at + 1] === "'" && at > start + 1) {
      text += "'"
      at++
    } else return { end: at + 1, text: at === start + 1 ? "'" : text }
  }
  const message =
    kind === "SimpleDateFormat" ? "Unterminated quote" : `Pattern ends with an incomplete string literal: ${pattern}`
  throw new OperandError("a quote of the pattern has no end", "IllegalArgumentException", message)
}

/** Names of the months in English, as Java writes them in the locale of the United States. */
export const monthNames = "January February March April May June July August September October November December".split(
  " "
)

/** Names of the days of the week in English, from Monday. */
export const dayNames = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ")

/** The day of the week of a number of days since 1970-01-01: 1 for Monday. */
export const dayOfWeek = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** Java's names of the fields, for the error of a value that does not have them. */
const fieldNames: { readonly [letter: string]: string } = {
  a: "AmPmOfDay",
  H: "HourOfDay",
  k: "ClockHourOfDay",
  K: "HourOfAmPm",
  h: "ClockHourOfAmPm",
  m: "MinuteOfHour",
  s: "SecondOfMinute",
  S: "NanoOfSecond",
  n: "NanoOfSecond",
  X: "OffsetSeconds",
  x: "OffsetSeconds",
  Z: "OffsetSeconds"
}

/** The text of a time by a pattern. Fails with OperandError if the time has no field of the pattern. */
export const formatted = (time: CalendarTime, parts: readonly PatternPart[], kind: PatternKind): string =>
  parts.map((part) => (part.letter === "" ? part.text : fieldText(time, part, kind))).join("")

const fieldText = (time: CalendarTime, { count, letter }: PatternPart, kind: PatternKind): string => {
  const isMissing =
    Object.hasOwn(fieldNames, letter) &&
    (time.type === "LocalDate" || (time.type === "LocalDateTime" && "XxZ".includes(letter)))
  if (isMissing) {
    const text = `Unsupported field: ${fieldNames[letter]}`
    const problem = `a ${time.type} has no field for the letter ${letter}`
    throw new OperandError(problem, "UnsupportedTemporalTypeException", text)
  }
  const { day, month, year } = dateOfDay(time.day)
  const padded = (value: number): string => String(value).padStart(count, "0")
  const seconds = Number(time.nanos / SECOND_NANOS)
  const hour = Math.floor(seconds / 3600)
  const nano = Number(time.nanos % SECOND_NANOS)
  switch (letter) {
    case "y":
    case "u":
      return yearText(year, count, letter, kind)
    case "M":
    case "L":
      return count < 3 ? padded(month) : nameText(monthNames[month - 1]!, count)
    case "d":
      return padded(day)
    case "D":
      return padded(time.day - dayOf({ year, month: 1, day: 1 }) + 1)
    case "E":
      return nameText(dayNames[dayOfWeek(time.day) - 1]!, count)
    case "a":
      return hour < 12 ? "AM" : "PM"
    case "H":
      return padded(hour)
    case "k":
      return padded(hour === 0 ? 24 : hour)
    case "K":
      return padded(hour % 12)
    case "h":
      return padded(hour % 12 === 0 ? 12 : hour % 12)
    case "m":
      return padded(Math.floor(seconds / 60) % 60)
    case "s":
      return padded(seconds % 60)
    case "n":
      return padded(nano)
    case "S":
      if (kind === "SimpleDateFormat") return padded(Math.floor(nano / 1_000_000))
      return String(nano).padStart(9, "0").slice(0, count)
    case "z":
      return count < 4 ? "UTC" : "Coordinated Universal Time"
    default:
      return offsetText(time.offset, letter, count, kind)
  }
}

const yearText = (year: number, count: number, letter: string, kind: PatternKind): string => {
  // Year 0 is the year 1 of the era before, which y counts.
  const shown = letter === "y" && year === 0 ? 1 : year
  if (count === 2) return twoDigits(shown % 100)
  return String(shown).padStart(kind === "SimpleDateFormat" ? Math.max(count, count === 1 ? 4 : count) : count, "0")
}

const nameText = (name: string, count: number): string => (count < 4 ? name.slice(0, 3) : name)

const offsetText = (offset: number, letter: string, count: number, kind: PatternKind): string => {
  if (letter === "X" && offset === 0) return "Z"
  const sign = offset < 0 ? "-" : "+"
  const hours = twoDigits(Math.floor(Math.abs(offset) / 3600))
  const minutes = twoDigits(Math.floor(Math.abs(offset) / 60) % 60)
  if (letter === "Z") return `${sign}${hours}${minutes}`
  if (count === 1)
    return minutes === "00" || kind === "SimpleDateFormat" ? `${sign}${hours}` : `${sign}${hours}${minutes}`
  return `${sign}${hours}${count === 3 ? ":" : ""}${minutes}`
}
