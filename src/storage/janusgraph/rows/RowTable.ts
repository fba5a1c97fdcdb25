import type { VertexId } from "../format/Ids.ts"
import type { VertexRow } from "./Row.ts"

/** Slots of a new table. */
const INITIAL_SLOTS = 32

/**
 * A hash table of rows by vertex id, with linear probing. It replaces a Map because a growing Map links its old tables
 * to the new ones: once an old table is promoted by the garbage collector, it keeps the later ones alive. With a Map in
 * every transaction, half of the garbage of short reads was promoted.
 */
export class RowTable {
  #slots: Array<VertexRow | undefined>
  size = 0

  /** `slots` before the table grows: a power of two. Half of them can have rows. At most some thousand rows: the hash has 16 bits. */
  constructor(slots = INITIAL_SLOTS) {
    this.#slots = new Array(slots).fill(undefined)
  }

  get(id: VertexId): VertexRow | undefined {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot]
      if (row === undefined || row.id === id) return row
    }
  }

  set(row: VertexRow): void {
    if (this.size * 2 >= this.#slots.length) this.#grow()
    if (put(this.#slots, row)) this.size++
  }

  #grow(): void {
    const slots = new Array<VertexRow | undefined>(this.#slots.length * 4).fill(undefined)
    for (const row of this.#slots) if (row !== undefined) put(slots, row)
    this.#slots = slots
  }
}

/** Returns false when the row replaces another one with its id. */
const put = (slots: Array<VertexRow | undefined>, row: VertexRow): boolean => {
  const mask = slots.length - 1
  for (let slot = hashOf(row.id) & mask; ; slot = (slot + 1) & mask) {
    const other = slots[slot]
    if (other !== undefined && other.id !== row.id) continue
    slots[slot] = row
    return other === undefined
  }
}

/** A hash of 16 bits. */
export const hashOf = (id: VertexId): number =>
  Math.imul(typeof id === "number" ? id | 0 : numberOf(String(id)), 0x9e3779b1) >>> 16

/** A hash of 32 bits, signed. */
export const numberOf = (text: string): number => {
  let number = 1
  for (let i = 0; i < text.length; i++) number = (Math.imul(number, 31) + text.charCodeAt(i)) | 0
  return number
}
