import { ABORT } from "lmdb"
import type { Pending } from "../../scheduling/Pending.ts"
import { runInSlices } from "../../scheduling/Task.ts"
import {
  CommitOutcomeUnknown,
  type StorageFailure,
  StorageFull,
  StorageUnavailable
} from "../../structure/StoreErrors.ts"
import type { CellBatch } from "../janusgraph/cells/CellStore.ts"
import { Answer } from "../shared/Answer.ts"
import { CommitApplication } from "./CommitApplication.ts"
import type { Environment } from "./Environment.ts"
import { causeOf, reasonOf, writeFailure } from "./Failures.ts"
import type { LockWait } from "./LockWait.ts"
import { awaitOpeningNow, isBeingOpened, openingEnded } from "./Opening.ts"
import { OwedCommits } from "./OwedCommits.ts"
import { RecordedBatch } from "./RecordedBatch.ts"
import { settle, type Waiting } from "./WaitingCommits.ts"

/** The maximum number of commits in one transaction of lmdb. */
const MAX_GROUP_COMMITS = 512

/** Completes when all earlier commits are on the disk. */
export type Flush = () => Promise<void>

/** The parameters of {@link GroupCommit}. */
interface GroupCommitOptions {
  readonly directory: string
  /** Awaited before commits complete. */
  readonly flush: Flush | undefined
  /** True when other processes write the same files. */
  readonly isShared: boolean
  /** Observes how long a transaction waits for another process. */
  readonly lockWait: LockWait
  /** Called once when no more commits are accepted. */
  readonly onFailure: (failure: StorageFailure) => void
}

