import { keyOf, keyText } from "../collections/Equivalence.ts"
import { Edge, Vertex, VertexProperty } from "../elements/Element.ts"
import { compareDecimals, decimalOfDouble, decimalToDouble, integralPartUpTo } from "../numbers/Decimal.ts"
import { plainValue } from "../numbers/NumberOrder.ts"
import { BigDecimal, isNumber } from "../numbers/Numbers.ts"
import { EnumValue } from "../scalars/Enums.ts"
import { Uuid } from "../scalars/Uuid.ts"
import { OffsetDateTime, Timestamp } from "../times/Temporal.ts"

/** The key of NaN, which is equal to nothing: do not put it into a set. */
export const unequal: unique symbol = Symbol("equal to nothing")

/**
 * The key that two values share exactly when they are equal in Gremlin's sense (1, 1L and 1.0 share one), so that within() over
 * many values is one look-up. {@link unequal} for NaN; undefined for values that have no such key and must be compared one by
 * one: collections, paths and properties. No such value is equal to a value with a key.
 */
export const equalityKey = (value: unknown): unknown => {
  switch (typeof value) {
    case "string":
      return value.charCodeAt(0) === 0 ? `\0s${value}` : value
    case "number":
    case "bigint":
      return plainKey(value)
    case "boolean":
      return value
    default:
      return value === null || value === undefined ? null : objectKey(value as object)
  }
}

const objectKey = (value: object): unknown => {
  if (value instanceof Vertex) return idKey("v", value.id)
  if (value instanceof Edge) return idKey("e", value.id)
  if (value instanceof VertexProperty) return idKey("p", value.id)
  if (isNumber(value)) return value instanceof BigDecimal ? decimalKey(value) : plainKey(plainValue(value))
  if (value instanceof Uuid || value instanceof EnumValue) return keyOf(value)
  if (value instanceof OffsetDateTime) return `\0o${value.epochMillis},${value.nanos}`
  return value instanceof Timestamp ? `\0o${value.distant ?? value.epochMillis},0` : undefined
}

const idKey = (tag: string, id: unknown): unknown => {
  const key = equalityKey(id)
  return key === undefined ? undefined : `\0${tag}${keyText(key)}`
}

/** The one form of each value: a number if a number is exact, otherwise a bigint. */
const plainKey = (value: number | bigint): unknown => {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Number.isNaN(value)) return unequal
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
}

const decimalKey = (value: BigDecimal): unknown => {
  const nearest = decimalToDouble(value)
  // A decimal beyond the range of a Double can only be equal to a BigInteger or BigDecimal.
  if (!Number.isFinite(nearest) || Number.isInteger(nearest)) return integerOrDecimalKey(value)
  return compareDecimals(decimalOfDouble(nearest), value) === 0 ? nearest : keyOf(value)
}

/** Digits of the longest integer with which a decimal shares its key. No BigInteger of a client has more. */
const MAX_INTEGER_DIGITS = 40_000

const integerOrDecimalKey = (value: BigDecimal): unknown => {
  const integer = integralPartUpTo(value, MAX_INTEGER_DIGITS)
  if (integer === undefined) return keyOf(value)
  return compareDecimals(new BigDecimal(integer, 0), value) === 0 ? plainKey(integer) : keyOf(value)
}
