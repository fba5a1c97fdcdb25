import type { RefColumn } from "../../structure/graph/GraphReads.ts"
import { KeySlots } from "./KeySlots.ts"

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
  #keySlots: KeySlots | null = null
  #size = 0

  /** `refs`: a column with refs of the kind that the set has. */
  constructor(refs: RefColumn) {
    this.#areSmall = refs instanceof Int32Array
  }

  /** Adds a ref. True if it is new. */
  add(ref: number): boolean {
    if (this.#keySlots !== null) {
      if (this.#keySlots.slotOfRef(ref, this.#size) >= 0) return false
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
    const keySlots = new KeySlots(this.#areSmall)
    let slot = 0
    for (const ref of slots) if (ref !== EMPTY) keySlots.slotOfRef(ref, slot++)
    this.#keySlots = keySlots
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
