import { Double, double, isInt } from "../../structure/numbers/Numbers.ts"
import { Meter, valueBytes } from "./Growth.ts"

// Layouts of a page.
const SPARSE = 0
const PLAIN = 1
const INT = 2
const DOUBLE = 3

/** Slots of a page, as a power of two. */
export const PAGE_BITS = 12
const PAGE_SLOTS = 1 << PAGE_BITS

/** Stands for "no value" in a page of Ints; a page that must hold this number becomes a plain one. */
const NO_INT = -0x80000000
const EMPTY_INTS = new Int32Array(0)
const EMPTY_DOUBLES = new Float64Array(0)
/** A page whose slots end here or before is dense; a sparse page with fewer values stays sparse. */
const DENSE_BELOW = 64
/** A sparse page becomes dense when more than one slot in so many has a value. */
const DENSE_FROM = 5
/** A dense page that must become longer becomes sparse when fewer than one slot in so many would have a value. */
const SPARSE_FROM = 10
/** Estimated bytes of an entry of the Map of a sparse page. */
const SPARSE_BYTES = 48

/**
 * The values of some slots of a {@link Column}. Ints and Doubles are stored in typed arrays while all values are of that type;
 * other values, and mixed ones, in a plain array; the values of a key that few elements have, in a Map. A page of Doubles stores
 * integral values as plain numbers, and returns them as {@link Double}.
 *
 * A write first chooses the layout from the number of values and the highest slot with the new value in place, then
 * changes the page to that layout, then stores the value. A change of layout builds the new storage completely before it
 * replaces the old one, so that a page whose storage cannot be allocated keeps every value.
 */
export class ColumnPage {
  #kind = SPARSE
  #ints: Int32Array<ArrayBuffer> = EMPTY_INTS
  #doubles: Float64Array<ArrayBuffer> = EMPTY_DOUBLES
  #plain: Array<unknown> = []
  #sparse = new Map<number, unknown>()
  /** Number of slots that the storage of a dense page has; 0 in a sparse one. */
  #length = 0
  /** Highest slot that was set since the page became sparse; -1 when none was. */
  #highest = -1
  #count = 0
  /** Estimated bytes of the values themselves. */
  #bytes = 0
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Number of slots with a value. */
  get count(): number {
    return this.#count
  }

  get(slot: number): unknown {
    switch (this.#kind) {
      case PLAIN:
        return slot < this.#plain.length ? this.#plain[slot] : undefined
      case INT: {
        const value = slot < this.#ints.length ? this.#ints[slot]! : NO_INT
        return value === NO_INT ? undefined : value
      }
      case DOUBLE: {
        const value = slot < this.#doubles.length ? this.#doubles[slot]! : Number.NaN
        return Number.isNaN(value) ? undefined : double(value)
      }
      default:
        return this.#sparse.get(slot)
    }
  }

