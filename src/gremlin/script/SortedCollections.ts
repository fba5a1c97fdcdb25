import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { TypeMismatch } from "../../structure/ValueErrors.ts"
import { orderOf } from "./GroovyOrder.ts"
import { OperandError } from "./OperandErrors.ts"

/** Java's natural order of two keys of a sorted collection. Fails with TypeMismatch for keys of two classes, or without an order. */
const compareKeys = (left: unknown, right: unknown): number => {
  if (left === null || right === null) {
    throw new OperandError("null is no key of a sorted map and no member of a sorted set", "NullPointerException")
  }
  const [one, other] = [typeName(left), typeName(right)]
  const order = one === other ? orderOf(left, right) : undefined
  if (order !== undefined) return order
  if (one === other) throw new TypeMismatch(`class ${one} cannot be cast to class java.lang.Comparable`)
  throw new TypeMismatch(
    `class ${one} cannot be cast to class ${other}: the keys of a sorted collection are of one class`
  )
}

/** Which key {@link SortedKeys.near} looks for, beside another one. */
export type Nearness = "floor" | "ceiling" | "lower" | "higher"

/** Different keys in their natural order. */
class SortedKeys {
  readonly list: Array<unknown> = []

  /** The number of keys before this one. */
  placeOf(key: unknown): number {
    let [from, to] = [0, this.list.length]
    if (to === 0) compareKeys(key, key)
    while (from < to) {
      const middle = (from + to) >> 1
      if (compareKeys(this.list[middle], key) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  add(key: unknown): void {
    this.list.splice(this.placeOf(key), 0, key)
  }

  remove(key: unknown): void {
    this.list.splice(this.placeOf(key), 1)
  }

  /** The nearest key; undefined without one. */
  near(key: unknown, which: Nearness): unknown {
    const at = this.placeOf(key)
    const isKey = at < this.list.length && compareKeys(this.list[at], key) === 0
    if (which === "ceiling" || (which === "floor" && isKey)) return this.list[at]
    return this.list[which === "higher" ? at + Number(isKey) : at - 1]
  }
}

/** A map whose keys are in their natural order: Java's TreeMap. All keys are of one class. */
export class SortedMap extends GremlinMap {
  readonly #keys = new SortedKeys()

  static of(entries: Iterable<readonly [unknown, unknown]>): SortedMap {
    const map = new SortedMap()
    for (const [key, value] of entries) map.set(key, value)
    return map
  }
  override set(key: unknown, value: unknown): this {
    if (!this.has(key)) this.#keys.add(key)
    return super.set(key, value)
  }
  override delete(key: unknown): boolean {
    if (this.has(key)) this.#keys.remove(key)
    return super.delete(key)
  }
  override keys(): IterableIterator<unknown> {
    return this.#keys.list.values()
  }
  override *values(): IterableIterator<unknown> {
    for (const key of this.#keys.list) yield this.get(key)
  }
  override *entries(): IterableIterator<[unknown, unknown]> {
    for (const key of this.#keys.list) yield [key, this.get(key)]
  }
  override forEach(visit: (value: unknown, key: unknown) => void): void {
    for (const key of this.#keys.list) visit(this.get(key), key)
  }
  /** The nearest key; null without one. */
  near(key: unknown, which: Nearness): unknown {
    return this.#keys.near(key, which) ?? null
  }
}

/** A set whose members are in their natural order: Java's TreeSet. All members are of one class. */
export class SortedSet extends GremlinSet {
  readonly #keys = new SortedKeys()

  static of(members: Iterable<unknown>): SortedSet {
    const set = new SortedSet()
    for (const member of members) set.add(member)
    return set
  }
  override add(value: unknown): boolean {
    if (this.has(value)) return false
    this.#keys.add(value)
    return super.add(value)
  }
  override delete(value: unknown): boolean {
    if (this.has(value)) this.#keys.remove(value)
    return super.delete(value)
  }
  override toList(): Array<unknown> {
    return [...this.#keys.list]
  }
  override values(): IterableIterator<unknown> {
    return this.#keys.list.values()
  }
  override [Symbol.iterator](): IterableIterator<unknown> {
    return this.values()
  }
  /** The nearest member; null without one. */
  near(key: unknown, which: Nearness): unknown {
    return this.#keys.near(key, which) ?? null
  }
}

/** A new map of the kind of another one, which is sorted if that one is. */
export const mapLike = (of: GremlinMap, entries: Iterable<readonly [unknown, unknown]>): GremlinMap =>
  of instanceof SortedMap ? SortedMap.of(entries) : new GremlinMap(entries)

/** A new set of the kind of another one, which is sorted if that one is. */
export const setLike = (of: GremlinSet, members: Iterable<unknown>): GremlinSet =>
  of instanceof SortedSet ? SortedSet.of(members) : new GremlinSet(members)
