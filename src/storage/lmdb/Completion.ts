import { reasonOf } from "../../structure/errors/Reason.ts"
import { CommitOutcomeUnknown } from "../../structure/errors/StoreErrors.ts"
import { settle, type Waiting } from "./WaitingCommits.ts"

/** Completes when all earlier commits are on the disk. */
export type Flush = () => Promise<void>

/** Completes commits whose transaction of lmdb has ended, after a flush if there is one. */
export class Completion {
  readonly #flush: Flush | undefined
  readonly #onFailure: (cause: unknown) => void
  readonly #flushing = new Set<Promise<void>>()

  /** `onFailure` is called when a flush fails. */
  constructor(flush: Flush | undefined, onFailure: (cause: unknown) => void) {
    this.#flush = flush
    this.#onFailure = onFailure
  }

  /** Completes commits. The next transaction does not wait for their flush. */
  complete(group: ReadonlyArray<Waiting>): void {
    if (this.#flush === undefined) settle(group, undefined)
    else this.#settleAfter(this.#flush(), group)
  }

  #settleAfter(flush: Promise<void>, group: ReadonlyArray<Waiting>): void {
    const flushing = flush.then(
      () => settle(group, undefined),
      (error) => {
        this.#onFailure(error)
        // The commit is visible already, and it is unknown whether it is on the disk.
        const words = `its flush to the disk failed (${reasonOf(error)}).`
        settle(group, new CommitOutcomeUnknown(words, { cause: error }))
      }
    )
    this.#flushing.add(flushing)
    void flushing.finally(() => this.#flushing.delete(flushing))
  }

  /** Waits for all flushes. */
  async end(): Promise<void> {
    await Promise.all(this.#flushing)
  }
}