  /** Sets or, with undefined, removes the value of a slot. */
  set(slot: number, value: unknown): void {
    const had = this.get(slot)
    if (value !== undefined) {
      const count = had === undefined ? this.#count + 1 : this.#count
      this.#makeRoom(slot, value, count)
      this.#put(slot, had, value)
      this.#count = count
    } else if (had !== undefined) {
      this.#remove(slot, had)
      if (--this.#count === 0) this.clear()
    }
  }

  /** Gives the page the layout that it needs for a value at a slot; `count`: number of values with this one. */
  #makeRoom(slot: number, value: unknown, count: number): void {
    const kind = this.#kindFor(slot, value, count)
    if (kind !== this.#kind) this.#change(kind, Math.max(slot, this.#highest) + 1)
    else if (kind !== SPARSE && slot >= this.#length) this.#lengthen(slot + 1)
  }

  #kindFor(slot: number, value: unknown, count: number): number {
    if (this.#kind === SPARSE) {
      if (this.#count === 0) return slot < DENSE_BELOW ? denseKind(value) : SPARSE
      const isDense = count >= DENSE_BELOW && count * DENSE_FROM > Math.max(slot, this.#highest)
      return isDense ? this.#commonKind(denseKind(value)) : SPARSE
    }
    if (slot >= this.#length && slot >= DENSE_BELOW && count * SPARSE_FROM < slot) return SPARSE
    return this.#kind === PLAIN || denseKind(value) === this.#kind ? this.#kind : PLAIN
  }

  /** The dense layout of all values of a sparse page and one more that needs `kind`. */
  #commonKind(kind: number): number {
    for (const value of this.#sparse.values()) if (denseKind(value) !== kind) return PLAIN
    return kind
  }

  /** Moves all values to another layout; a dense one has room for `needed` slots at least. */
  #change(kind: number, needed: number): void {
    const meter = new Meter()
    const made = new ColumnPage(meter)
    made.#kind = kind
    if (kind !== SPARSE) made.#lengthen(Math.max(needed, this.#length))
    if (this.#kind === SPARSE) for (const [slot, value] of this.#sparse) made.#put(slot, undefined, value)
    else {
      for (let slot = 0; slot < this.#length; slot++) {
        const value = this.get(slot)
        if (value !== undefined) made.#put(slot, undefined, value)
      }
    }
    this.#forgetStorage()
    this.#meter.heap += meter.heap
    this.#meter.arrays += meter.arrays
    this.#kind = kind
    this.#length = made.#length
    this.#ints = made.#ints
    this.#doubles = made.#doubles
    this.#plain = made.#plain
    this.#sparse = made.#sparse
    this.#highest = made.#highest
    this.#bytes = made.#bytes
  }

  /** Makes the storage of a dense page longer. */
  #lengthen(needed: number): void {
    const before = this.#length
    const length = Math.max(needed, Math.min(PAGE_SLOTS, Math.max(DENSE_BELOW, 4 * before)))
    if (this.#kind === INT) {
      const grown = new Int32Array(length)
      grown.set(this.#ints)
      this.#ints = grown.fill(NO_INT, before)
      this.#meter.arrays += 4 * (length - before)
    } else if (this.#kind === DOUBLE) {
      const grown = new Float64Array(length)
      grown.set(this.#doubles)
      this.#doubles = grown.fill(Number.NaN, before)
      this.#meter.arrays += 8 * (length - before)
    } else {
      this.#meter.heap += 8 * (needed - before)
      while (this.#plain.length < needed) this.#plain.push(undefined)
    }
    this.#length = this.#kind === PLAIN ? needed : length
  }

  /** Stores a value that the layout has room for; `had`: what the slot has now. */
  #put(slot: number, had: unknown, value: unknown): void {
    switch (this.#kind) {
      case INT:
        this.#ints[slot] = value as number
        return
      case DOUBLE:
        this.#doubles[slot] = typeof value === "number" ? value : (value as Double).value
        return
      case PLAIN:
        this.#account(valueBytes(value) - valueBytes(had))
        this.#plain[slot] = value
        return
      default:
        this.#sparse.set(slot, value)
        this.#account(valueBytes(value) - valueBytes(had))
        if (had === undefined) this.#meter.heap += SPARSE_BYTES
        if (slot > this.#highest) this.#highest = slot
    }
  }

  #remove(slot: number, had: unknown): void {
    switch (this.#kind) {
      case INT:
        this.#ints[slot] = NO_INT
        return
      case DOUBLE:
        this.#doubles[slot] = Number.NaN
        return
      case PLAIN:
        this.#account(-valueBytes(had))
        this.#plain[slot] = undefined
        return
      default:
        this.#account(-valueBytes(had))
        this.#sparse.delete(slot)
        this.#meter.heap -= SPARSE_BYTES
    }
  }

  #account(bytes: number): void {
    this.#bytes += bytes
    this.#meter.heap += bytes
  }

  /** Removes every value and frees the memory. */
  clear(): void {
    this.#forgetStorage()
    this.#count = 0
    this.#kind = SPARSE
    this.#length = 0
    this.#highest = -1
    this.#ints = EMPTY_INTS
    this.#doubles = EMPTY_DOUBLES
    this.#plain = []
    this.#sparse = new Map()
  }

  /** The bytes of the storage are no longer counted. */
  #forgetStorage(): void {
    this.#meter.arrays -= this.#ints.byteLength + this.#doubles.byteLength
    this.#meter.heap -= 8 * this.#plain.length + this.#sparse.size * SPARSE_BYTES + this.#bytes
    this.#bytes = 0
  }
}

/** True for what a page of Doubles can hold: NaN stands for "no value" there. */
const isDouble = (value: unknown): boolean =>
  typeof value === "number"
    ? !isInt(value) && !Number.isNaN(value)
    : value instanceof Double && !Number.isNaN(value.value)

/** The layout of a dense page that has only values such as this one. */
const denseKind = (value: unknown): number => {
  if (typeof value === "number" && isInt(value) && value !== NO_INT) return INT
  return isDouble(value) ? DOUBLE : PLAIN
}
