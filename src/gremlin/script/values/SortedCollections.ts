import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"

/** The order of two keys: negative if the first is before the second, and 0 if they are equal. Fails for keys without an order. */
type KeyOrder = (left: unknown, right: unknown) => number

/** Which key {@link SortedKeys.near} looks for, beside another one. */
export type Nearness = "floor" | "ceiling" | "lower" | "higher"

/** Changes for which each moves the keys behind it. More are made together: one by one they would take quadratic time. */
const MOVING_CHANGES = 32

/** Different keys in their natural order. Changes wait until the order is asked for. */
class SortedKeys {
  readonly compare: KeyOrder
  #list: Array<unknown> = []
  /** Keys that are not in the list yet. There are none while keys are to be removed. */
  #added: Array<unknown> = []
  /** Keys of the list that are to be removed. */
  readonly #removed = new Set<unknown>()

  constructor(compare: KeyOrder) {
    this.compare = compare
  }

  /** The keys in their order. */
  get list(): ReadonlyArray<unknown> {
    this.#settleAdded()
    this.#settleRemoved()
    return this.#list
  }

  #settleAdded(): void {
    const added = this.#added
    if (added.length === 0) return
    if (added.length <= MOVING_CHANGES) for (const key of added) this.#list.splice(this.#positionOf(key), 0, key)
    else this.#list = [...this.#list, ...added].sort(this.compare)
    this.#added = []
  }

  #settleRemoved(): void {
    const removed = this.#removed
    if (removed.size === 0) return
    if (removed.size <= MOVING_CHANGES) for (const key of removed) this.#list.splice(this.#positionOf(key), 1)
    else this.#list = this.#list.filter((key) => !removed.has(key))
    removed.clear()
  }

  /** The number of keys in the list before this one. */
  #positionOf(key: unknown): number {
    let [from, to] = [0, this.#list.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.compare(this.#list[middle], key) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Adds a key that is not among them. Fails if it has no order beside the others. */
  add(key: unknown): void {
    this.#settleRemoved()
    this.compare(this.#list[0] ?? this.#added[0] ?? key, key)
    this.#added.push(key)
  }

  /** Removes a key that is among them. */
  remove(key: unknown): void {
    this.#settleAdded()
    this.#removed.add(this.#list[this.#positionOf(key)])
  }

  /** The nearest key; undefined without one. */
  near(key: unknown, which: Nearness): unknown {
    const { list } = this
    if (list.length === 0) this.compare(key, key)
    const at = this.#positionOf(key)
    const isKey = at < list.length && this.compare(list[at], key) === 0
    if (which === "ceiling" || (which === "floor" && isKey)) return list[at]
    return list[which === "higher" ? at + Number(isKey) : at - 1]
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
