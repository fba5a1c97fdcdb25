import { Double, double, isInt } from "../../structure/Numbers.ts"
import { type Meter, valueBytes } from "./Growth.ts"

const SPARSE = 0
const PLAIN = 1
const INT = 2
const DOUBLE = 3

/** Slots of a page, as a power of two. */
export const PAGE_BITS = 12
const PAGE = 1 << PAGE_BITS

/** Stands for "no value" in a page of Ints; a page that must hold this number becomes a plain one. */
const NO_INT = -0x80000000
const EMPTY_INTS = new Int32Array(0)
const EMPTY_DOUBLES = new Float64Array(0)
/** Below this many slots a page is always dense. */
const DENSE_BELOW = 64

/**
 * Some slots of a {@link Column}. Ints and Doubles lie in typed arrays while all values are of that kind; other values,
 * and mixed ones, in a plain array; a key that few elements have in a Map. A page of Doubles holds integral values as
 * bare numbers: its kind says Double, and they leave it as {@link Double}.
 */
export class ColumnPage {
  #kind = SPARSE
  #ints: Int32Array<ArrayBuffer> = EMPTY_INTS
  #doubles: Float64Array<ArrayBuffer> = EMPTY_DOUBLES
  #plain: Array<unknown> = []
  #sparse = new Map<number, unknown>()
  /** Highest slot ever set while sparse. */
  #highest = 0
  #count = 0
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
    if (had === undefined) {
      if (value === undefined) return
      if (this.#count++ === 0) this.#start(slot, value)
    } else if (value === undefined) this.#count--
    this.#store(slot, value)
  }

  #account(had: unknown, value: unknown): void {
    const change = valueBytes(value) - valueBytes(had)
    this.#bytes += change
    this.#meter.heap += change
  }

  /** Chooses the kind of an empty page by its first value. */
  #start(slot: number, value: unknown): void {
    const kind = slot >= DENSE_BELOW ? SPARSE : denseKind(value)
    if (kind === this.#kind) return
    this.#forgetStorage()
    this.#kind = kind
  }

  #store(slot: number, value: unknown): void {
    switch (this.#kind) {
      case INT:
        if (value === undefined) this.#ints[slot] = NO_INT
        else if (typeof value !== "number" || !isInt(value) || value === NO_INT) this.#makePlain(slot, value)
        else if (this.#roomFor(slot, this.#ints.length)) this.#ints[slot] = value
        else this.#store(slot, value)
        return
      case DOUBLE:
        if (value === undefined) this.#doubles[slot] = Number.NaN
        else if (!isDouble(value)) this.#makePlain(slot, value)
        else if (this.#roomFor(slot, this.#doubles.length)) {
          this.#doubles[slot] = typeof value === "number" ? value : (value as Double).value
        } else this.#store(slot, value)
        return
      case PLAIN:
        if (this.#roomFor(slot, this.#plain.length)) {
          this.#account(this.#plain[slot], value)
          this.#plain[slot] = value
        } else this.#store(slot, value)
        return
      default:
        this.#storeSparse(slot, value)
    }
  }

  /** Makes the dense page longer, or false when it became a sparse one because it would be mostly empty. */
  #roomFor(slot: number, length: number): boolean {
    if (slot < length) return true
    if (slot >= DENSE_BELOW && this.#count * 10 < slot) {
      this.#makeSparse()
      return false
    }
    this.#lengthen(slot + 1)
    return true
  }

  #lengthen(needed: number): void {
    const before = Math.max(this.#ints.length, this.#doubles.length, this.#plain.length)
    const length = Math.max(needed, Math.min(PAGE, Math.max(DENSE_BELOW, 4 * before)))
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
  }

  #storeSparse(slot: number, value: unknown): void {
    const had = this.#sparse.get(slot)
    this.#account(had, value)
    if (value === undefined) {
      if (this.#sparse.delete(slot)) this.#meter.heap -= SPARSE_BYTES
      return
    }
    if (had === undefined) this.#meter.heap += SPARSE_BYTES
    this.#sparse.set(slot, value)
    if (slot > this.#highest) this.#highest = slot
    if (this.#count >= DENSE_BELOW && this.#count * 5 > this.#highest) this.#makeDense()
  }

  #makeDense(): void {
    const entries = this.#sparse
    const highest = this.#highest
    let kind = -1
    for (const value of entries.values()) {
      const wanted = denseKind(value)
      kind = kind === -1 || kind === wanted ? wanted : PLAIN
    }
    this.#forgetStorage()
    this.#kind = kind
    this.#lengthen(highest + 1)
    for (const [slot, value] of entries) this.#store(slot, value)
  }

  #makeSparse(): void {
    const length = Math.max(this.#ints.length, this.#doubles.length, this.#plain.length)
    const entries: Array<readonly [number, unknown]> = []
    for (let slot = 0; slot < length; slot++) {
      const value = this.get(slot)
      if (value !== undefined) entries.push([slot, value])
    }
    this.#forgetStorage()
    this.#kind = SPARSE
    for (const [slot, value] of entries) this.#storeSparse(slot, value)
  }

  #makePlain(slot: number, value: unknown): void {
    const length = Math.max(this.#ints.length, this.#doubles.length)
    const plain: Array<unknown> = []
    for (let i = 0; i < length; i++) plain.push(this.get(i))
    this.#forgetStorage()
    this.#kind = PLAIN
    this.#plain = plain
    this.#meter.heap += 8 * plain.length
    for (const kept of plain) this.#account(undefined, kept)
    this.#store(slot, value)
  }

  /** Gives its bytes back. */
  clear(): void {
    this.#forgetStorage()
  }

  #forgetStorage(): void {
    this.#meter.arrays -= this.#ints.byteLength + this.#doubles.byteLength
    this.#meter.heap -= 8 * this.#plain.length + this.#sparse.size * SPARSE_BYTES + this.#bytes
    this.#bytes = 0
    this.#highest = 0
    this.#ints = EMPTY_INTS
    this.#doubles = EMPTY_DOUBLES
    this.#plain = []
    this.#sparse = new Map()
  }
}

const SPARSE_BYTES = 48

const isDouble = (value: unknown): boolean =>
  (typeof value === "number" && !isInt(value) && !Number.isNaN(value)) || value instanceof Double

const denseKind = (value: unknown): number => {
  if (isDouble(value)) return DOUBLE
  return typeof value === "number" && isInt(value) && value !== NO_INT ? INT : PLAIN
}
