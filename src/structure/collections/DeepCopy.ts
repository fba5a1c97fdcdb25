import type { Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, mayBeSlow, type TimeSlice } from "../../scheduling/TimeSlice.ts"
import { ValueTooLarge } from "../errors/ValueErrors.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "./Collections.ts"

/** True for the values that {@link deepCopy} copies: mutable collections. */
export const isCopied = (value: unknown): boolean =>
  Array.isArray(value) ||
  value instanceof GremlinMap ||
  value instanceof GremlinSet ||
  value instanceof BulkSet ||
  value instanceof MapEntry

/** Limits of a copy. A value that contains a collection in many places becomes larger when it is copied. */
const MAX_COPIED_MEMBERS = 10_000_000
const MAX_COPIED_LEVELS = 1_000

/**
 * Copies a value. Fails with ValueTooLarge above {@link MAX_COPIED_MEMBERS} or {@link MAX_COPIED_LEVELS}. The lists, maps, sets, bulk
 * sets and entries in it are copied at any depth. All other values, such as elements, dates and bytes, are immutable and not copied.
 */
export function* deepCopy(slice: TimeSlice, value: unknown): Task<unknown> {
  return isCopied(value) ? yield* new Copying(slice).copy(value) : value
}

/** Copies one value in time slices. */
class Copying {
  readonly #slice: TimeSlice
  #members = 0
  #level = 0

  constructor(slice: TimeSlice) {
    this.#slice = slice
  }

  #isOverAfter(member: unknown): boolean {
    return mayBeSlow(member) ? this.#slice.isOverNow() : this.#slice.isOver()
  }

  *copy(value: unknown): Task<unknown> {
    this.#members += sizeOf(value)
    if (this.#members > MAX_COPIED_MEMBERS) {
      throw new ValueTooLarge(`A collection has more than ${MAX_COPIED_MEMBERS} members, with those inside its members`)
    }
    if (this.#level >= MAX_COPIED_LEVELS) {
      throw new ValueTooLarge(`A collection has more than ${MAX_COPIED_LEVELS} levels of collections in it`)
    }
    this.#level++
    const copy = yield* this.#copyOf(value)
    this.#level--
    return copy
  }

  *#copyOf(value: unknown): Task<unknown> {
    if (Array.isArray(value)) return this.#flatCopy(value) ?? (yield* this.#list(value))
    if (value instanceof GremlinMap) return yield* this.#map(value)
    if (value instanceof MapEntry) return new MapEntry(yield* this.#member(value.key), yield* this.#member(value.value))
    if (value instanceof GremlinSet) {
      const copy = new GremlinSet()
      for (const member of value) {
        copy.add(yield* this.#member(member))
        if (this.#isOverAfter(member)) yield
      }
      return copy
    }
    const copy = new BulkSet()
    for (const [member, count] of (value as BulkSet).entries()) {
      copy.add(yield* this.#member(member), count)
      if (this.#isOverAfter(member)) yield
    }
    return copy
  }

  *#member(value: unknown): Task<unknown> {
    return isCopied(value) ? yield* this.copy(value) : value
  }

  *#list(list: ReadonlyArray<unknown>): Task<unknown> {
    const copy: Array<unknown> = []
    for (const member of list) {
      copy.push(isCopied(member) ? yield* this.copy(member) : member)
      if (this.#isOverAfter(member)) yield
    }
    return copy
  }

  *#map(map: GremlinMap): Task<unknown> {
    const copy = new GremlinMap()
    for (const [key, member] of map) {
      copy.set(isCopied(key) ? yield* this.copy(key) : key, isCopied(member) ? yield* this.copy(member) : member)
      if (this.#isOverAfter(key)) yield
    }
    return copy
  }

  /** The copy of a short list without collections among its members; undefined for any other value. */
  #flatCopy(list: ReadonlyArray<unknown>): unknown[] | undefined {
    if (list.length > CHUNK_ITEMS || list.some(isCopied)) return undefined
    return Array.from(list)
  }
}

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  if (value instanceof GremlinMap || value instanceof GremlinSet) return value.size
  return value instanceof BulkSet ? value.uniqueSize : 2
}
