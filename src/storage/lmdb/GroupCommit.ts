import { ABORT } from "lmdb"
import type { Pending } from "../../scheduling/Pending.ts"
import { runInSlices, runWhole } from "../../scheduling/Task.ts"
import {
  CommitOutcomeUnknown,
  type StorageFailure,
  StorageFull,
  StorageUnavailable
} from "../../structure/StoreErrors.ts"
import type { CellBatch } from "../janusgraph/cells/CellStore.ts"
import { Answer } from "../shared/Answer.ts"
import type { Environment } from "./Environment.ts"
import { causeOf, reasonOf, writeFailure } from "./Failures.ts"
import { LmdbBatch } from "./LmdbBatch.ts"
import { OwedCommits } from "./OwedCommits.ts"
import { RecordedBatch } from "./RecordedBatch.ts"

/** Commits that share one transaction of lmdb, at most. */
const MOST = 512
/** Milliseconds after which no further commit is put into a transaction: the event loop has others to serve. */
const LONGEST = 8

/** Waits until what was committed is on the disk. */
export type Flush = () => Promise<void>

interface Waiting {
  readonly work: (batch: CellBatch) => void
  /** In place of the work, where it is done in pieces. */
  readonly pieces: ((batch: CellBatch) => Iterator<unknown>) | undefined
  error: Error | undefined
  readonly answer: Answer
}

