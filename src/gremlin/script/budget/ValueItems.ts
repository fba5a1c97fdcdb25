import { isPredicate, NotP, P, type Predicate } from "../../../process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import { BigDecimal, BigInteger, digitsEffort } from "../../../structure/numbers/Numbers.ts"
import { isCollection } from "../values/Copies.ts"
import { underlying } from "../values/DefaultMap.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"

// The size of a value in items, which a Budget limits for each operation of a script.

/** Maximum number of items in one operation of a script. */
export const MAX_OPERATION_ITEMS = 100_000
/** Maximum number of collections around a value of a script. */
export const MAX_NESTING_LEVELS = 100

// Numbers of bits to shift.
/** 16 members of a collection count as one item when a method may visit all of them. */
const MEMBERS_PER_ITEM_SHIFT = 4
/** 256 characters of a string count as one item when an operation compares or hashes the string. */
export const CHARS_PER_ITEM_SHIFT = 8
/** 8 places of a shape count as one item when an operation compares, hashes or writes the shape. */
const PLACES_PER_ITEM_SHIFT = 3

/** Items per unit of effort (`digitsEffort`). */
const ITEMS_PER_EFFORT = 0.4

/** The number of items of an operation that may visit all members of a collection or all characters of a string. */
export const visitedItems = (value: unknown): number => {
  if (typeof value === "string") return value.length >> CHARS_PER_ITEM_SHIFT
  if (value instanceof Geoshape) return value.places >> PLACES_PER_ITEM_SHIFT
  if (Array.isArray(value)) return value.length >> MEMBERS_PER_ITEM_SHIFT
  if (value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet) {
    return value.size >> MEMBERS_PER_ITEM_SHIFT
  }
  return isPredicate(value) ? addItems(value, 0, 0, true) : 0
}

/**
 * Adds the number of values in a value, nested ones included, to `count`. Stops counting above {@link MAX_OPERATION_ITEMS}.
 * Fails with OperandError if collections nest too deep, or if the value contains the collection `into`.
 *
 * @param depth the number of collections around the value
 * @param countsChars true: also counts the characters of strings
 * @param into a collection that is no view
 */
export const addItems = (value: unknown, count: number, depth: number, countsChars = false, into?: unknown): number => {
  if (into !== undefined && isCollection(value) && underlying(value) === into) {
    throw new OperandError("a collection cannot be put into itself: put a copy into it, such as [] + list")
  }
  if (depth > MAX_NESTING_LEVELS) {
    throw new OperandError(`collections of a script nest at most ${MAX_NESTING_LEVELS} levels deep`)
  }
  let total = count + 1
  if (typeof value === "string") total += countsChars ? value.length >> CHARS_PER_ITEM_SHIFT : 0
  else if (value instanceof BigInteger) total += digitItems(value.value)
  else if (value instanceof BigDecimal) total += digitItems(value.unscaled)
  else if (value instanceof Geoshape) total += value.places >> PLACES_PER_ITEM_SHIFT
  else if (isCollection(value)) {
    for (const item of value instanceof MapEntry ? [value.key, value.value] : value) {
      total = addItems(item, total, depth + 1, countsChars, into)
      if (total > MAX_OPERATION_ITEMS) return total
    }
  } else if (value instanceof Optional && value.value !== undefined) {
    total = addItems(value.value, total, depth + 1, countsChars, into)
  } else if (isPredicate(value)) {
    for (const operand of operandsOf(value)) {
      total = addItems(operand, total, depth + 1, countsChars)
      if (total > MAX_OPERATION_ITEMS) return total
    }
  }
  return total
}

const operandsOf = (predicate: Predicate): readonly unknown[] => {
  if (predicate instanceof P) return [predicate.value]
  return predicate instanceof NotP ? [predicate.predicate] : predicate.predicates
}

/** The number of items that an integer counts as. It is proportional to the time of formatting the digits. */
const digitItems = (value: bigint): number => Math.floor(digitsEffort(value) * ITEMS_PER_EFFORT)
