import { BigMap } from "./BigMap.ts"

/** A map in insertion order: a Map, or a {@link LargeMap} with many entries. */
export interface OrderedMap<K, V> extends Iterable<[K, V]> {
  readonly size: number
  get(key: K): V | undefined
  has(key: K): boolean
  set(key: K, value: V): unknown
  delete(key: K): boolean
  keys(): IterableIterator<K>
  values(): IterableIterator<V>
  forEach(visit: (value: V, key: K) => void): void
}

/** Maximum number of entries of a Map. A Map that grows moves all its entries, which takes 70 ms for half a million. */
const MAX_MAP_ENTRIES = 32_768

/** Whether a map has the maximum size of a Map. To be asked after each new entry. */
export const isFull = (map: OrderedMap<unknown, unknown>): boolean => map.size === MAX_MAP_ENTRIES

/** A map with the same entries that can grow further. It replaces a map that {@link isFull}. */
export const enlarged = <K, V>(map: OrderedMap<K, V>): OrderedMap<K, V> =>
  map instanceof Map ? new LargeMap(map) : map

/** Replaces a deleted key in the list of keys. */
const GONE: unique symbol = Symbol("gone")

/** A Map in insertion order that grows to any size without a long turn of the event loop. */
class LargeMap<K, V> implements OrderedMap<K, V> {
  /** The index of each key in the two lists. */
  readonly #indexes = new BigMap<K, number>()
  #keys: Array<K | typeof GONE> = []
  #values: Array<V | undefined> = []

  constructor(entries: Iterable<readonly [K, V]>) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.#indexes.size
  }

  get(key: K): V | undefined {
    const index = this.#indexes.get(key)
    return index === undefined ? undefined : this.#values[index]
  }

  has(key: K): boolean {
    return this.#indexes.has(key)
  }

  set(key: K, value: V): this {
    const index = this.#indexes.get(key)
    if (index === undefined) {
      this.#indexes.set(key, this.#keys.length)
      this.#keys.push(key)
      this.#values.push(value)
    } else this.#values[index] = value
    return this
  }

  delete(key: K): boolean {
    const index = this.#indexes.get(key)
    if (index === undefined) return false
    this.#indexes.delete(key)
    this.#keys[index] = GONE
    this.#values[index] = undefined
    if (this.#indexes.size === 0) {
      this.#keys = []
      this.#values = []
    }
    return true
  }

  *keys(): IterableIterator<K> {
    for (let index = 0; index < this.#keys.length; index++) {
      const key = this.#keys[index]!
      if (key !== GONE) yield key as K
    }
  }

  *values(): IterableIterator<V> {
    for (let index = 0; index < this.#keys.length; index++) {
      if (this.#keys[index] !== GONE) yield this.#values[index] as V
    }
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (let index = 0; index < this.#keys.length; index++) {
      const key = this.#keys[index]!
      if (key !== GONE) yield [key as K, this.#values[index] as V]
    }
  }

  forEach(visit: (value: V, key: K) => void): void {
    for (let index = 0; index < this.#keys.length; index++) {
      const key = this.#keys[index]!
      if (key !== GONE) visit(this.#values[index] as V, key as K)
    }
  }
}
