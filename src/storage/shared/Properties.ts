import { BigMap } from "../../structure/BigMap.ts"
import { keyOf } from "../../structure/Equivalence.ts"
import { Values } from "../../structure/GraphReads.ts"
import { Column } from "../memory/Column.ts"
import type { Meter } from "../memory/Growth.ts"
import type { HashIndex } from "../memory/HashIndex.ts"
import { Undo } from "../memory/Undo.ts"
import type { NaturalIds } from "./IdManager.ts"

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

/**
 * The newest states of one property key of all vertices, or of all edges, with their undo log. Values are stored in a column. A
 * Map also has the states of vertices, except states of one property without meta-properties whose id a counter gave.
 */
export class PropertyColumn {
  readonly key: string
  /** Position among the columns of vertices, or among the columns of edges. */
  readonly number: number
  readonly values: Column
  readonly undo = new Undo<number, PropertyState | undefined>()
  /** The index on this key, which may still be incomplete; null if there is none. */
  index: HashIndex | null = null
  readonly #ids: Column | null
  readonly #natural: NaturalIds | null
  readonly #details = new BigMap<number, PropertyState>()
  readonly #meter: Meter

  /** `natural` is null for edge properties, which have no ids. */
  constructor(key: string, number: number, natural: NaturalIds | null, meter: Meter) {
    this.key = key
    this.number = number
    this.#natural = natural
    this.#meter = meter
    this.values = new Column(meter)
    this.#ids = natural === null ? null : new Column(meter)
  }

  /** True when some element may have several values. */
  get hasDetails(): boolean {
    return this.#details.size > 0
  }

  /** The newest state of a slot. */
  state(slot: number): PropertyState | undefined {
    if (this.#details.size > 0) {
      const state = this.#details.get(slot)
      if (state !== undefined) return state
    }
    const value = this.values.get(slot)
    if (value === undefined) return undefined
    return new Entry(
      this.#ids === null ? undefined : this.#natural!.restore(this.#ids.get(slot) as number),
      value,
      null
    )
  }

  /** The state that a snapshot sees. */
  stateAt(slot: number, snapshot: number): PropertyState | undefined {
    if (this.undo.size > 0) {
      const replaced = this.undo.at(slot, snapshot)
      if (replaced !== undefined) return replaced.old
    }
    return this.state(slot)
  }

  /** The value that a read in a snapshot returns. */
  valueAt(slot: number, snapshot: number): unknown {
    if (this.undo.size > 0) {
      const replaced = this.undo.at(slot, snapshot)
      if (replaced !== undefined) return replaced.old?.value
    }
    return this.values.get(slot)
  }

  /** Sets the newest state of a slot; undefined removes it. */
  write(slot: number, state: PropertyState | undefined): void {
    this.values.set(slot, state?.value)
    if (this.#ids === null) return
    const number = state instanceof Entry && state.meta === null ? this.#natural!.number(state.id) : undefined
    this.#ids.set(slot, number)
    if (state !== undefined && number === undefined) {
      this.#meter.heap += DETAIL_BYTES * (state.entries.length - (this.#details.get(slot)?.entries.length ?? 0))
      this.#details.set(slot, state)
    } else if (this.#details.size > 0) {
      const had = this.#details.get(slot)
      if (had === undefined) return
      this.#meter.heap -= DETAIL_BYTES * had.entries.length
      this.#details.delete(slot)
    }
  }
}

/** Estimated bytes that a property takes in the Map, without its value. */
const DETAIL_BYTES = 160

/**
 * Numbers the lists of property keys that elements have, in insertion order. Elements with the same list share a shape and
 * store only its number, in 4 bytes. Shape 0 has no keys.
 */
export class Shapes {
  readonly #keys: Array<readonly number[]> = [[]]
  readonly #known = new Map<string, number>([["", 0]])
  readonly #added: Array<Map<number, number>> = [new Map()]

  /** The keys of a shape, as the numbers of their columns. */
  keys(shape: number): readonly number[] {
    return this.#keys[shape]!
  }

  /** The shape with one more key at the end, or the same shape if it has the key. */
  with(shape: number, column: number): number {
    const next = this.#added[shape]!.get(column)
    if (next !== undefined) return next
    const keys = this.#keys[shape]!
    const found = keys.includes(column) ? shape : this.#intern([...keys, column])
    this.#added[shape]!.set(column, found)
    return found
  }

  without(shape: number, column: number): number {
    return this.#intern(this.#keys[shape]!.filter((key) => key !== column))
  }

  #intern(keys: readonly number[]): number {
    const name = keys.join(",")
    let shape = this.#known.get(name)
    if (shape === undefined) {
      shape = this.#keys.length
      this.#keys.push(keys)
      this.#added.push(new Map())
      this.#known.set(name, shape)
    }
    return shape
  }
}
