import { LimitExceeded } from "../language/Errors.ts"
import type { RunningActivation } from "./RunningActivation.ts"

/** Approximate size of a waiting row. */
const ROW_BYTES = 24
/** Approximate size of a path node. */
const PATH_NODE_BYTES = 56
/** Approximate size of a batch without its rows. */
const BATCH_BYTES = 96
/** Batches whose rows are counted in a small part of a slice. */
const BATCHES_PER_WEIGHING = 1024

/** The approximate memory that one run holds. */
export class RunMemory {
  readonly #maxBytes: number
  /** Bytes that steps and side effects hold. */
  #bytes = 0
  #waitingBytes = 0
  /** Calls until the waiting rows are counted again. With more batches they are counted less often. */
  #unweighed = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds to the held bytes; negative to release. Throws LimitExceeded. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes) {
      throw new LimitExceeded(
        `The traversal holds more than ${this.#maxBytes} bytes in its barriers and side effects; ` +
          "narrow it with has() or limit(), or raise the server's limit for one request."
      )
    }
  }

  /** Releases what steps and side effects hold. */
  clear(): void {
    this.#bytes = 0
  }

  /**
   * Bytes that steps hold, plus those of the rows that wait in `current` and its ancestors, plus those of their paths.
   * `pathNodes` is the number of nodes that were made so far.
   */
  total(current: RunningActivation | null, pathNodes: number): number {
    if (--this.#unweighed <= 0) this.#weighWaiting(current, pathNodes)
    return this.#bytes + this.#waitingBytes
  }

  #weighWaiting(current: RunningActivation | null, made: number): void {
    const waiting = { batches: 0, rows: 0, pathNodes: 0, valueBytes: 0 }
    let counted: RunningActivation | null = null
    for (let activation = current; activation !== null; activation = activation.parent) {
      activation.addWaiting(waiting, counted)
      counted = activation
    }
    // Rows share nodes, so that the sum over rows may exceed the number of nodes.
    const pathNodes = Math.min(waiting.pathNodes, made)
    this.#waitingBytes =
      waiting.rows * ROW_BYTES + waiting.batches * BATCH_BYTES + pathNodes * PATH_NODE_BYTES + waiting.valueBytes
    this.#unweighed = waiting.batches / BATCHES_PER_WEIGHING
  }
}
