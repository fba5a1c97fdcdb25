import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Timestamp } from "../../../structure/times/Temporal.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { asIndex } from "../methods/MethodTable.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { dateOfDay, dayOf, lengthOfMonth } from "./CalendarTimes.ts"
import { formatDate } from "./DateFormats.ts"
import { instantOfMillis } from "./DateMethods.ts"
import { dayNames, dayOfWeek, monthNames } from "./DatePatterns.ts"

/** Year, month from 0, day of the month, hour, minute, second and millisecond. Each may be too large or negative. */
type Parts = [number, number, number, number, number, number, number]

const YEAR = 0
const MONTH = 1
const DAY = 2
const HOUR = 3

const DAY_MILLIS = 86_400_000
const HOUR_MILLIS = 3_600_000

/** The first and the last millisecond: 1582-10-15, before which Java has the Julian calendar, and the end of the year 9999. */
const FIRST_MILLI = -12_219_292_800_000
const LAST_MILLI = 253_402_300_799_999

/** The numbers of Java's fields. */
const fields = {
  YEAR: 1,
  MONTH: 2,
  WEEK_OF_YEAR: 3,
  WEEK_OF_MONTH: 4,
  DATE: 5,
  DAY_OF_MONTH: 5,
  DAY_OF_YEAR: 6,
  DAY_OF_WEEK: 7,
  AM_PM: 9,
  HOUR: 10,
  HOUR_OF_DAY: 11,
  MINUTE: 12,
  SECOND: 13,
  MILLISECOND: 14
} as const

/** The constants of java.util.Calendar: its fields, months from 0, and days of the week from 1 for Sunday. */
export const calendarConstants: { readonly [name: string]: number } = {
  ...fields,
  ...Object.fromEntries(monthNames.map((name, at) => [name.toUpperCase(), at])),
  ...Object.fromEntries(dayNames.map((name, at) => [name.toUpperCase(), ((at + 1) % 7) + 1])),
  AM: 0,
  PM: 1
}

/** Places in {@link Parts} of the fields that are stored as they are. */
const places: ReadonlyMap<number, number> = new Map([
  [fields.YEAR, YEAR],
  [fields.MONTH, MONTH],
  [fields.DATE, DAY],
  [fields.HOUR_OF_DAY, HOUR],
  [fields.MINUTE, 4],
  [fields.SECOND, 5],
  [fields.MILLISECOND, 6]
])

/** Milliseconds of one unit of the fields of a fixed length. */
const lengths: ReadonlyMap<number, number> = new Map([
  [fields.WEEK_OF_YEAR, 7 * DAY_MILLIS],
  [fields.WEEK_OF_MONTH, 7 * DAY_MILLIS],
  [fields.DATE, DAY_MILLIS],
  [fields.DAY_OF_YEAR, DAY_MILLIS],
  [fields.DAY_OF_WEEK, DAY_MILLIS],
  [fields.AM_PM, 12 * HOUR_MILLIS],
  [fields.HOUR, HOUR_MILLIS],
  [fields.HOUR_OF_DAY, HOUR_MILLIS],
  [fields.MINUTE, 60_000],
  [fields.SECOND, 1000],
  [fields.MILLISECOND, 1]
])

const checked = (millis: number): number => {
  if (millis >= FIRST_MILLI && millis <= LAST_MILLI) return millis
  throw new OperandError("a Calendar of scripts has the dates 1582-10-15 to 9999-12-31", "IllegalArgumentException")
}

const fieldOf = (value: unknown): number => {
  const field = asIndex(value)
  if (lengths.has(field) || places.has(field)) return field
  throw new Unavailable(`a Calendar of scripts has no field ${field}; it has ${Object.keys(fields).join(", ")}`)
}

const dateGiven = (value: unknown): number => {
  if (value instanceof Timestamp) return value.epochMillis
  throw new OperandError(`a Date was expected, not ${typeName(value)}`, "MissingMethodException")
}

