import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"

/** The order of two keys: negative if the first is before the second, and 0 if they are equal. Fails for keys without an order. */
type KeyOrder = (left: unknown, right: unknown) => number

/** Which key {@link SortedKeys.near} looks for, beside another one. */
export type Nearness = "floor" | "ceiling" | "lower" | "higher"

/** Different keys in their natural order. */
class SortedKeys {
  readonly list: Array<unknown> = []
  readonly compare: KeyOrder

  constructor(compare: KeyOrder) {
    this.compare = compare
  }

  /** The number of keys before this one. */
  positionOf(key: unknown): number {
    let [from, to] = [0, this.list.length]
    if (to === 0) this.compare(key, key)
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.compare(this.list[middle], key) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  add(key: unknown): void {
    this.list.splice(this.positionOf(key), 0, key)
  }

  remove(key: unknown): void {
    this.list.splice(this.positionOf(key), 1)
  }

  /** The nearest key; undefined without one. */
  near(key: unknown, which: Nearness): unknown {
    const at = this.positionOf(key)
    const isKey = at < this.list.length && this.compare(this.list[at], key) === 0
    if (which === "ceiling" || (which === "floor" && isKey)) return this.list[at]
    return this.list[which === "higher" ? at + Number(isKey) : at - 1]
  }
}

/** A map whose keys are in their natural order: Java's TreeMap. All keys are of one class. */
export class SortedMap extends GremlinMap {
  readonly #keys: SortedKeys

  constructor(entries: Iterable<readonly [unknown, unknown]>, compare: KeyOrder) {
    super()
    this.#keys = new SortedKeys(compare)
    for (const [key, value] of entries) this.set(key, value)
  }
  /** The order of the keys. */
  get order(): KeyOrder {
    return this.#keys.compare
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
  readonly #keys: SortedKeys

  constructor(members: Iterable<unknown>, compare: KeyOrder) {
    super()
    this.#keys = new SortedKeys(compare)
    for (const member of members) this.add(member)
  }
  /** The order of the keys. */
  get order(): KeyOrder {
    return this.#keys.compare
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
  of instanceof SortedMap ? new SortedMap(entries, of.order) : new GremlinMap(entries)

/** A new set of the kind of another one, which is sorted if that one is. */
export const setLike = (of: GremlinSet, members: Iterable<unknown>): GremlinSet =>
  of instanceof SortedSet ? new SortedSet(members, of.order) : new GremlinSet(members)
