import { keyOf } from "../../structure/collections/Equivalence.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../../structure/numbers/Numbers.ts"

/**
 * The key by which an id is looked up: a number for every numeric id, so that 1, 1L and 1.0 find the same element (a client
 * in JavaScript gets an Int64 id and sends it back as Int32), else the equivalence key.
 */
export const lookupKey = (id: unknown): unknown => {
  if (typeof id === "number") return id === 0 ? 0 : id
  if (typeof id === "bigint") return wholeKey(id)
  if (typeof id === "string" || typeof id === "boolean" || id === null || id === undefined) return keyOf(id)
  if (id instanceof Byte || id instanceof Short || id instanceof Float || id instanceof Double) return id.value
  if (id instanceof BigInteger) return wholeKey(id.value)
  if (id instanceof BigDecimal && (id.scale === 0 || id.unscaled === 0n)) return wholeKey(id.unscaled)
  return keyOf(id)
}

const wholeKey = (id: bigint): unknown => {
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : id
}
