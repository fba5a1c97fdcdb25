import { keyOf } from "../../structure/collections/Equivalence.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import { Values } from "../../structure/graph/GraphReads.ts"

/** One property, immutable. Only a property of a vertex has an id and meta-properties. */
export class Entry {
  readonly id: unknown
  readonly value: unknown
  readonly meta: ReadonlyMap<string, unknown> | null
  constructor(id: unknown, value: unknown, meta: ReadonlyMap<string, unknown> | null) {
    this.id = id
    this.value = value
    this.meta = meta
  }
  /** This property alone, as a list: an Entry is also the state of an element with one property under a key. */
  get entries(): readonly Entry[] {
    return [this]
  }
}

/**
 * Several properties of one element under one key, immutable. A state with one more property can share its list with this state,
 * so that a transaction that adds many properties does not copy the list for each of them.
 */
export class Entries {
  #entries: readonly Entry[]
  readonly #length: number
  /** The shared list, which may have more entries than this state. */
  #grown: GrowingList | null
  #value: Values | undefined

  constructor(entries: readonly Entry[], grown: GrowingList | null = null) {
    this.#entries = entries
    this.#length = entries.length
    this.#grown = grown
  }

  get length(): number {
    return this.#length
  }

  get entries(): readonly Entry[] {
    if (this.#entries.length > this.#length) {
      this.#entries = this.#entries.slice(0, this.#length)
      this.#grown = null
    }
    return this.#entries
  }

  get value(): Values {
    this.#value ??= new Values(this.entries.map((entry) => entry.value))
    return this.#value
  }

  /** Returns the state with one more property. `shares` must be false if other readers may use the list of this state. */
  with(entry: Entry, shares: boolean): Entries {
    const { entries } = this
    const list = shares && this.#grown !== null ? this.#grown : new GrowingList([...entries])
    list.entries.push(entry)
    return new Entries(list.entries, list)
  }

  /** The first property with an equal value of the same type. */
  withValue(value: unknown): Entry | undefined {
    const { entries } = this
    return this.#grown !== null ? this.#grown.withValue(value) : firstWithKey(entries, keyOf(value))
  }
}

/** Maximum number of entries of a list that is searched linearly. A longer list has an index by value. */
const LINEAR_SEARCH_ENTRIES = 16

/** A growing list of properties with an index by value. */
class GrowingList {
  readonly entries: Array<Entry>
  readonly #byKey = new BigMap<unknown, Entry>()
  #known = 0

  constructor(entries: Array<Entry>) {
    this.entries = entries
  }

  withValue(value: unknown): Entry | undefined {
    const key = keyOf(value)
    if (this.entries.length <= LINEAR_SEARCH_ENTRIES) return firstWithKey(this.entries, key)
    for (; this.#known < this.entries.length; this.#known++) {
      const entry = this.entries[this.#known]!
      const other = keyOf(entry.value)
      if (!this.#byKey.has(other)) this.#byKey.set(other, entry)
    }
    return this.#byKey.get(key)
  }
}

const firstWithKey = (entries: readonly Entry[], key: unknown): Entry | undefined =>
  entries.find((entry) => Object.is(keyOf(entry.value), key))

/** One or more properties of one element under one key. A read of the key returns `value`. */
export type PropertyState = Entry | Entries

/** Returns the state with these entries, or undefined if there are none. */
export const stateWith = (entries: readonly Entry[]): PropertyState | undefined =>
  entries.length > 1 ? new Entries(entries) : entries[0]

/** A change of the properties that one element has under one key, in a transaction. */
export interface PropertyChange {
  /** The state in the snapshot. */
  readonly base: PropertyState | undefined
  /** The state that the transaction sees. */
  state: PropertyState | undefined
  /** True if the transaction set the whole state (SINGLE cardinality). It then conflicts with every other change of the state. */
  replaced: boolean
}