const calendarGiven = (value: unknown): ScriptCalendar => {
  if (value instanceof ScriptCalendar) return value
  throw new OperandError(`a Calendar was expected, not ${typeName(value)}`, "MissingMethodException")
}

/** A method: the least and the largest number of its arguments, and what it does. */
type Call = readonly [least: number, most: number, run: (calendar: ScriptCalendar, args: readonly unknown[]) => unknown]

const getTime: Call = [0, 0, (it) => new Timestamp(it.millis)]
const getMillis: Call = [0, 0, (it) => BigInt(it.millis)]
const get: Call = [1, 1, (it, [field]) => it.field(fieldOf(field))]

const calls: { readonly [name: string]: Call } = {
  getTime,
  getTimeInMillis: getMillis,
  get,
  getAt: get,
  setTime: [1, 1, (it, [date]) => void it.moveTo(dateGiven(date))],
  setTimeInMillis: [1, 1, (it, [millis]) => void it.moveTo(Number(whole(millis)))],
  set: [2, 6, (it, args) => void it.set(args)],
  putAt: [2, 2, (it, args) => void it.set(args)],
  add: [2, 2, (it, [field, amount]) => void it.add(fieldOf(field), Number(whole(amount)))],
  getActualMaximum: [1, 1, (it, [field]) => it.largest(fieldOf(field))],
  // Groovy's method: the calendar at midnight.
  clearTime: [0, 0, (it) => it.moveTo(it.millis - (((it.millis % DAY_MILLIS) + DAY_MILLIS) % DAY_MILLIS))],
  clear: [0, 0, (it) => void it.moveTo(0)],
  clone: [0, 0, (it) => new ScriptCalendar(it.millis)],
  before: [1, 1, (it, [other]) => it.millis < calendarGiven(other).millis],
  after: [1, 1, (it, [other]) => it.millis > calendarGiven(other).millis],
  compareTo: [1, 1, (it, [other]) => Math.sign(it.millis - calendarGiven(other).millis)],
  equals: [1, 1, (it, [other]) => other instanceof ScriptCalendar && it.millis === other.millis],
  toInstant: [0, 0, (it) => instantOfMillis(BigInt(it.millis))],
  format: [1, 1, (it, [pattern]) => formatDate(new Timestamp(it.millis), pattern)]
}

/**
 * A java.util.Calendar in UTC, whose weeks begin on Sunday. As in Java, a field may be too large or negative, and the others follow
 * when one is read: so the order in which month and day are set makes no difference.
 */
export class ScriptCalendar extends CalledValue {
  #parts: Parts = [1970, 0, 1, 0, 0, 0, 0]

  constructor(millis: number) {
    super()
    this.moveTo(millis)
  }

  get [Symbol.toStringTag](): string {
    return "GregorianCalendar"
  }

  override toString(): string {
    return `java.util.GregorianCalendar[time=${this.millis}]`
  }

  override call(name: string, args: readonly unknown[]): unknown {
    const found = Object.hasOwn(calls, name) ? calls[name] : undefined
    if (found !== undefined && args.length >= found[0] && args.length <= found[1]) return found[2](this, args) ?? null
    throw new Unavailable(
      `a Calendar of scripts has no method ${name}() with ${args.length} arguments; it has ${Object.keys(calls).join(", ")}`
    )
  }

  override member(name: string): unknown {
    if (name === "time") return new Timestamp(this.millis)
    return name === "timeInMillis" ? BigInt(this.millis) : undefined
  }

  override assign(place: unknown, value: unknown): boolean {
    if (place === "time") this.moveTo(dateGiven(value))
    else if (place === "timeInMillis") this.moveTo(Number(whole(value)))
    else if (typeof place === "number") this.set([place, value])
    else return false
    return true
  }

  /** Milliseconds since 1970. Fails with OperandError outside of the years of scripts. */
  get millis(): number {
    const [year, month, day, hour, minute, second, milli] = this.#parts
    const date = new Date(0)
    date.setUTCFullYear(year, month, day)
    return checked(date.setUTCHours(hour, minute, second, milli))
  }

