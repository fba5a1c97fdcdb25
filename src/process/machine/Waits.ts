import { Pending } from "../../scheduling/Pending.ts"
import type { ReadAhead, Reads } from "../../structure/graph/GraphReads.ts"

/** What one run waits for. An error of a wait ends the run. */
export class Waits {
  readonly #transaction: ReadAhead
  #pending: Pending | undefined
  #hasBegun = false
  /** The error of a wait. */
  failure: Error | undefined

  constructor(transaction: ReadAhead) {
    this.#transaction = transaction
  }

  /** What a run waits for before its first step, which may choose an index; undefined = nothing. */
  begin(): Pending | undefined {
    if (this.#hasBegun) return undefined
    this.#hasBegun = true
    const pending = this.#transaction.prefetch([])
    return pending === undefined ? undefined : this.noting(pending)
  }

  /** Makes a step, whose call then returns false, wait for `later`. */
  add(later: Pending): void {
    this.#pending = later
  }

  /** True when the data of the reads is fetched; else the step waits for it. */
  fetched(reads: readonly Reads[]): boolean {
    if (!this.#transaction.answersLater || reads.length === 0) return true
    this.#pending = this.#transaction.prefetch(reads)
    return this.#pending === undefined
  }

  /** Removes and returns what the last step waits for; undefined = it does not wait. */
  take(): Pending | undefined {
    const pending = this.#pending
    if (pending === undefined) return undefined
    this.#pending = undefined
    return this.noting(pending)
  }

  /** A wait whose error is recorded as {@link failure}. */
  noting(wait: Pending): Pending {
    return Pending.then(wait, nothing, (error) => {
      this.failure = error
    })
  }
}

const nothing = (): undefined => undefined
