import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { type KeyOrder, type Nearness, SortedPages } from "../../../structure/containers/SortedPages.ts"

/** A map whose keys are in their natural order: Java's TreeMap. All keys are of one class. */
export class SortedMap extends GremlinMap {
  readonly #keys: SortedPages<unknown>

  constructor(entries: Iterable<readonly [unknown, unknown]>, compare: KeyOrder<unknown>) {
    super()
    this.#keys = new SortedPages(compare)
    const keys: Array<unknown> = []
    for (const [key, value] of entries) {
      if (!this.has(key)) keys.push(key)
      super.set(key, value)
    }
    this.#keys.addAll(keys)
  }
  /** The order of the keys. */
  get order(): KeyOrder<unknown> {
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
  /** The first key; undefined without one. */
  get firstKey(): unknown {
    return this.#keys.first
  }
  /** The last key; undefined without one. */
  get lastKey(): unknown {
    return this.#keys.last
  }
  /** The nearest key; null without one. */
  near(key: unknown, which: Nearness): unknown {
    return this.#keys.near(key, which) ?? null
  }
}

/** A set whose members are in their natural order: Java's TreeSet. All members are of one class. */
export class SortedSet extends GremlinSet {
  readonly #keys: SortedPages<unknown>

  constructor(members: Iterable<unknown>, compare: KeyOrder<unknown>) {
    super()
    this.#keys = new SortedPages(compare)
    const added: Array<unknown> = []
    for (const member of members) if (super.add(member)) added.push(member)
    this.#keys.addAll(added)
  }
  /** The order of the keys. */
  get order(): KeyOrder<unknown> {
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
  /** The first member; undefined without one. */
  get first(): unknown {
    return this.#keys.first
  }
  /** The last member; undefined without one. */
  get last(): unknown {
    return this.#keys.last
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
