/** Maximum number of entries of one Map. A Map that grows moves all its entries, which takes 70 ms for half a million. */
const MAX_MAP_ENTRIES = 32_768
/** A full Map is split into 2^PART_BITS parts. */
const PART_BITS = 5
const PARTS = 1 << PART_BITS
/** Number of bits of the hash of a key. Keys with equal hashes stay in one Map. */
const HASH_BITS = 30

/**
 * Number of characters at each end of a long text that are hashed. Texts that differ only in the middle have equal hashes. Memory
 * is full before their number matters.
 */
const HASHED_END_CHARS = 512

/** A hash of thirty bits. Equal keys of a Map have equal hashes. */
const bitsOf = (key: unknown): number => {
  if (typeof key === "number") return numberBits(key)
  if (typeof key === "string") return textBits(key)
  return typeof key === "bigint" ? numberBits(Number(BigInt.asIntN(53, key))) : 0
}

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

const numberBits = (key: number): number => {
  const low = Math.imul(key | 0, 0x9e3779b1)
  if (key === (key | 0)) return (low >>> 2) & 0x3fffffff
  // NaN has several bit patterns, and all of them are one key.
  if (Number.isNaN(key)) return 0
  double[0] = key
  // A multiplication spreads differences only to higher bits. The shifts spread them to lower bits.
  let bits = Math.imul(halves[0]! ^ (halves[0]! >>> 15), 0x85ebca6b) ^ Math.imul(halves[1]!, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35)
  return ((bits ^ (bits >>> 13)) >>> 2) & 0x3fffffff
}

const textBits = (key: string): number => {
  const { length } = key
  let bits = length
  const head = Math.min(length, HASHED_END_CHARS)
  for (let i = 0; i < head; i++) bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193)
  for (let i = Math.max(head, length - HASHED_END_CHARS); i < length; i++) {
    bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193)
  }
  return numberBits(bits)
}

/**
 * A Map that grows to any size without a long turn of the event loop. A Map moves all its entries when it grows, so a Map with too
 * many entries is split into several. Only entries whose keys are numbers, texts or bigints are split. With at most 32,768 entries
 * the iteration has insertion order, otherwise no defined order.
 */
export class BigMap<K, V> {
  #entries: Map<K, V> | null = new Map()
  #parts: Array<BigMap<K, V>> | null = null
  #size = 0
  readonly #depth: number

  /** `depth`: number of hash bits that all keys share. */
  constructor(depth = 0) {
    this.#depth = depth
  }

  get size(): number {
    return this.#entries === null ? this.#size : this.#entries.size
  }

  #part(key: K, parts = this.#parts!): BigMap<K, V> {
    return parts[(bitsOf(key) >>> (HASH_BITS - PART_BITS - this.#depth)) & (PARTS - 1)]!
  }

  get(key: K): V | undefined {
    return this.#entries === null ? this.#part(key).get(key) : this.#entries.get(key)
  }

  has(key: K): boolean {
    return this.#entries === null ? this.#part(key).has(key) : this.#entries.has(key)
  }

  set(key: K, value: V): this {
    if (this.#entries === null) {
      const part = this.#part(key)
      const before = part.size
      part.set(key, value)
      this.#size += part.size - before
    } else {
      this.#entries.set(key, value)
      if (this.#entries.size > MAX_MAP_ENTRIES && this.#depth < HASH_BITS) this.#divide(this.#entries)
    }
    return this
  }

  #divide(entries: Map<K, V>): void {
    const parts = Array.from({ length: PARTS }, () => new BigMap<K, V>(this.#depth + PART_BITS))
    for (const [key, value] of entries) this.#part(key, parts).set(key, value)
    this.#parts = parts
    this.#entries = null
    this.#size = entries.size
  }

  delete(key: K): boolean {
    if (this.#entries !== null) return this.#entries.delete(key)
    if (!this.#part(key).delete(key)) return false
    if (--this.#size === 0) this.clear()
    return true
  }

  clear(): void {
    this.#entries = new Map()
    this.#parts = null
  }

  keys(): IterableIterator<K> {
    return this.#entries === null ? this.#flat((part) => part.keys()) : this.#entries.keys()
  }

  values(): IterableIterator<V> {
    return this.#entries === null ? this.#flat((part) => part.values()) : this.#entries.values()
  }

  entries(): IterableIterator<[K, V]> {
    return this.#entries === null ? this.#flat((part) => part.entries()) : this.#entries.entries()
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.entries()
  }

  *#flat<A>(of: (part: BigMap<K, V>) => Iterable<A>): IterableIterator<A> {
    for (const part of this.#parts!) yield* of(part)
  }
}

/** A Set that may be large and is only read. */
export interface ReadonlyBigSet<K> extends Iterable<K> {
  readonly size: number
  has(key: K): boolean
}

/** A Set that grows to any size without a long turn of the event loop; see {@link BigMap}. */
export class BigSet<K> implements ReadonlyBigSet<K> {
  readonly #keys = new BigMap<K, true>()

  get size(): number {
    return this.#keys.size
  }

  has(key: K): boolean {
    return this.#keys.has(key)
  }

  add(key: K): this {
    this.#keys.set(key, true)
    return this
  }

  delete(key: K): boolean {
    return this.#keys.delete(key)
  }

  clear(): void {
    this.#keys.clear()
  }

  [Symbol.iterator](): IterableIterator<K> {
    return this.#keys.keys()
  }
}
