import { BigMap } from "../../structure/containers/BigMap.ts"
import { Values } from "../../structure/graph/GraphReads.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../../structure/numbers/Numbers.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import type { Meter } from "./Growth.ts"
import { SortedSlots } from "./SortedSlots.ts"

/**
 * The key of a value in an index; values that are equal in Gremlin's sense (1, 1L and 1.0) share it. Undefined for values that
 * are not indexed (lists, dates, null...): an index answers no condition with such a value.
 */
export const indexKey = (value: unknown): unknown => {
  switch (typeof value) {
    case "string":
      return value.charCodeAt(0) === 0 ? `\0s${value}` : value
    case "number":
      return Number.isNaN(value) ? undefined : value
    case "bigint":
      return Number(value)
    case "boolean":
      return value
    default:
      return objectKey(value)
  }
}

const objectKey = (value: unknown): unknown => {
  if (value instanceof Double || value instanceof Float || value instanceof Byte || value instanceof Short) {
    return indexKey(value.value)
  }
  if (value instanceof BigInteger) return Number(value.value)
  if (value instanceof BigDecimal) return Number(`${value.unscaled}e${-value.scale}`)
  if (value instanceof Uuid) return `\0u${value.text}`
  return undefined
}

/** Whether an index can be searched for a value: "yes" with exact answers, "test" with answers that must be tested. */
export const answerable = (value: unknown): "yes" | "test" | "no" => {
  const key = indexKey(value)
  if (key === undefined) return "no"
  if (typeof key !== "number" || Number.isSafeInteger(key)) return "yes"
  // 0.1f, 0.1 and 0.1m are three numbers, and which of them are equal depends on the pair: leave those to the test.
  return value instanceof Float || value instanceof BigDecimal ? "no" : "test"
}

/** Index keys of what a reader returns: none, one or several. */
export const indexKeys = (value: unknown): readonly unknown[] => {
  if (value === undefined) return []
  if (!(value instanceof Values)) {
    const key = indexKey(value)
    return key === undefined ? [] : [key]
  }
  const keys = new Set(value.values.map(indexKey))
  keys.delete(undefined)
  return [...keys]
}

/**
 * An index from the values of one property key to slots. It has at least the entries that any open snapshot must find: an entry
 * that a commit made stale is removed when the undo log is cut, and until then a reader tests what it finds ({@link stale}).
 */
export class HashIndex {
  readonly key: string
  readonly unique: boolean
  /** Only transactions whose snapshot is at least this version may use it. */
  readonly since: number
  /** False while it is being built. */
  ready = false
  /** Entries that are out of date in the newest state. */
  stale = 0
  readonly #slots = new BigMap<unknown, number | SortedSlots>()
  readonly #meter: Meter
  #bytes = 0
  #discarded = false

  constructor(key: string, unique: boolean, since: number, meter: Meter) {
    this.key = key
    this.unique = unique
    this.since = since
    this.#meter = meter
  }

  #account(bytes: number): void {
    if (this.#discarded) return
    this.#bytes += bytes
    this.#meter.heap += bytes
  }

  /** Stops counting the bytes of an index that was dropped. */
  discard(): void {
    this.#meter.heap -= this.#bytes
    this.#discarded = true
  }

  add(key: unknown, slot: number): void {
    const found = this.#slots.get(key)
    if (found === undefined) {
      this.#slots.set(key, slot)
      this.#account(KEY_BYTES)
    } else if (typeof found !== "number") {
      if (found.add(slot)) this.#account(SLOT_BYTES)
    } else if (found !== slot) {
      const several = new SortedSlots()
      several.add(found)
      several.add(slot)
      this.#slots.set(key, several)
      this.#account(SET_BYTES + 2 * SLOT_BYTES)
    }
  }

  remove(key: unknown, slot: number): void {
    const found = this.#slots.get(key)
    if (found === slot) {
      this.#slots.delete(key)
      this.#account(-KEY_BYTES)
    } else if (found instanceof SortedSlots && found.delete(slot)) {
      this.#account(-SLOT_BYTES)
      if (found.size === 0) {
        this.#slots.delete(key)
        this.#account(-KEY_BYTES - SET_BYTES)
      }
    }
  }

  /** Removes the entries of all values that a reader returns for a slot. */
  removeAll(value: unknown, slot: number): void {
    for (const key of indexKeys(value)) this.remove(key, slot)
  }

  /** True when a value that a reader returns has this key. */
  holds(key: unknown, value: unknown): boolean {
    if (!(value instanceof Values)) return value !== undefined && indexKey(value) === key
    return value.values.some((single) => indexKey(single) === key)
  }

  /** Number of entries under a key, stale ones included. */
  size(key: unknown): number {
    const found = this.#slots.get(key)
    return found === undefined ? 0 : typeof found === "number" ? 1 : found.size
  }

  /** Copies up to `max` slots greater than `after` under a key, ascending, to `into`, from `at` on; returns how many. */
  read(key: unknown, after: number, max: number, into: Int32Array, at: number): number {
    const found = this.#slots.get(key)
    if (found === undefined || max === 0) return 0
    if (typeof found !== "number") return found.read(after, max, into, at)
    if (found <= after) return 0
    into[at] = found
    return 1
  }
}

/** Estimated bytes of a key, of a set of slots, and of a slot in a set. */
const KEY_BYTES = 60
const SET_BYTES = 120
const SLOT_BYTES = 9