/**
 * Commits, grouped: while one transaction of lmdb is on its way to the disk, commits gather for the next. Each is
 * answered when its group is on the disk. One whose work throws is left out of the group. When lmdb itself fails,
 * nothing of the group is written; unless only the disk is full, nothing is committed any more, since nobody knows what
 * the disk will keep. A commit in pieces has a transaction of its own, which stays open over many turns of the event
 * loop.
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
  /** Where a commit in pieces writes, while its transaction is open. */
  #long: Environment | undefined
  readonly #owed: OwedCommits

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
    this.#owed = new OwedCommits(directory)
  }

  commit(work: (batch: CellBatch) => void): Pending {
    return this.#add({ work, pieces: undefined, error: undefined, answer: new Answer() })
  }

  /** A commit whose work yields where others may have their turn; they read what was there before it. */
  commitInPieces(pieces: (batch: CellBatch) => Iterator<unknown>): Pending {
    return this.#add({ work: () => undefined, pieces, error: undefined, answer: new Answer() })
  }

  #add(waiting: Waiting): Pending {
    this.#queue.push(waiting)
    this.#start()
    return waiting.answer
  }

  #start(): void {
    const [first] = this.#queue
    if (this.#running !== undefined || first === undefined) return
    const long = this.#queue.slice(0, MOST).findIndex(({ pieces }) => pieces !== undefined)
    const run =
      long === 0 ? this.#runLong(this.#queue.shift()!) : this.#run(this.#queue.splice(0, long === -1 ? MOST : long))
    this.#running = run.finally(() => {
      this.#running = undefined
      this.#start()
    })
  }

  /** A commit in pieces. Nothing is written before all of its work is done: it is whole, or not there at all. */
  async #runLong(waiting: Waiting): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      const environment = this.#environment.second()
      // Before the transaction has its first turn: its thread may have lmdb's lock already, and wait for that turn. Who
      // committed at once through the other handle would wait for the lock, and never give it one.
      this.#long = environment
      await environment.root.childTransaction(
        () =>
          new Promise<void>((resolve, reject) => {
            runInSlices(
              () => this.#applyInPieces(environment, waiting),
              (error) => (error === undefined ? resolve() : reject(error))
            )
          })
      )
      this.#environment.root.resetReadTxn()
    } catch (error) {
      this.#long = undefined
      this.#owed.failed()
      settle([waiting], this.#failed(await causeOf(error)))
      return
    }
    this.#long = undefined
    this.#owed.written()
    if (this.#flush === undefined) settle([waiting], undefined)
    else this.#settleAfter(this.#flush(), [waiting])
  }

  *#applyInPieces(environment: Environment, waiting: Waiting): Generator<unknown, void> {
    this.#owed.write(environment)
    const before = environment.state()
    const batch = new LmdbBatch(environment, before.version + 1, before.schemaVersion)
    try {
      yield* { [Symbol.iterator]: () => waiting.pieces!(batch) }
    } catch (error) {
      waiting.error = error as Error
      return
    }
    yield* batch.apply()
    // Ids may have been claimed meanwhile, within this transaction.
    const { schemaVersion } = environment.state()
    environment.setState({ version: batch.version, schemaVersion: schemaVersion + (batch.advancesSchema ? 1 : 0) })
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
    this.#owed.written()
    this.#queue.unshift(...group.slice(applied.length))
    if (this.#flush === undefined) settle(applied, undefined)
    else this.#settleAfter(this.#flush(), applied)
  }

  /** The next group does not wait for this one's flush, only its answers do. */
  #settleAfter(flush: Promise<void>, group: ReadonlyArray<Waiting>): void {
    const flushing = flush.then(
      () => settle(group, undefined),
      (error) => {
        this.#failed(error)
        // Others read it already, and nobody knows whether the disk has it.
        const words = `its flush to the disk failed (${reasonOf(error)}).`
        settle(group, new CommitOutcomeUnknown(words, { cause: error }))
      }
    )
    this.#flushing.add(flushing)
    void flushing.finally(() => this.#flushing.delete(flushing))
  }

  /**
   * Inside the transaction: how many commits it has, and whether any of them wrote. A new version is made for commits
   * of the graph whatever they wrote, because caches were told of it; not for ids (`counted` is false), which no cache
   * keeps.
   */
  #apply(
    group: ReadonlyArray<Waiting>,
    counted: boolean,
    environment = this.#environment
  ): { readonly count: number; readonly wrote: boolean } {
    const limit = performance.now() + LONGEST
    let wrote = this.#owed.write(environment)
    const before = environment.state()
    let { schemaVersion } = before
    let changesRows = false
    let count = 0
    for (const waiting of group) {
      count++
      const batch = new LmdbBatch(environment, before.version + 1, schemaVersion)
      try {
        waiting.work(batch)
      } catch (error) {
        waiting.error = error as Error
        continue
      }
      runWhole(batch.apply())
      wrote = true
      changesRows ||= counted || batch.changesRows
      if (batch.advancesSchema) schemaVersion++
      if (performance.now() > limit) break
    }
    if (changesRows || schemaVersion !== before.schemaVersion) {
      environment.setState({ version: before.version + (changesRows ? 1 : 0), schemaVersion })
    }
    return { count, wrote }
  }

  /** At once: on the disk when it returns. */
  commitNow(work: (batch: CellBatch) => void): void {
    if (this.#failure !== undefined) throw this.#failure
    let recorded: RecordedBatch | undefined
    const recording = (batch: CellBatch): void => {
      recorded = new RecordedBatch(batch)
      work(recorded)
    }
    // The files have one transaction that writes at a time: where it is open, this becomes a part of it.
    const long = this.#long
    const environment = long ?? this.#environment
    const answer = new Answer()
    const waiting: Waiting = {
      work: long === undefined ? work : recording,
      pieces: undefined,
      error: undefined,
      answer
    }
    try {
      environment.root.transactionSync(() => (this.#apply([waiting], false, environment).wrote ? undefined : ABORT))
    } catch (error) {
      throw this.#failed(error)
    }
    if (waiting.error !== undefined) throw waiting.error
    if (long === undefined) this.#owed.written()
    else if (recorded !== undefined) this.#owed.add(recorded)
  }

  /** Nothing is committed from now on, unless the disk was only full, or the next commit may be tried. */
  #failed(cause: unknown): StorageFailure {
    const failure = writeFailure(this.#directory, cause)
    if (!(failure instanceof StorageFull || failure instanceof StorageUnavailable)) this.stop(failure)
    return failure
  }

  /** A transaction of lmdb is under way, or about to begin. */
  get isBusy(): boolean {
    return this.#running !== undefined
  }

  /** Why nothing is committed any more; undefined while commits are made. */
  get failure(): StorageFailure | undefined {
    return this.#failure
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
    waiting.answer.give(waiting.error ?? error)
  }
}
