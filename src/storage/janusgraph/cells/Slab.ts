import { Cells, noCells } from "./Cells.ts"

/** Bytes that small pieces are copied into together: an array of its own costs more than what is in it. */
const SLAB = 32 * 1024
/** Larger pieces have an array of their own. */
const OWN = 8 * 1024
/** Slabs that one owner gives back for others at most, and that wait to be used again. */
const GIVEN_BACK = 4
const WAITING = 64

const waiting: Array<Buffer> = []

/**
 * Copies cells out of bytes that are used again, or that would be kept for these few. Pieces of one slab should live
 * about as long as each other: each keeps the whole of it.
 */
export class Slab {
  #bytes: Buffer | undefined
  #used = 0
  /** Those that are full, the first few. */
  #full: Array<Buffer> | undefined

  copy(bytes: Uint8Array, start: number, end: number): Cells {
    const length = end - start
    if (length === 0) return noCells
    if (length > OWN) return new Cells(Uint8Array.prototype.slice.call(bytes, start, end), 0, length)
    let slab = this.#bytes
    if (slab === undefined || this.#used + length > SLAB) slab = this.#next()
    const at = this.#used
    for (let i = 0; i < length; i++) slab[at + i] = bytes[start + i]!
    this.#used += length
    return new Cells(slab, at, at + length)
  }

  #next(): Buffer {
    if (this.#bytes !== undefined) {
      this.#full ??= []
      if (this.#full.length < GIVEN_BACK) this.#full.push(this.#bytes)
    }
    this.#used = 0
    this.#bytes = waiting.pop() ?? Buffer.allocUnsafeSlow(SLAB)
    return this.#bytes
  }

  /**
   * Nobody looks any more at what was copied: its bytes are used again. Memory outside of the heap makes the garbage
   * collector run as often as if it were inside, and a read of ten rows would take 4 kB of it.
   */
  giveBack(): void {
    if (this.#bytes === undefined) return
    for (const bytes of this.#full ?? []) if (waiting.length < WAITING) waiting.push(bytes)
    if (waiting.length < WAITING) waiting.push(this.#bytes)
    this.#bytes = undefined
    this.#full = undefined
  }
}
