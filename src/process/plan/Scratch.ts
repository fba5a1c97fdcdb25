import type { Expansion, GraphTransaction } from "../../structure/GraphStore.ts"

/** Rows that fit into a fresh buffer: most requests have few. */
const FIRST_ROWS = 64

/**
 * Buffers that the steps of one run share. A step fills and reads a buffer within one call and calls no other step meanwhile;
 * what it passes on is a copy.
 */
export class Scratch {
  readonly #transaction: GraphTransaction
  #rows: Int32Array | undefined
  #expansion: Expansion | undefined

  constructor(transaction: GraphTransaction) {
    this.#transaction = transaction
  }

  /** A buffer for `length` row numbers, valid until the next call. */
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