/**
 * Group commit. While one transaction of lmdb is synced to the disk, further commits are queued for the next
 * transaction. A commit completes when its transaction is on the disk. A commit whose work throws is left out of the
 * transaction. When lmdb fails, nothing of the transaction is written. After a failure other than a full disk no more
 * commits are accepted, because the state of the disk is unknown. A commit in time slices has its own transaction,
 * which stays open over many turns of the event loop.
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
  /** The environment of an open transaction of a commit in time slices. */
  #long: Environment | undefined
  /** True if the last transaction must begin again, because another process opened the files. */
  #isDelayed = false
  readonly #owed: OwedCommits
  readonly #application: CommitApplication
  readonly #lockWait: LockWait

  constructor(environment: Environment, { directory, flush, isShared, lockWait, onFailure }: GroupCommitOptions) {
    this.#environment = environment
    this.#directory = directory
    this.#flush = flush
    this.#lockWait = lockWait
    this.#onFailure = onFailure
    this.#owed = new OwedCommits(directory)
    this.#application = new CommitApplication(this.#owed, isShared)
  }

  /** See CellStore.commit. */
  commit(work: (batch: CellBatch) => void): Pending {
    return this.#add({ work, longWork: undefined, error: undefined, answer: new Answer() })
  }

  /** See CellStore.commitLong. */
  commitLong(longWork: (batch: CellBatch) => Iterator<unknown>): Pending {
    return this.#add({ work: () => undefined, longWork, error: undefined, answer: new Answer() })
  }

  #add(waiting: Waiting): Pending {
    this.#queue.push(waiting)
    this.#start()
    return waiting.answer
  }

  #start(): void {
    const [first] = this.#queue
    if (this.#running !== undefined || first === undefined) return
    const waited = this.#lockWait.begin()
    const run = first.longWork === undefined ? this.#run(waited) : this.#runLong(this.#queue.shift()!, waited)
    this.#running = run.finally(() => {
      waited()
      this.#running = undefined
      this.#start()
    })
  }

  /** Takes the commits of the next transaction: those before a commit in time slices. */
  #take(): ReadonlyArray<Waiting> {
    const long = this.#queue.slice(0, MAX_GROUP_COMMITS).findIndex(({ longWork }) => longWork !== undefined)
    return this.#queue.splice(0, long === -1 ? MAX_GROUP_COMMITS : long)
  }

  /** Runs a commit in time slices. It writes nothing before all of its work is done. */
  async #runLong(waiting: Waiting, begun: () => void): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      const environment = this.#environment.second()
      const work = this.#unlessDelayed(
        () =>
          new Promise<void>((resolve, reject) => {
            begun()
            runInSlices(
              () => this.#application.applyLong(environment, waiting),
              (error = this.#failure) => (error === undefined ? resolve() : reject(error))
            )
          })
      )
      do {
        // Set before the transaction starts: its thread may hold lmdb's write lock already and wait for the event loop. A
        // synchronous commit through the other handle would then wait for the lock forever.
        this.#long = environment
        await environment.root.childTransaction(work)
        if (this.#isDelayed) {
          this.#owed.stored()
          await openingEnded(this.#directory)
        }
      } while (this.#isDelayed)
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

  /**
   * The work of a transaction of lmdb, unless another process opens the files when the transaction has begun: it then ends without a
   * change.
   */
  #unlessDelayed(work: () => unknown): () => unknown {
    return () => {
      this.#isDelayed = isBeingOpened(this.#directory)
      if (!this.#isDelayed) return work()
      // From now on no transaction is open: a synchronous commit has its own.
      this.#long = undefined
      return ABORT
    }
  }

  /**
   * Runs a group of commits. It is chosen when the transaction has begun, so that it has all commits that arrived while
   * another process held lmdb's write mutex.
   */
  async #run(begun: () => void): Promise<void> {
    let group: ReadonlyArray<Waiting> | undefined
    let applied: ReadonlyArray<Waiting> = []
    try {
      if (this.#failure !== undefined) throw this.#failure
      const work = this.#unlessDelayed(() => {
        begun()
        // Another server may have taken the folder during the wait for the transaction.
        if (this.#failure !== undefined) throw this.#failure
        group = this.#take()
        const done = this.#application.apply(this.#environment, group, true)
        applied = group.slice(0, done.count)
        return done.wrote ? undefined : ABORT
      })
      do {
        await this.#environment.root.childTransaction(work)
        if (this.#isDelayed) await openingEnded(this.#directory)
      } while (this.#isDelayed)
    } catch (error) {
      settle(group ?? this.#take(), this.#failed(await causeOf(error)))
      return
    }
    this.#owed.written()
    this.#queue.unshift(...group!.slice(applied.length))
    if (this.#flush === undefined) settle(applied, undefined)
    else this.#settleAfter(this.#flush(), applied)
  }

  /** Completes a group after its flush. The next group does not wait for the flush. */
  #settleAfter(flush: Promise<void>, group: ReadonlyArray<Waiting>): void {
    const flushing = flush.then(
      () => settle(group, undefined),
      (error) => {
        this.#failed(error)
        // The commit is visible already, and it is unknown whether it is on the disk.
        const words = `its flush to the disk failed (${reasonOf(error)}).`
        settle(group, new CommitOutcomeUnknown(words, { cause: error }))
      }
    )
    this.#flushing.add(flushing)
    void flushing.finally(() => this.#flushing.delete(flushing))
  }

  /** See CellStore.commitNow. The commit is on the disk when the call returns. */
  commitNow(work: (batch: CellBatch) => void): void {
    if (this.#failure !== undefined) throw this.#failure
    let recorded: RecordedBatch | undefined
    const recording = (batch: CellBatch): void => {
      recorded = new RecordedBatch(batch)
      work(recorded)
    }
    // lmdb has one write transaction at a time: this commit becomes a part of an open one.
    const long = this.#long
    const environment = long ?? this.#environment
    const answer = new Answer()
    const waiting: Waiting = {
      work: long === undefined ? work : recording,
      longWork: undefined,
      error: undefined,
      answer
    }
    try {
      for (let isDelayed = true; isDelayed; ) {
        environment.root.transactionSync(() => {
          isDelayed = long === undefined && isBeingOpened(this.#directory)
          if (isDelayed) return ABORT
          return this.#application.apply(environment, [waiting], false).wrote ? undefined : ABORT
        })
        if (isDelayed) awaitOpeningNow(this.#directory)
      }
    } catch (error) {
      throw this.#failed(error)
    }
    if (waiting.error !== undefined) throw waiting.error
    if (long === undefined) this.#owed.written()
    else if (recorded !== undefined) this.#owed.add(recorded)
  }

  /** Stops accepting commits, unless the disk is only full or another commit may succeed. */
  #failed(cause: unknown): StorageFailure {
    const failure = writeFailure(this.#directory, cause)
    if (!(failure instanceof StorageFull || failure instanceof StorageUnavailable)) this.stop(failure)
    return failure
  }

  /** True while a transaction of lmdb is open or about to begin. */
  get isBusy(): boolean {
    return this.#running !== undefined
  }

  /** The failure after which no commits are accepted; undefined while they are. */
  get failure(): StorageFailure | undefined {
    return this.#failure
  }

  /** Makes all further commits fail with this failure. */
  stop(failure: StorageFailure): void {
    if (this.#failure !== undefined) return
    this.#failure = failure
    this.#onFailure(failure)
  }

  /** Waits until all accepted commits have completed. */
  async end(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    await Promise.all(this.#flushing)
  }
}