  /** Sets the time to milliseconds since 1970. Fails with OperandError outside of the years of scripts. */
  moveTo(millis: number): this {
    const date = new Date(checked(millis))
    const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds()] as const
    this.#parts = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), ...time]
    return this
  }

  /** The value of a field. */
  field(field: number): number {
    this.moveTo(this.millis)
    const place = places.get(field)
    if (place !== undefined) return this.#parts[place]!
    const [year, month, day, hour] = this.#parts
    const today = dayOf({ year, month: month + 1, day })
    // From 0 for Sunday.
    const weekday = (of: number): number => dayOfWeek(of) % 7
    const weekFrom = (first: number): number => Math.floor((today - first + weekday(first)) / 7) + 1
    switch (field) {
      case fields.DAY_OF_WEEK:
        return weekday(today) + 1
      case fields.DAY_OF_YEAR:
        return today - dayOf({ year, month: 1, day: 1 }) + 1
      case fields.WEEK_OF_MONTH:
        return weekFrom(today - day + 1)
      case fields.WEEK_OF_YEAR:
        // The week of the next first of January is the first week of that year.
        return dateOfDay(today + 6 - weekday(today)).year > year ? 1 : weekFrom(dayOf({ year, month: 1, day: 1 }))
      case fields.AM_PM:
        return hour < 12 ? 0 : 1
      default:
        return hour % 12
    }
  }

  /** `set(field, value)`, `set(year, month, day)`, and the same with hour and minute, and with a second. Fails with OperandError. */
  set(args: readonly unknown[]): void {
    const values = args.map((value) => Number(whole(value)))
    if (values.length === 4) throw new OperandError("set() takes no hour without a minute", "MissingMethodException")
    if (values.length > 2) {
      for (const [at, value] of values.entries()) this.#parts[at] = value
      return
    }
    const field = fieldOf(args[0])
    const value = values[1]!
    const place = places.get(field)
    if (place !== undefined) this.#parts[place] = value
    else if (field === fields.DAY_OF_YEAR) {
      this.#parts[MONTH] = 0
      this.#parts[DAY] = value
    } else this.moveTo(this.millis + (value - this.field(field)) * lengths.get(field)!)
  }

  /** Adds to a field. As in Java, the day becomes the last one of a shorter month. Fails with OperandError. */
  add(field: number, amount: number): void {
    const length = lengths.get(field)
    if (length !== undefined) {
      this.moveTo(this.millis + amount * length)
      return
    }
    this.moveTo(this.millis)
    const [year, month, day] = this.#parts
    const all = year * 12 + month + (field === fields.YEAR ? 12 : 1) * amount
    const inYear = Math.floor(all / 12)
    const parts: Parts = [...this.#parts]
    parts[YEAR] = inYear
    parts[MONTH] = all - inYear * 12
    parts[DAY] = Math.min(day, lengthOfMonth(inYear, parts[MONTH] + 1))
    checked(Date.UTC(inYear, parts[MONTH], parts[DAY]))
    this.#parts = parts
  }

  /** The largest value of a field at this time. */
  largest(field: number): number {
    const [year, month] = [this.field(fields.YEAR), this.field(fields.MONTH)]
    if (field === fields.DATE) return lengthOfMonth(year, month + 1)
    if (field === fields.DAY_OF_YEAR) return lengthOfMonth(year, 2) === 29 ? 366 : 365
    const most = largestValues.get(field)
    if (most !== undefined) return most
    throw new Unavailable("getActualMaximum() of scripts has no weeks and no year")
  }
}

const largestValues: ReadonlyMap<number, number> = new Map([
  [fields.MONTH, 11],
  [fields.DAY_OF_WEEK, 7],
  [fields.AM_PM, 1],
  [fields.HOUR, 11],
  [fields.HOUR_OF_DAY, 23],
  [fields.MINUTE, 59],
  [fields.SECOND, 59],
  [fields.MILLISECOND, 999]
])
