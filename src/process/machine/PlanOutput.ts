import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { ChildMode, ChildResult } from "../plan/Activation.ts"
import type { Batch } from "../plan/Batch.ts"

const NO_ORIGINS = new Uint8Array(0)

/** What one activation keeps of the results of its plan, and who receives them. */
export class PlanOutput {
  /** Rows of the parent's batch. */
  readonly origins: number
  readonly #mode: ChildMode
  readonly #found: Uint8Array | null
  readonly #values: Array<unknown>
  readonly #onBatch: ((batch: Batch) => void) | null
  readonly #onDone: ((result: ChildResult) => void) | null
  #answered = 0
  /** Rows that were handed to `onBatch`. */
  given = 0

  /**
   * @param onBatch receives the results in mode "all".
   * @param onDone is called when the activation ends.
   */
  constructor(
    origins: number,
    mode: ChildMode,
    onBatch: ((batch: Batch) => void) | null,
    onDone: ((result: ChildResult) => void) | null
  ) {
    this.origins = origins
    this.#mode = mode
    this.#found = mode === "all" ? null : new Uint8Array(origins)
    this.#values = mode === "first" ? new Array(origins) : []
    this.#onBatch = onBatch
    this.#onDone = onDone
  }

  /** Takes results of the plan. */
  add(batch: Batch, transaction: GraphTransaction): void {
    if (this.#mode === "all") {
      this.given += batch.length
      this.#onBatch!(batch)
      return
    }
    const found = this.#found!
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      if (found[origin] === 1) continue
      found[origin] = 1
      this.#answered++
      if (this.#mode === "first") this.#values[origin] = batch.value(i, transaction)
    }
  }

  /** 1 for each origin that has its answer; null when none has, or when all results are wanted. */
  get answered(): Uint8Array | null {
    return this.#answered === 0 ? null : this.#found
  }

  /** Whether every origin has its answer. */
  get isComplete(): boolean {
    return this.#found !== null && this.#answered === this.origins
  }

  /** Passes the answers on: the activation has ended. */
  finish(): void {
    this.#onDone?.({ found: this.#found ?? NO_ORIGINS, values: this.#values })
  }
}
