import type { IndexCondition } from "../../../structure/graph/GraphReads.ts"
import { isNaNValue, plainValue } from "../../../structure/numbers/NumberOrder.ts"
import { BigDecimal, BigInteger, Byte, double, Float, isNumber, Short } from "../../../structure/numbers/Numbers.ts"
import { Timestamp } from "../../../structure/times/Temporal.ts"
import { compareColumns, successor } from "../cells/Cells.ts"
import type { PropertyKey } from "../schema/Schema.ts"
import { equalValues, indexedValue } from "./IndexValues.ts"
import { isSorted, orderedTextPrefix, orderedValue } from "./OrderedValues.ts"

/** A range of columns of an ordered index. The end is exclusive; undefined means unbounded. */
export interface ColumnRange {
  readonly start: Uint8Array | undefined
  readonly end: Uint8Array | undefined
}

/** The empty range. */
const NOTHING: ColumnRange = { start: Buffer.from([1]), end: Buffer.from([1]) }

/** The size of each integer type in bits. */
const integers: Readonly<Record<string, number>> = { Byte: 8, Short: 16, Integer: 32, Long: 64 }

/** The ranges of the values that meet a condition; undefined when the index cannot answer it exactly. */
export const rangesOf = (key: PropertyKey, condition: IndexCondition): ReadonlyArray<ColumnRange> | undefined => {
  const { operator, value } = condition
  if (operator === "within") {
    if (!Array.isArray(value)) return undefined
    const found = value.map((each) => equalRanges(key, each))
    return found.every((ranges) => ranges !== undefined) ? found.flat() : undefined
  }
  if (operator === "eq") return equalRanges(key, value)
  const range = isSorted(key) ? rangeOf(key, condition) : undefined
  return range === undefined ? undefined : [range]
}

/** The columns of the values that equal a value. */
const equalRanges = (key: PropertyKey, value: unknown): ReadonlyArray<ColumnRange> | undefined => {
  if (isSorted(key)) {
    const range = both(from(key, value, true), to(key, value, true))
    return range === undefined ? undefined : [range]
  }
  return equalValues(key, value)?.map((stored) => {
    const start = orderedValue(key, stored)
    return { start, end: successor(start) }
  })
}

const rangeOf = (key: PropertyKey, { operator, value }: IndexCondition): ColumnRange | undefined => {
  switch (operator) {
    case "gt":
    case "gte":
      return both(from(key, value, operator === "gte"), unbounded(key))
    case "lt":
    case "lte":
      return both({ at: undefined }, to(key, value, operator === "lte"))
    case "between":
    case "inside": {
      const [low, high] = value as ReadonlyArray<unknown>
      return both(from(key, low, operator === "between"), to(key, high, false))
    }
    case "startingWith": {
      if (key.dataType.name !== "String" || typeof value !== "string") return undefined
      const prefix = orderedTextPrefix(value)
      return { start: prefix, end: successor(prefix) }
    }
    default:
      return undefined
  }
}

/**
 * One end of a range. `at` undefined: the range is unbounded. "nothing": no value meets the condition. Undefined: the
 * index cannot answer the condition.
 */
type End = { readonly at: Uint8Array | undefined } | "nothing" | undefined

const both = (start: End, end: End): ColumnRange | undefined => {
  if (start === undefined || end === undefined) return undefined
  if (start === "nothing" || end === "nothing") return NOTHING
  return { start: start.at, end: end.at }
}

/**
 * The end of a range without an upper bound. It excludes NaN, which sorts last in the store and is not comparable in
 * Gremlin.
 */
const unbounded = (key: PropertyKey): End => {
  if (key.dataType.name === "Double") return { at: orderedValue(key, Number.NaN) }
  if (key.dataType.name === "Float") return { at: orderedValue(key, new Float(Number.NaN)) }
  return { at: undefined }
}

