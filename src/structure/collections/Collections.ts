import { enlarged, isFull, type OrderedMap } from "../containers/OrderedMap.ts"
import { ArithmeticFailure } from "../errors/ValueErrors.ts"
import { Keyed, keyOf, keyText, keyTexts, textOfKey, unorderedKey } from "./Equivalence.ts"

/** An object that follows the value of one key of a map until the key is removed, such as an entry in a script. */
export interface Follower {
  follow(value: unknown): void
  leave(): void
}

/**
 * The Map of the Gremlin language: keys of any type, compared by equivalence (1, 1L and 1.0 are three keys), in
 * insertion order. Lists are plain arrays. Never a bare object: property names such as `__proto__` are ordinary data.
 */
export class GremlinMap extends Keyed {
  #values: OrderedMap<unknown, unknown> = new Map()
  /** Keys whose look-up key is not the key itself. */
  #originals: OrderedMap<unknown, unknown> | undefined
  /** By look-up key. */
  #followers: OrderedMap<unknown, Follower> | undefined
  #self: WeakRef<GremlinMap> | undefined
  #list: readonly unknown[] | undefined

  constructor(entries?: Iterable<readonly [unknown, unknown]>) {
    super()
    if (entries !== undefined) for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.#values.size
  }

  get(key: unknown): unknown {
    return this.#values.get(keyOf(key))
  }

  has(key: unknown): boolean {
    return this.#values.has(keyOf(key))
  }

