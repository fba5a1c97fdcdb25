import { ABORT } from "lmdb"
import type { Later } from "../../structure/GraphStore.ts"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import type { Environment } from "./Environment.ts"
import { reasonOf } from "./Failures.ts"
import { LmdbBatch } from "./LmdbBatch.ts"

/** Commits that share one transaction of lmdb, at most: their work runs in one go, and others wait for the event loop. */
const MOST = 64

/** Waits until what was committed is on the disk. */
export type Flush = () => Promise<void>

interface Waiting {
  readonly work: (batch: CellBatch) => void
  error: Error | undefined
  answer: ((error: Error | undefined) => void) | undefined
  answered: boolean
}

/**
 * Commits, grouped: while one transaction of lmdb is on its way to the disk, commits gather for the next. Each is
 * answered when its group is on the disk. One whose work throws is left out of the group. When lmdb itself fails,
 * nothing of the group is written, and nothing is committed any more.
 */
export class GroupCommit {
  readonly #environment: Environment
  readonly #flush: Flush | undefined
  readonly #place: string
  #queue: Array<Waiting> = []
  #running: Promise<void> | undefined
  #failure: StorageFailure | undefined

  constructor(environment: Environment, place: string, flush: Flush | undefined) {
    this.#environment = environment
    this.#place = place
    this.#flush = flush
  }

  commit(work: (batch: CellBatch) => void): Later {
    const waiting: Waiting = { work, error: undefined, answer: undefined, answered: false }
    this.#queue.push(waiting)
    this.#start()
    return {
      onDone: (resume) => {
        if (waiting.answered) resume(waiting.error)
        else waiting.answer = resume
      }
    }
  }

  #start(): void {
    if (this.#running !== undefined || this.#queue.length === 0) return
    const group = this.#queue.slice(0, MOST)
    this.#queue = this.#queue.slice(MOST)
    this.#running = this.#run(group).finally(() => {
      this.#running = undefined
      this.#start()
    })
  }

  async #run(group: ReadonlyArray<Waiting>): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      await this.#environment.root.childTransaction(() => this.#apply(group))
    } catch (error) {
      const failure = this.#failed(error)
      for (const waiting of group) {
        waiting.error ??= failure
        settle(waiting)
      }
      return
    }
    if (this.#flush === undefined) for (const waiting of group) settle(waiting)
    else this.#answerAfterFlush(group, this.#flush)
  }

  /** The next group does not wait for this one's flush, only its answers do. */
  #answerAfterFlush(group: ReadonlyArray<Waiting>, flush: Flush): void {
    flush().then(
      () => {
        for (const waiting of group) settle(waiting)
      },
      (error) => {
        const failure = this.#failed(error)
        for (const waiting of group) {
          waiting.error ??= failure
          settle(waiting)
        }
      }
    )
  }

  /** Inside the transaction. */
  #apply(group: ReadonlyArray<Waiting>): unknown {
    let state = this.#environment.state()
    const before = state
    let wrote = false
    for (const waiting of group) {
      const batch = new LmdbBatch(this.#environment, before.version + 1, state.schemaVersion)
      try {
        waiting.work(batch)
      } catch (error) {
        waiting.error = error as Error
        continue
      }
      batch.apply()
      wrote = true
      state = {
        version: batch.changesRows ? before.version + 1 : state.version,
        schemaVersion: state.schemaVersion + (batch.advancesSchema ? 1 : 0)
      }
    }
    if (!wrote) return ABORT
    if (state !== before) this.#environment.setState(state)
    return undefined
  }

  /** At once: on the disk when it returns. */
  commitNow(work: (batch: CellBatch) => void): void {
    if (this.#failure !== undefined) throw this.#failure
    let thrown: unknown
    try {
      this.#environment.root.transactionSync(() => {
        const waiting: Waiting = { work, error: undefined, answer: undefined, answered: false }
        const result = this.#apply([waiting])
        thrown = waiting.error
        return result
      })
    } catch (error) {
      throw this.#failed(error)
    }
    if (thrown !== undefined) throw thrown
  }

  /** lmdb could not write: from now on nothing is committed, because nobody knows what is on the disk. */
  #failed(cause: unknown): StorageFailure {
    if (cause instanceof StorageFailure) {
      this.#failure ??= cause
      return cause
    }
    const failure = new StorageFailure(
      `Nothing could be written to ${this.#place} (${reasonOf(cause)}). Look for a full or failing disk, or a folder that may not be written.`,
      { cause }
    )
    this.#failure ??= failure
    return failure
  }

  /** Waits for what was handed over. */
  async end(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }
}

const settle = (waiting: Waiting): void => {
  waiting.answered = true
  waiting.answer?.(waiting.error)
}
