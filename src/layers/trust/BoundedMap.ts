/**
 * A bounded map, for data that clients fill. It has two generations of at most `size` entries each: an entry that is not
 * used while a whole generation fills is dropped. (To delete the oldest entry of a Map one at a time is slow: its iterator
 * skips all entries that were deleted before.)
 */
export class BoundedMap<K, V> {
  readonly #size: number
  #young = new Map<K, V>()
  #old: Map<K, V> = new Map()

  constructor(size: number) {
    this.#size = size
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#size && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  has(key: K): boolean {
    return this.#young.has(key) || this.#old.has(key)
  }

  delete(key: K): boolean {
    const old = this.#old.delete(key)
    return this.#young.delete(key) || old
  }
}