const from = (key: PropertyKey, value: unknown, inclusive: boolean): End => {
  const bits = integers[key.dataType.name]
  if (bits !== undefined) return integerFrom(key, bits, value, inclusive)
  const stored = floating(key, value, inclusive ? "low" : "high")
  if (stored === undefined || stored === "nothing") return stored
  const prefix = orderedValue(key, stored)
  return { at: inclusive ? prefix : successor(prefix) }
}

const to = (key: PropertyKey, value: unknown, inclusive: boolean): End => {
  const bits = integers[key.dataType.name]
  if (bits !== undefined) return integerFrom(key, bits, value, !inclusive, true)
  const stored = floating(key, value, inclusive ? "high" : "low")
  if (stored === undefined || stored === "nothing") return stored
  const prefix = orderedValue(key, stored)
  return { at: inclusive ? successor(prefix) : prefix }
}

/** The column of the first integer that is greater than the value, or equal to it if `inclusive`. */
const integerFrom = (key: PropertyKey, bits: number, value: unknown, inclusive: boolean, isEnd = false): End => {
  if (!isNumber(value)) return undefined
  if (isNaNValue(value)) return "nothing"
  const exact = indexedValue(value)
  if (exact instanceof BigDecimal || exact instanceof BigInteger) return undefined
  const plain = plainValue(exact as Exclude<typeof value, BigDecimal>)
  if (plain === Number.POSITIVE_INFINITY) return isEnd ? { at: undefined } : "nothing"
  if (plain === Number.NEGATIVE_INFINITY) return isEnd ? "nothing" : { at: undefined }
  const whole = typeof plain === "bigint" || Number.isInteger(plain)
  const floor = BigInt(typeof plain === "bigint" ? plain : Math.floor(plain))
  const first = whole && inclusive ? floor : floor + 1n
  const least = -(2n ** BigInt(bits - 1))
  if (first > -least - 1n) return isEnd ? { at: undefined } : "nothing"
  const bounded = first < least ? least : first
  return { at: orderedValue(key, typed(key, bounded)) }
}

const typed = (key: PropertyKey, value: bigint): unknown => {
  switch (key.dataType.name) {
    case "Byte":
      return new Byte(Number(value))
    case "Short":
      return new Short(Number(value))
    case "Long":
      return value
    default:
      return Number(value)
  }
}

/** A bound as a value of the key's type. -0 equals 0 and sorts before it, so the bound depends on the side. */
const floating = (key: PropertyKey, value: unknown, side: "low" | "high"): unknown | "nothing" => {
  if (key.dataType.name === "String") return typeof value === "string" ? value : undefined
  if (key.dataType.name === "Date") return value instanceof Timestamp ? new Timestamp(value.millis) : undefined
  if (key.dataType.name === "Instant" || key.dataType.name === "Duration") {
    return key.dataType.is(value) ? value : undefined
  }
  if (!isNumber(value) || value instanceof BigDecimal) return undefined
  if (isNaNValue(value)) return "nothing"
  const plain = plainValue(value)
  const number = Number(plain)
  if (typeof plain === "bigint" && BigInt(number) !== plain) return undefined
  const zeroed = number === 0 ? (side === "low" ? -0 : 0) : number
  if (key.dataType.name === "Double") return double(zeroed)
  return Math.fround(zeroed) === zeroed ? new Float(zeroed) : undefined
}

/** The intersection of two ranges. */
export const narrowed = (a: ColumnRange, b: ColumnRange): ColumnRange => ({
  start: a.start === undefined || (b.start !== undefined && compareColumns(b.start, a.start) > 0) ? b.start : a.start,
  end: a.end === undefined || (b.end !== undefined && compareColumns(b.end, a.end) < 0) ? b.end : a.end
})

/** The range of the columns that consist of a prefix and a column of the range. */
export const withPrefix = (prefix: Uint8Array, { start, end }: ColumnRange): ColumnRange =>
  prefix.length === 0
    ? { start, end }
    : {
        start: Buffer.concat([prefix, start ?? NO_BYTES]),
        end: end === undefined ? successor(prefix) : Buffer.concat([prefix, end])
      }

const NO_BYTES = Buffer.alloc(0)
