import { GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { Edge, Vertex } from "../../../structure/elements/Element.ts"
import { NumberRange } from "../../../structure/numbers/NumberRange.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, isInt, Short } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Duration, Timestamp } from "../../../structure/times/Temporal.ts"
import type { Budget } from "../budget/Budget.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { Unavailable } from "../values/OperandErrors.ts"

// Java's hash codes: the rules of the documentation of java.lang, java.math and java.util. All of them are 32-bit integers.

/** The hash code of a value. Fails with Unavailable for a value whose hash code differs between two runs of a JVM. */
export const hashCodeOf = (value: unknown, budget: Budget): number => {
  budget.key(value)
  return hashed(value, budget)
}

const hashed = (value: unknown, budget: Budget): number => {
  if (value === null || value === undefined) return 0
  if (typeof value === "string") return ofText(budget.whole(value))
  if (typeof value === "boolean") return value ? 1231 : 1237
  if (typeof value === "number") return isInt(value) ? value : ofDouble(value)
  if (typeof value === "bigint") return ofLong(value)
  const number = ofNumber(value as object)
  if (number !== undefined) return number
  if (value instanceof NumberRange || value instanceof JavaArray || value instanceof MapValues) throw differs(value)
  if (Array.isArray(value))
    return value.reduce((hash: number, member) => (Math.imul(31, hash) + hashed(member, budget)) | 0, 1)
  if (value instanceof GremlinSet) return sum(value, (member) => hashed(member, budget))
  if (value instanceof GremlinMap) return sum(value, ([key, item]) => hashed(key, budget) ^ hashed(item, budget))
  if (value instanceof MapEntry) return hashed(value.key, budget) ^ hashed(value.value, budget)
  if (value instanceof Vertex || value instanceof Edge) return hashed(value.id, budget)
  throw differs(value)
}

const differs = (value: unknown): Unavailable =>
  new Unavailable(`the hash code of ${typeName(value)} differs between servers, so scripts do not have it`)

const ofText = (text: string): number => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0
  return hash
}

const ofLong = (value: bigint): number => Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)))

const ofDouble = (value: number): number => {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  return ofLong(bits.getBigInt64(0))
}

const ofFloat = (value: number): number => {
  const bits = new DataView(new ArrayBuffer(4))
  bits.setFloat32(0, value)
  return bits.getInt32(0)
}

/** BigInteger: its 32-bit digits from the highest one, and its sign. */
const ofBigInteger = (value: bigint): number => {
  const digits = (value < 0n ? -value : value).toString(16)
  let hash = 0
  for (let at = digits.length % 8 === 0 ? 8 : digits.length % 8; at <= digits.length; at += 8) {
    hash = (Math.imul(31, hash) + Number.parseInt(digits.slice(Math.max(0, at - 8), at), 16)) | 0
  }
  return value < 0n ? -hash | 0 : hash
}

const ofDecimal = ({ scale, unscaled }: BigDecimal): number => {
  const isCompact = BigInt.asIntN(64, unscaled) === unscaled && unscaled !== -(1n << 63n)
  if (!isCompact) return (Math.imul(31, ofBigInteger(unscaled)) + scale) | 0
  const size = unscaled < 0n ? -unscaled : unscaled
  const hash = (Math.imul(Number(BigInt.asIntN(32, size >> 32n)), 31) + Number(BigInt.asIntN(32, size))) | 0
  return (Math.imul(31, unscaled < 0n ? -hash : hash) + scale) | 0
}

const ofUuid = ({ text }: Uuid): number => {
  const bits = BigInt(`0x${text.replaceAll("-", "")}`)
  const folded = (bits >> 64n) ^ BigInt.asUintN(64, bits)
  return Number(BigInt.asIntN(32, (folded >> 32n) ^ folded))
}

const ofNumber = (value: object): number | undefined => {
  if (value instanceof Byte || value instanceof Short) return value.value
  if (value instanceof Double) return ofDouble(value.value)
  if (value instanceof Float) return ofFloat(value.value)
  if (value instanceof BigInteger) return ofBigInteger(value.value)
  if (value instanceof BigDecimal) return ofDecimal(value)
  if (value instanceof Char) return value.text.charCodeAt(0)
  if (value instanceof Timestamp && !value.sql) return ofLong(value.millis)
  if (value instanceof Uuid) return ofUuid(value)
  if (value instanceof Duration) return (ofLong(value.seconds) + Math.imul(51, value.nanos)) | 0
  return undefined
}

const sum = <A>(members: Iterable<A>, hash: (member: A) => number): number => {
  let total = 0
  for (const member of members) total = (total + hash(member)) | 0
  return total
}
