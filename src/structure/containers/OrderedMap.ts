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
  readonly #places = new BigMap<K, number>()
  #keys: Array<K | typeof GONE> = []
  #values: Array<V | undefined> = []

  constructor(entries: Iterable<readonly [K, V]>) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.#places.size
  }

  get(key: K): V | undefined {
    const place = this.#places.get(key)
    return place === undefined ? undefined : this.#values[place]
  }

  has(key: K): boolean {
    return this.#places.has(key)
  }

  set(key: K, value: V): this {
    const place = this.#places.get(key)
    if (place === undefined) {
      this.#places.set(key, this.#keys.length)
      this.#keys.push(key)
      this.#values.push(value)
    } else this.#values[place] = value
    return this
  }

  delete(key: K): boolean {
    const place = this.#places.get(key)
    if (place === undefined) return false
    this.#places.delete(key)
    this.#keys[place] = GONE
    this.#values[place] = undefined
    if (this.#places.size === 0) {
      this.#keys = []
      this.#values = []
    }
    return true
  }

  *keys(): IterableIterator<K> {
    for (let place = 0; place < this.#keys.length; place++) {
      const key = this.#keys[place]!
      if (key !== GONE) yield key as K
    }
  }

  *values(): IterableIterator<V> {
    for (let place = 0; place < this.#keys.length; place++) {
      if (this.#keys[place] !== GONE) yield this.#values[place] as V
    }
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (let place = 0; place < this.#keys.length; place++) {
      const key = this.#keys[place]!
      if (key !== GONE) yield [key as K, this.#values[place] as V]
    }
  }

  forEach(visit: (value: V, key: K) => void): void {
    for (let place = 0; place < this.#keys.length; place++) {
      const key = this.#keys[place]!
      if (key !== GONE) visit(this.#values[place] as V, key as K)
    }
  }
}
