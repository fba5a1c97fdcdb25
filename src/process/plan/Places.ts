import { BigMap } from "../../structure/containers/BigMap.ts"
import type { RefColumn } from "../../structure/graph/GraphReads.ts"

/** Number of entries above which an array indexed by ref is cheaper than a Map. */
const MIN_MARKED_ENTRIES = 1024

/** Maps keys to places in a table. Keys are refs, refs combined with an origin, or keys of values. */
export class Places {
  readonly #places = new BigMap<unknown, number>()
  /** By ref: place + 1, or 0 without a place. */
  #marks: Int32Array<ArrayBuffer> | null = null
  readonly #marksRefs: boolean
  /** @param marksRefs Nearly all keys are refs that are small integers. */
  constructor(marksRefs: boolean) {
    this.#marksRefs = marksRefs
  }

  /** The place of a key, or -1 for a new key, which gets the place `next`. */
  place(key: unknown, next: number): number {
    const marks = this.#marks
    if (marks !== null && (key as number) >= 0) {
      if ((key as number) >= marks.length) {
        this.#marks = grown(marks, key as number)
        this.#marks[key as number] = next + 1
        return -1
      }
      const place = marks[key as number]! - 1
      if (place < 0) marks[key as number] = next + 1
      return place
    }
    const place = this.#places.get(key)
    if (place !== undefined) return place
    this.#places.set(key, next)
    if (next === MIN_MARKED_ENTRIES && this.#marksRefs) this.#mark()
    return -1
  }

  /** The place of a ref, as {@link place} gives that of a key. Only for tables with `marksRefs`. */
  placeOfRef(ref: number, next: number): number {
    const marks = this.#marks
    if (marks === null || ref < 0 || ref >= marks.length) return this.place(ref, next)
    const place = marks[ref]!
    if (place === 0) marks[ref] = next + 1
    return place - 1
  }

  #mark(): void {
    let marks = new Int32Array(2 * MIN_MARKED_ENTRIES)
    for (const [ref, place] of this.#places as BigMap<number, number>) {
      if (ref < 0) continue
      if (ref >= marks.length) marks = grown(marks, ref)
      marks[ref] = place + 1
    }
    this.#marks = marks
  }
}

const grown = (marks: Int32Array<ArrayBuffer>, ref: number): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(2 ** Math.ceil(Math.log2(ref + 2)))
  out.set(marks)
  return out
}

/** An empty slot of {@link RefSet}: no ref is a fraction. */
const EMPTY = 0.5
/** Slots of a new set of refs, and its most slots. At most three quarters of them have refs. */
const FIRST_SLOTS = 32
const MAX_SLOTS = 2048

/**
 * A set of refs, for dedup(). The first 1,536 are in a hash table with linear probing: in a request, most sets have few refs, and
 * adding each of them to a Map takes several times as long.
 */
export class RefSet {
  readonly #areSmall: boolean
  #slots: Array<number> = emptySlots(FIRST_SLOTS)
  /** Has all refs once there are too many for the slots. */
  #places: Places | null = null
  #size = 0

  /** `refs`: a column with refs of the kind that the set has. */
  constructor(refs: RefColumn) {
    this.#areSmall = refs instanceof Int32Array
  }

  /** Adds a ref. True if it is new. */
  add(ref: number): boolean {
    if (this.#places !== null) {
      if (this.#places.placeOfRef(ref, this.#size) >= 0) return false
      this.#size++
      return true
    }
    const slots = this.#slots
    if (!put(slots, ref)) return false
    if (++this.#size * 4 > slots.length * 3) this.#grow(slots)
    return true
  }

  #grow(slots: ReadonlyArray<number>): void {
    if (slots.length < MAX_SLOTS) {
      const more = emptySlots(slots.length * 4)
      for (const ref of slots) if (ref !== EMPTY) put(more, ref)
      this.#slots = more
      return
    }
    const places = new Places(this.#areSmall)
    let place = 0
    for (const ref of slots) if (ref !== EMPTY) places.placeOfRef(ref, place++)
    this.#places = places
    this.#slots = []
  }
}

const emptySlots = (count: number): Array<number> => new Array<number>(count).fill(EMPTY)

/** Puts a ref into a slot. False if it has one. */
const put = (slots: Array<number>, ref: number): boolean => {
  const mask = slots.length - 1
  for (let slot = Math.imul(ref | 0, 0x9e3779b1) >>> 16; ; slot++) {
    const other = slots[slot & mask]!
    if (other === ref) return false
    if (other !== EMPTY) continue
    slots[slot & mask] = ref
    return true
  }
}
