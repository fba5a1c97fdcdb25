import { compareDecimals, decimalOfDouble } from "./Decimal.ts"
import { BigDecimal, type GremlinNumber, numberKind } from "./Numbers.ts"

/**
 * The order of numbers of all types by value: 1, 1L, 1.0 and 1.00m are equal. For a comparison with a BigDecimal, a Double has the
 * decimal value of its text, so 0.1 and 0.1m are equal. All other numbers have their exact values. The order is transitive for any
 * mix of types.
 */

/** The value, without its type, of a number other than a BigDecimal. */
export const plainValue = (value: Exclude<GremlinNumber, BigDecimal>): number | bigint =>
  typeof value === "number" || typeof value === "bigint" ? value : value.value

/** True for the Double and the Float NaN. */
export const isNaNValue = (value: GremlinNumber): boolean =>
  typeof value === "number" ? Number.isNaN(value) : !(value instanceof BigDecimal) && Number.isNaN(plainValue(value))

/** Java's equals(): numbers of one type and value. NaN is equal to NaN, -0.0 is not 0.0, and 1.0m is not 1.00m. */
export const areSameNumbers = (a: GremlinNumber, b: GremlinNumber): boolean => {
  if (numberKind(a) !== numberKind(b)) return false
  if (a instanceof BigDecimal || b instanceof BigDecimal) {
    return a instanceof BigDecimal && b instanceof BigDecimal && a.unscaled === b.unscaled && a.scale === b.scale
  }
  return Object.is(plainValue(a), plainValue(b))
}

/** Negative, 0 or positive. NaN is equal to NaN and greater than all other numbers. -0.0 is equal to 0.0. */
export const compareNumbers = (a: GremlinNumber, b: GremlinNumber): number => {
  if (a instanceof BigDecimal || b instanceof BigDecimal) return compareAsDecimals(a, b)
  const x = plainValue(a)
  const y = plainValue(b)
  if (x < y) return -1
  if (x > y) return 1
  if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1
  return Number.isNaN(y) ? -1 : 0
}

const compareAsDecimals = (a: GremlinNumber, b: GremlinNumber): number => {
  const x = toDecimal(a)
  const y = toDecimal(b)
  if (typeof x !== "number")
    return typeof y !== "number" ? compareDecimals(x, y) : y === Number.NEGATIVE_INFINITY ? 1 : -1
  return x === Number.NEGATIVE_INFINITY ? -1 : 1
}

/** The decimal as which a number is compared with a BigDecimal; NaN and the infinities stay as they are. */
export const toDecimal = (value: GremlinNumber): BigDecimal | number => {
  if (value instanceof BigDecimal) return value
  const plain = plainValue(value)
  if (typeof plain === "bigint") return new BigDecimal(plain, 0)
  if (Number.isInteger(plain)) return new BigDecimal(BigInt(plain), 0)
  return Number.isFinite(plain) ? decimalOfDouble(plain) : plain
}
