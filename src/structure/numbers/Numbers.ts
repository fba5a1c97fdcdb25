/**
 * The number types of Gremlin and their representations in JavaScript.
 *
 * | Gremlin    | representation                                                     |
 * | ---------- | ------------------------------------------------------------------ |
 * | Int        | `number` with an integral value in the 32-bit range (never -0)     |
 * | Double     | every other `number` (fractions, NaN, ±Infinity, -0, |x| > 2^31)   |
 * | Double     | {@link Double} when its value is integral in the Int range         |
 * | Long       | `bigint` in the 64-bit range                                       |
 * | the others | the small classes of this file                                     |
 *
 * The hot path works on plain numbers; the classes appear only where a value would otherwise lose its type.
 */

/** Signed 8-bit integer. */
export class Byte {
  readonly value: number
  constructor(value: number) {
    this.value = (value << 24) >> 24
  }
}

/** Signed 16-bit integer. */
export class Short {
  readonly value: number
  constructor(value: number) {
    this.value = (value << 16) >> 16
  }
}

/** IEEE 754 single precision; the value is rounded to it. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = Math.fround(value)
  }
}

/** A Double whose value is integral and in the Int range. A plain number would be read as an Int. Use {@link double}. */
export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Integer without bounds (java.math.BigInteger). A bare `bigint` is a Long. */
export class BigInteger {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

/** Decimal without bounds: `unscaled * 10^-scale` (java.math.BigDecimal). */
export class BigDecimal {
  readonly unscaled: bigint
  readonly scale: number
  constructor(unscaled: bigint, scale: number) {
    this.unscaled = unscaled
    this.scale = scale
  }
}

/** Every number of Gremlin. */
export type GremlinNumber = number | bigint | Byte | Short | Float | Double | BigInteger | BigDecimal

/** Operations on integers with a smaller absolute value take little time. */
const MIN_LARGE_INTEGER = 1n << 2_048n

/** Time of the product of two integers of this length, in units of 40 ns: 5,000 for 65,536 bits, 0 for integers of usual length. */
export const productEffort = (value: bigint): number =>
  value < MIN_LARGE_INTEGER && value > -MIN_LARGE_INTEGER ? 0 : 5_000 * (value.toString(16).length / 16_384) ** 2

/** Time to write an integer in decimal digits, in units of 40 ns. */
export const digitsEffort = (value: bigint): number => PRODUCTS_PER_DIGITS_TEXT * productEffort(value)

/** Number of products that take as long as writing the same integer in decimal digits. */
const PRODUCTS_PER_DIGITS_TEXT = 8

/** True when a plain number stands for an Int. -0 is a Double. */
export const isInt = (value: number): boolean => (value | 0) === value && (value !== 0 || 1 / value > 0)

/** The Double with this value. It is a plain number unless the number would be read as an Int. */
export const double = (value: number): number | Double => (isInt(value) ? new Double(value) : value)

/** The smallest Long. */
export const LONG_MIN = -(2n ** 63n)
/** The largest Long. */
export const LONG_MAX = 2n ** 63n - 1n

/** A whole number as a Long, or as a BigInteger if it is beyond the range of a Long. */
export const longOrBig = (value: bigint): bigint | BigInteger =>
  value >= LONG_MIN && value <= LONG_MAX ? value : new BigInteger(value)

/** True for each representation of a Gremlin number. */
export const isNumber = (value: unknown): value is GremlinNumber =>
  typeof value === "number" ||
  typeof value === "bigint" ||
  value instanceof Double ||
  value instanceof Float ||
  value instanceof Byte ||
  value instanceof Short ||
  value instanceof BigInteger ||
  value instanceof BigDecimal

/** Names of the number types, from narrow to wide inside each family (TinkerPop's NumberHelper order). */
export type NumberKind = "Byte" | "Short" | "Int" | "Long" | "BigInteger" | "Float" | "Double" | "BigDecimal"

/** The type of a number. */
export const numberKind = (value: GremlinNumber): NumberKind => {
  if (typeof value === "number") return isInt(value) ? "Int" : "Double"
  if (typeof value === "bigint") return "Long"
  if (value instanceof Double) return "Double"
  if (value instanceof Float) return "Float"
  if (value instanceof Byte) return "Byte"
  if (value instanceof Short) return "Short"
  return value instanceof BigInteger ? "BigInteger" : "BigDecimal"
}

/** Java's names of the number types. */
export const javaNumberName: { readonly [K in NumberKind]: string } = {
  Byte: "Byte",
  Short: "Short",
  Int: "Integer",
  Long: "Long",
  BigInteger: "BigInteger",
  Float: "Float",
  Double: "Double",
  BigDecimal: "BigDecimal"
}
