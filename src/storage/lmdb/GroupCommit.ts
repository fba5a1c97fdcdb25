import { ABORT } from "lmdb"
import type { Later } from "../../structure/GraphStore.ts"
import { type StorageFailure, StorageFull } from "../../structure/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import type { Environment } from "./Environment.ts"
import { causeOf, writeFailure } from "./Failures.ts"
import { LmdbBatch } from "./LmdbBatch.ts"

/** Commits that share one transaction of lmdb, at most. */
const MOST = 512
/** Milliseconds after which no further commit is put into a transaction: the event loop has others to serve. */
const LONGEST = 8

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
 * answered when its group is on the disk. One whose work throws is left out of the group. When lmdb itself fails, nothing
 * of the group is written; unless only the disk is full, nothing is committed any more, since nobody knows what the disk
 * will keep.
 */
export class GroupCommit {
  readonly #environment: Environment
  readonly #directory: string
  readonly #flush: Flush | undefined
  readonly #onFailure: (failure: StorageFailure) => void
  #queue: Array<Waiting> = []
  #running: Promise<void> | undefined
  readonly #flushing = new Set<Promise<void>>()
  #failure: StorageFailure | undefined

  /** `flush` is waited for before each answer; `onFailure` is told once why nothing is committed any more. */
  constructor(
    environment: Environment,
    directory: string,
    flush: Flush | undefined,
    onFailure: (failure: StorageFailure) => void
  ) {
    this.#environment = environment
    this.#directory = directory
    this.#flush = flush
    this.#onFailure = onFailure
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
    this.#running = this.#run(this.#queue.splice(0, MOST)).finally(() => {
      this.#running = undefined
      this.#start()
    })
  }

  async #run(group: ReadonlyArray<Waiting>): Promise<void> {
    let applied = group
    try {
      if (this.#failure !== undefined) throw this.#failure
      await this.#environment.root.childTransaction(() => {
        const done = this.#apply(group, true)
        applied = group.slice(0, done.count)
        return done.wrote ? undefined : ABORT
      })
    } catch (error) {
      settle(group, this.#failed(await causeOf(error)))
      return
    }
    this.#queue.unshift(...group.slice(applied.length))
    if (this.#flush === undefined) settle(applied, undefined)
    else this.#settleAfter(this.#flush(), applied)
  }

  /** The next group does not wait for this one's flush, only its answers do. */
  #settleAfter(flush: Promise<void>, group: ReadonlyArray<Waiting>): void {
    const flushing = flush.then(
      () => settle(group, undefined),
      (error) => settle(group, this.#failed(error))
    )
    this.#flushing.add(flushing)
    void flushing.finally(() => this.#flushing.delete(flushing))
  }

  /**
   * Inside the transaction: how many commits it has, and whether any of them wrote. A new version is made for commits of
   * the graph whatever they wrote, because caches were told of it; not for ids (`counted` is false), which no cache keeps.
   */
  #apply(group: ReadonlyArray<Waiting>, counted: boolean): { readonly count: number; readonly wrote: boolean } {
    const limit = performance.now() + LONGEST
    const before = this.#environment.state()
    let { schemaVersion } = before
    let changesRows = false
    let wrote = false
    let count = 0
    for (const waiting of group) {
      count++
      const batch = new LmdbBatch(this.#environment, before.version + 1, schemaVersion)
      try {
        waiting.work(batch)
      } catch (error) {
        waiting.error = error as Error
        continue
      }
      batch.apply()
      wrote = true
      changesRows ||= counted || batch.changesRows
      if (batch.advancesSchema) schemaVersion++
      if (performance.now() > limit) break
    }
    if (changesRows || schemaVersion !== before.schemaVersion) {
      this.#environment.setState({ version: before.version + (changesRows ? 1 : 0), schemaVersion })
    }
    return { count, wrote }
  }

  /** At once: on the disk when it returns. */
  commitNow(work: (batch: CellBatch) => void): void {
    if (this.#failure !== undefined) throw this.#failure
    const waiting: Waiting = { work, error: undefined, answer: undefined, answered: false }
    try {
      this.#environment.root.transactionSync(() => (this.#apply([waiting], false).wrote ? undefined : ABORT))
    } catch (error) {
      throw this.#failed(error)
    }
    if (waiting.error !== undefined) throw waiting.error
  }

  /** Nothing is committed from now on, unless the disk was only full. */
  #failed(cause: unknown): StorageFailure {
    const failure = writeFailure(this.#directory, cause)
    if (!(failure instanceof StorageFull)) this.stop(failure)
    return failure
  }

  /** From now on every commit fails with this. */
  stop(failure: StorageFailure): void {
    if (this.#failure !== undefined) return
    this.#failure = failure
    this.#onFailure(failure)
  }

  /** Waits until everything that was handed over is answered. */
  async end(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    await Promise.all(this.#flushing)
  }
}

/** Answers commits: with their own error, or with that of all. */
const settle = (group: ReadonlyArray<Waiting>, error: Error | undefined): void => {
  for (const waiting of group) {
    waiting.error ??= error
    waiting.answered = true
    waiting.answer?.(waiting.error)
  }
}
