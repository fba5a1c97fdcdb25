import { integralPartUpTo } from "../../../structure/numbers/Decimal.ts"
import { isNaNValue, plainValue, toDecimal } from "../../../structure/numbers/NumberOrder.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  double,
  Float,
  type GremlinNumber,
  isNumber,
  Short
} from "../../../structure/numbers/Numbers.ts"
import { withoutZeros } from "../../../structure/numbers/Rounding.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../structure/times/Temporal.ts"
import { objectType } from "../format/Attributes.ts"
import type { PropertyKey } from "../schema/Schema.ts"

/**
 * Values in indexes. Numbers that are equal in Gremlin (1, 1L, 1.0) have different encodings, so a search looks for
 * every value of the key's type that equals the number.
 */

/**
 * The value under which a property is indexed whose key has values of any type. A BigInteger or BigDecimal becomes the long or
 * double that it equals.
 */
export const indexedValue = (value: unknown): unknown => {
  if (value instanceof BigInteger) return BigInt.asIntN(64, value.value) === value.value ? value.value : value
  if (!(value instanceof BigDecimal)) return value
  const whole = wholeOf(value)
  if (whole !== undefined) return indexedValue(new BigInteger(whole))
  const number = Number(`${value.unscaled}e${-value.scale}`)
  return Number.isFinite(number) && equalsDecimal(number, value) ? double(number) : withoutZeros(value)
}

/** The value under which a property of a key is indexed. */
export const indexedValueOf = ({ dataType }: PropertyKey, value: unknown): unknown => {
  if (dataType.name === "BigInteger") return value
  return dataType.name === "BigDecimal" && value instanceof BigDecimal ? withoutZeros(value) : indexedValue(value)
}

/** Digits up to which a BigDecimal has the entry of the BigInteger that it equals. No BigInteger of a client has more. */
const MAX_INTEGER_DIGITS = 40_000

const wholeOf = (value: BigDecimal): bigint | undefined => {
  const decimal = withoutZeros(value)
  return decimal.scale <= 0 ? integralPartUpTo(decimal, MAX_INTEGER_DIGITS) : undefined
}

/** True when the shortest text of the number is the decimal: Gremlin compares a double and a decimal by this text. */
const equalsDecimal = (number: number, decimal: BigDecimal): boolean => {
  const [digits = "", exponent = "0"] = number.toString().split("e")
  const [whole = "", fraction = ""] = digits.split(".")
  const other = withoutZeros(new BigDecimal(BigInt(whole + fraction), fraction.length - Number(exponent)))
  const mine = withoutZeros(decimal)
  return other.unscaled === mine.unscaled && other.scale === mine.scale
}

/** True for values of types that equal only values of the same type. */
const isPlain = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  value instanceof Uuid ||
  value instanceof Char ||
  value instanceof OffsetDateTime ||
  value instanceof Duration ||
  (value instanceof Temporal && value.name === "Instant")

/** The values of the key's type that equal a value; undefined when an index cannot answer the condition. */
export const equalValues = (key: PropertyKey, value: unknown): ReadonlyArray<unknown> | undefined => {
  const { dataType } = key
  if (isNumber(value)) {
    if (dataType.name === "BigDecimal") return equalDecimals(value)
    if (dataType.name === "BigInteger") return equalIntegers(value)
    return equalNumbers(value)?.filter((number) => dataType.is(number))
  }
  if (value instanceof Timestamp) return [new Timestamp(value.millis)].filter((date) => dataType.is(date))
  if (!isPlain(value)) return undefined
  return dataType === objectType || dataType.is(value) ? [value] : []
}

const equalDecimals = (value: GremlinNumber): ReadonlyArray<BigDecimal> => {
  const decimal = toDecimal(value)
  return typeof decimal === "number" ? [] : [withoutZeros(decimal)]
}

const equalIntegers = (value: GremlinNumber): ReadonlyArray<BigInteger> => {
  if (value instanceof BigInteger) return [value]
  const decimal = toDecimal(value)
  const whole = typeof decimal === "number" ? undefined : wholeOf(decimal)
  return whole === undefined ? [] : [new BigInteger(whole)]
}

/** The values of all number types that equal a number. */
const equalNumbers = (value: GremlinNumber): ReadonlyArray<unknown> | undefined => {
  if (isNaNValue(value)) return []
  const indexed = indexedValue(value) as GremlinNumber
  if (indexed instanceof BigDecimal || indexed instanceof BigInteger) return [indexed]
  const plain = plainValue(indexed)
  const found: Array<unknown> = []
  const number = Number(plain)
  const exact = typeof plain === "number" || BigInt(number) === plain
  // Gremlin compares a Float and a BigDecimal by the value of the Float, not by its text.
  if (value instanceof BigDecimal && !Number.isInteger(number)) return undefined
  if (Number.isInteger(number)) {
    const whole = typeof plain === "bigint" ? plain : BigInt(plain)
    if (BigInt.asIntN(64, whole) === whole) found.push(whole)
    else found.push(new BigInteger(whole))
    if (BigInt.asIntN(32, whole) === whole) found.push(Number(whole))
    if (BigInt.asIntN(16, whole) === whole) found.push(new Short(Number(whole)))
    if (BigInt.asIntN(8, whole) === whole) found.push(new Byte(Number(whole)))
  }
  if (exact) {
    found.push(double(number))
    if (Math.fround(number) === number) found.push(new Float(number))
    if (number === 0) found.push(-0, new Float(-0))
  }
  return found
}