  set(key: unknown, value: unknown): this {
    const lookup = keyOf(key)
    if (lookup !== key) {
      this.#originals ??= new Map()
      if (!this.#originals.has(lookup)) {
        this.#originals.set(lookup, key)
        if (isFull(this.#originals)) this.#originals = enlarged(this.#originals)
      }
    }
    this.#values.set(lookup, value)
    if (isFull(this.#values)) this.#values = enlarged(this.#values)
    this.#list = undefined
    this.#followers?.get(lookup)?.follow(value)
    return this
  }

  delete(key: unknown): boolean {
    const lookup = keyOf(key)
    this.#originals?.delete(lookup)
    this.#list = undefined
    this.#followers?.get(lookup)?.leave()
    this.#followers?.delete(lookup)
    return this.#values.delete(lookup)
  }

  /** The values as a list that nobody may change. It is made once for each state of the map. */
  valueList(): readonly unknown[] {
    return (this.#list ??= [...this.values()])
  }

  /** Number of keys that are followed. */
  get followers(): number {
    return this.#followers?.size ?? 0
  }

  /** The follower of a key that the map has: the same for each call, and made by the first one. The map keeps it while it has the key. */
  followed(key: unknown, make: (value: unknown, map: WeakRef<GremlinMap>) => Follower): Follower {
    const lookup = keyOf(key)
    let follower = this.#followers?.get(lookup)
    if (follower === undefined) {
      this.#self ??= new WeakRef(this)
      follower = make(this.#values.get(lookup), this.#self)
      this.#followers ??= new Map()
      this.#followers.set(lookup, follower)
      if (isFull(this.#followers)) this.#followers = enlarged(this.#followers)
    }
    return follower
  }

  *keys(): IterableIterator<unknown> {
    const originals = this.#originals
    for (const lookup of this.#values.keys()) yield originals?.has(lookup) ? originals.get(lookup) : lookup
  }

  values(): IterableIterator<unknown> {
    return this.#values.values()
  }

  *entries(): IterableIterator<[unknown, unknown]> {
    const originals = this.#originals
    for (const [lookup, value] of this.#values) yield [originals?.has(lookup) ? originals.get(lookup) : lookup, value]
  }

  [Symbol.iterator](): IterableIterator<[unknown, unknown]> {
    return this.entries()
  }

  /** Visits the entries without an iterator, for encoders. */
  forEach(visit: (value: unknown, key: unknown) => void): void {
    const originals = this.#originals
    if (originals === undefined) this.#values.forEach(visit)
    else {
      this.#values.forEach((value, key) => {
        visit(value, originals.has(key) ? originals.get(key) : key)
      })
    }
  }

  /** Maps are equivalent when they hold equivalent entries, in any order. */
  override equivalenceKey(): string {
    return unorderedKey(
      "M",
      keyTexts(this.#values, (entry) => {
        const [lookup, value] = entry as [unknown, unknown]
        return textOfKey(lookup) + keyText(value)
      })
    )
  }
}

/** The Set of the Gremlin language: distinct by equivalence, in insertion order. */
export class GremlinSet extends Keyed {
  #values: OrderedMap<unknown, unknown> = new Map()

  constructor(values?: Iterable<unknown>) {
    super()
    if (values !== undefined) for (const value of values) this.add(value)
  }

  get size(): number {
    return this.#values.size
  }

  has(value: unknown): boolean {
    return this.#values.has(keyOf(value))
  }

  /** The map whose keys or entries the set shows; undefined for a set with members of its own. */
  get shows(): GremlinMap | undefined {
    return undefined
  }

  /** Adds a value. True when it is new. */
  add(value: unknown): boolean {
    const key = keyOf(value)
    if (this.#values.has(key)) return false
    this.#values.set(key, value)
    if (isFull(this.#values)) this.#values = enlarged(this.#values)
    return true
  }

  delete(value: unknown): boolean {
    return this.#values.delete(keyOf(value))
  }

  /** All members, faster than an iteration. */
  toList(): Array<unknown> {
    const members: Array<unknown> = []
    this.#values.forEach((member) => {
      members.push(member)
    })
    return members
  }

  values(): IterableIterator<unknown> {
    return this.#values.values()
  }

  [Symbol.iterator](): IterableIterator<unknown> {
    return this.#values.values()
  }

  /** Sets are equivalent when they hold equivalent members, in any order. */
  override equivalenceKey(): string {
    return unorderedKey("S", keyTexts(this.#values.keys(), textOfKey))
  }
}

/** Maximum number of members of a list to which a bulk set is converted. A bulk set only counts equal members. */
const MAX_LIST_MEMBERS = 2 ** 20

/** A multiset (TinkerPop's BulkSet): distinct values with a count each, the result of aggregate(). */
export class BulkSet extends Keyed {
  #counts: OrderedMap<unknown, { readonly value: unknown; count: number }> = new Map()
  #size = 0

  /** Number of values with their repetitions. */
  get size(): number {
    return this.#size
  }

  /** Number of distinct values. */
  get uniqueSize(): number {
    return this.#counts.size
  }

  add(value: unknown, bulk = 1): void {
    const key = keyOf(value)
    const entry = this.#counts.get(key)
    if (entry === undefined) {
      this.#counts.set(key, { value, count: bulk })
      if (isFull(this.#counts)) this.#counts = enlarged(this.#counts)
    } else entry.count += bulk
    this.#size += bulk
  }

  /** Every value as often as its count. Throws ArithmeticFailure if this is too long for a list. */
  toList(): Array<unknown> {
    const list: Array<unknown> = []
    for (const { value, count } of this.#entriesOfList()) for (let i = 0; i < count; i++) list.push(value)
    return list
  }

  /** Every value as often as its count, as an iterator with the same limit. */
  *members(): IterableIterator<unknown> {
    for (const { value, count } of this.#entriesOfList()) for (let i = 0; i < count; i++) yield value
  }

  #entriesOfList(): Iterable<{ readonly value: unknown; readonly count: number }> {
    if (this.#size <= MAX_LIST_MEMBERS) return this.#counts.values()
    throw new ArithmeticFailure(
      `A bulk set of ${this.#size} members cannot become a list, which has at most ${MAX_LIST_MEMBERS} members. Iterate over it with ` +
        "unfold(), or use unfold().dedup() to get its distinct members."
    )
  }

  /** The count of a value. */
  count(value: unknown): number {
    return this.#counts.get(keyOf(value))?.count ?? 0
  }

  /** Distinct values with their counts. */
  *entries(): IterableIterator<[unknown, number]> {
    for (const { value, count } of this.#counts.values()) yield [value, count]
  }

  /** Each value once. */
  *distinct(): IterableIterator<unknown> {
    for (const { value } of this.#counts.values()) yield value
  }

  /** Every value as often as its count, without a limit. A client may have sent any count, so the caller must stop somewhere. */
  *repeated(): IterableIterator<unknown> {
    for (const { value, count } of this.#counts.values()) for (let i = 0; i < count; i++) yield value
  }

  /** The {@link members}, with their limit: an iteration over a collection goes to its end. */
  [Symbol.iterator](): IterableIterator<unknown> {
    return this.members()
  }

  /** Bulk sets are equivalent when they hold equivalent values equally often. */
  override equivalenceKey(): string {
    return unorderedKey(
      "B",
      keyTexts(this.#counts, (entry) => {
        const [lookup, { count }] = entry as [unknown, { readonly count: number }]
        return `${textOfKey(lookup)}${count};`
      })
    )
  }
}

/** One entry of a map, as unfold() returns it and order(local) or select(keys) read it. */
export class MapEntry extends Keyed {
  readonly key: unknown
  readonly #value: unknown
  constructor(key: unknown, value: unknown) {
    super()
    this.key = key
    this.#value = value
  }

  get value(): unknown {
    return this.#value
  }

  override equivalenceKey(): string {
    return `\0N${keyText(this.key)}${keyText(this.value)}`
  }
}

/** The entries of a map in their order, each as a value. */
export function* entriesOf(map: GremlinMap): Iterable<MapEntry> {
  for (const [key, value] of map) yield new MapEntry(key, value)
}

/** True for a list, a set or a bulk set: a collection that is no map. */
export const isListOrSet = (value: unknown): value is ReadonlyArray<unknown> | GremlinSet | BulkSet =>
  Array.isArray(value) || value instanceof GremlinSet || value instanceof BulkSet
