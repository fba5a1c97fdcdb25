import { LimitExceeded } from "../language/Errors.ts"
import type { RunningActivation } from "./RunningActivation.ts"

/** What a waiting row, a batch and a node of a path take, bytes, about. */
const ROW_BYTES = 24
const PATH_NODE_BYTES = 56
const BATCH_BYTES = 96
/** Batches that are counted in a small part of a slice. */
const BATCHES_PER_WEIGHING = 1024

/** The memory that one run holds, about. */
export class HeldMemory {
  readonly #maxBytes: number
  /** What steps and side effects collected. */
  #bytes = 0
  #waitingBytes = 0
  /** Times that the waiting rows are taken to be what they were: the more batches there are, the seldomer they are counted. */
  #unweighed = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Counts bytes that are held; negative when released. Throws LimitExceeded. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes) {
      throw new LimitExceeded(
        `The traversal holds more than ${this.#maxBytes} bytes in its barriers and side effects; ` +
          "narrow it with has() or limit(), or raise the server's limit for one request."
      )
    }
  }

  /** Nothing is collected any more. */
  clear(): void {
    this.#bytes = 0
  }

  /**
   * Bytes: what steps collected, rows that wait for their step in `current` and the activations around it, and the paths
   * behind them. `pathNodes`: nodes of paths that were made so far.
   */
  total(current: RunningActivation | null, pathNodes: number): number {
    if (--this.#unweighed <= 0) this.#weighWaiting(current, pathNodes)
    return this.#bytes + this.#waitingBytes
  }

  #weighWaiting(current: RunningActivation | null, made: number): void {
    const waiting = { batches: 0, rows: 0, pathNodes: 0, valueBytes: 0 }
    for (let activation = current; activation !== null; activation = activation.parent) activation.addWaiting(waiting)
    // Rows share the beginnings of their paths: there are no more nodes than were ever made.
    const pathNodes = Math.min(waiting.pathNodes, made)
    this.#waitingBytes =
      waiting.rows * ROW_BYTES + waiting.batches * BATCH_BYTES + pathNodes * PATH_NODE_BYTES + waiting.valueBytes
    this.#unweighed = waiting.batches / BATCHES_PER_WEIGHING
  }
}
