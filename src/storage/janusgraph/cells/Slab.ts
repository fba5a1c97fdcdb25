import { Cells, noCells } from "./Cells.ts"

/** Size of a buffer that is shared by small copies: the header of a separate array is larger than most rows. */
const SLAB_BYTES = 32 * 1024
/** Copies larger than this have their own array. */
const MAX_SHARED_BYTES = 8 * 1024
/** Full buffers that one slab keeps to give back to the pool. */
const MAX_FULL_BUFFERS = 4
/** Buffers in the pool. */
const MAX_POOL_BUFFERS = 64

const pool: Array<Buffer> = []

/**
 * An allocator of copies of cells, for cells in a buffer that is reused or is much larger than they are. A buffer is
 * freed when none of its copies is referenced, so the copies of one slab should have similar lifetimes.
 */
export class Slab {
  #bytes: Buffer | undefined
  #used = 0
  /** The first full buffers. */
  #full: Array<Buffer> | undefined

  /** Copies packed cells. */
  copy(bytes: Uint8Array, start: number, end: number): Cells {
    const length = end - start
    if (length === 0) return noCells
    if (length > MAX_SHARED_BYTES) return new Cells(Uint8Array.prototype.slice.call(bytes, start, end), 0, length)
    let slab = this.#bytes
    if (slab === undefined || this.#used + length > SLAB_BYTES) slab = this.#next()
    const at = this.#used
    for (let i = 0; i < length; i++) slab[at + i] = bytes[start + i]!
    this.#used += length
    return new Cells(slab, at, at + length)
  }

  #next(): Buffer {
    if (this.#bytes !== undefined) {
      this.#full ??= []
      if (this.#full.length < MAX_FULL_BUFFERS) this.#full.push(this.#bytes)
    }
    this.#used = 0
    this.#bytes = pool.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES)
    return this.#bytes
  }

  /**
   * Returns the buffers to the pool. The copies must not be read any more. Without the pool a read of ten rows would
   * allocate 4 kB outside the heap, which triggers garbage collections as heap memory does.
   */
  release(): void {
    if (this.#bytes === undefined) return
    for (const bytes of this.#full ?? []) if (pool.length < MAX_POOL_BUFFERS) pool.push(bytes)
    if (pool.length < MAX_POOL_BUFFERS) pool.push(this.#bytes)
    this.#bytes = undefined
    this.#full = undefined
  }
}
