import type { Expansion, GraphTransaction } from "../../structure/GraphStore.ts"

/** Initial size of a buffer in rows. Most requests have few rows. */
const FIRST_ROWS = 64

/**
 * Buffers that the steps of one run share. A step uses a buffer only within one call, calls no other step while it does, and
 * passes on copies.
 */
export class Scratch {
  readonly #transaction: GraphTransaction
  #rows: Int32Array | undefined
  #expansion: Expansion | undefined

  constructor(transaction: GraphTransaction) {
    this.#transaction = transaction
  }

  /** A buffer for at least `length` row numbers, valid until the next call. */
  rows(length: number): Int32Array {
    if (this.#rows === undefined || this.#rows.length < length) {
      this.#rows = new Int32Array(Math.max(length, FIRST_ROWS, (this.#rows?.length ?? 0) * 2))
    }
    return this.#rows
  }

  /** An empty expansion for an adjacency read of the store, valid until the next call. */
  expansion(): Expansion {
    this.#expansion ??= {
      rows: new Int32Array(FIRST_ROWS),
      refs: this.#transaction.newRefs(FIRST_ROWS),
      length: 0
    }
    this.#expansion.length = 0
    return this.#expansion
  }
}
