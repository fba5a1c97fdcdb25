import { ABORT } from "lmdb"
import type { Pending } from "../../scheduling/Pending.ts"
import { runInSlices } from "../../scheduling/Task.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import {
  CommitOutcomeUnknown,
  type StorageFailure,
  StorageFull,
  StorageUnavailable
} from "../../structure/errors/StoreErrors.ts"
import type { CellBatch, LongWork } from "../janusgraph/cells/CellStore.ts"
import { Answer } from "../shared/Answer.ts"
import { CommitApplication } from "./CommitApplication.ts"
import { Completion, type Flush } from "./Completion.ts"
import type { Environment } from "./Environment.ts"
import { brokenFiles, causeOf, writeFailure } from "./Failures.ts"
import type { Handover } from "./handover/Handover.ts"
import type { LockWait } from "./LockWait.ts"
import type { OpeningLimits } from "./OpeningWait.ts"
import { OwedCommits } from "./OwedCommits.ts"
import { RecordedBatch } from "./RecordedBatch.ts"
import { settle, type Waiting } from "./WaitingCommits.ts"
import { WriteTransactions } from "./WriteTransactions.ts"

/** The maximum number of commits in one transaction of lmdb. */
const MAX_GROUP_COMMITS = 512

const none: ReadonlySet<Waiting> = new Set()

/** The parameters of {@link GroupCommit}. */
interface GroupCommitOptions {
  readonly directory: string
  /** Awaited before commits complete. */
  readonly flush: Flush | undefined
  /** True when other processes write the same files. */
  readonly isShared: boolean
  /** Shares transactions with these processes; undefined when this process runs all of its commits itself. */
  readonly handover?: Handover | undefined
  /** Observes how long a transaction waits for another process. */
  readonly lockWait: LockWait
  readonly openingLimits?: OpeningLimits | undefined
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
  readonly #directory: string
  readonly #environment: Environment
  readonly #completion: Completion
  readonly #onFailure: (failure: StorageFailure) => void
  #queue: Array<Waiting> = []
  #running: Promise<void> | undefined
  #failure: StorageFailure | undefined
  readonly #transactions: WriteTransactions
  readonly #owed: OwedCommits
  readonly #application: CommitApplication
  readonly #lockWait: LockWait
  readonly #handover: Handover | undefined
  /** True while a shared transaction waits for commits: it will take those that arrive. */
  #isGathering = false

  constructor(environment: Environment, options: GroupCommitOptions) {
    const { directory, flush, handover, isShared, lockWait, onFailure, openingLimits } = options
    this.#directory = directory
    this.#environment = environment
    this.#completion = new Completion(flush, (error) => this.#failAfter(error))
    this.#lockWait = lockWait
    this.#onFailure = onFailure
    this.#handover = handover
    this.#owed = new OwedCommits(directory)
    this.#transactions = new WriteTransactions(environment, directory, this.#owed, openingLimits)
    this.#application = new CommitApplication(this.#owed, isShared)
  }

  /** See CellStore.commit. */
  commit(work: (batch: CellBatch) => void): Pending {
    return this.#add({ work, longWork: undefined, error: undefined, answer: new Answer() })
  }

  /** See CellStore.commitLong. */
  commitLong(longWork: LongWork): Pending {
    return this.#add({ work: () => undefined, longWork, error: undefined, answer: new Answer() })
  }

  #add(waiting: Waiting): Pending {
    this.#queue.push(waiting)
    this.#start()
    if (waiting.longWork === undefined && !this.#isGathering && this.#failure === undefined && !this.#owed.hasAny)
      this.#handover?.add(waiting)
    return waiting.answer
  }

  #start(): void {
    const [first] = this.#queue
    if (this.#running !== undefined || first === undefined) return
    const waited = this.#lockWait.begin()
    this.#running = this.#runFirst(first, waited).finally(() => {
      waited()
      this.#running = undefined
      this.#start()
    })
  }

  #runFirst({ longWork }: Waiting, begun: () => void): Promise<void> {
    if (longWork !== undefined) return this.#runLong(this.#queue.shift()!, begun)
    return this.#handover?.isOn ? this.#runShared(this.#handover, begun) : this.#run(begun)
  }

  /** Takes the commits of the next transaction: those before a commit in time slices. */
  #take(): ReadonlyArray<Waiting> {
    const long = this.#queue.slice(0, MAX_GROUP_COMMITS).findIndex(({ longWork }) => longWork !== undefined)
    return this.#queue.splice(0, long === -1 ? MAX_GROUP_COMMITS : long)
  }

  /** Runs a commit in time slices. It writes nothing before all of its work is done. */
  async #runLong(waiting: Waiting, begun: () => void): Promise<void> {
    try {
      this.#assertAccepts()
      await this.#transactions.long(
        (environment) =>
          new Promise<void>((resolve, reject) => {
            begun()
            runInSlices(
              (slice) => this.#application.applyLong(environment, waiting, slice),
              (error = this.#failure) => (error === undefined ? resolve() : reject(error))
            )
          })
      )
    } catch (error) {
      settle([waiting], this.#failAfter(await causeOf(error)))
      return
    }
    this.#completion.complete([waiting])
  }

  /**
   * Runs a group of commits. It is chosen when the transaction has begun, so that it has all commits that arrived while
   * another process held lmdb's write mutex.
   */
  async #run(begun: () => void): Promise<void> {
    let group: ReadonlyArray<Waiting> | undefined
    let count = 0
    let elsewhere: ReadonlySet<Waiting> = none
    let synced: (() => void) | undefined
    try {
      this.#assertAccepts()
      await this.#transactions.short((environment) => {
        begun()
        // Another server may have taken the folder during the wait for the transaction.
        this.#assertAccepts()
        elsewhere = this.#takeBack(environment)
        group = this.#take()
        const done = this.#application.apply(environment, group, true)
        count = done.count
        if (done.wrote) synced = this.#handover?.syncing(environment, count)
        return done.wrote ? undefined : ABORT
      })
    } catch (error) {
      settle(elsewhere, undefined)
      await this.#endFailed(group, error)
      return
    }
    synced?.()
    settle(elsewhere, undefined)
    this.#queue.unshift(...group!.slice(count))
    this.#completion.complete(group!.slice(0, count))
  }

  /** Runs a group of commits together with those of other processes, for which the transaction waits. */
  async #runShared(handover: Handover, begun: () => void): Promise<void> {
    let group: ReadonlyArray<Waiting> | undefined
    let count = 0
    let synced: (() => void) | undefined
    try {
      this.#assertAccepts()
      await this.#transactions.long(async (environment) => {
        begun()
        this.#assertAccepts()
        this.#isGathering = true
        settle(this.#takeBack(environment), undefined)
        await handover.gather(environment, () => this.#queue.length)
        this.#isGathering = false
        this.#assertAccepts()
        group = this.#take()
        const received = handover.received(environment)
        const all = [...group, ...received.map(({ waiting }) => waiting)]
        const done = this.#application.apply(environment, all, true)
        count = Math.min(done.count, group.length)
        handover.record(environment, received.slice(0, done.count - count), count)
        if (done.wrote) synced = handover.syncing(environment, count)
        return done.wrote ? undefined : ABORT
      })
    } catch (error) {
      this.#isGathering = false
      await this.#endFailed(group, error)
      return
    }
    synced?.()
    this.#queue.unshift(...group!.slice(count))
    this.#completion.complete(group!.slice(0, count))
  }

  /** Takes commits back that were handed over. Returns those that another process has applied, which leave the queue. */
  #takeBack(environment: Environment): ReadonlySet<Waiting> {
    const applied = this.#handover?.takeBack(environment) ?? none
    if (applied.size > 0) this.#queue = this.#queue.filter((each) => !applied.has(each))
    return applied
  }

  /** Ends the commits of a transaction that failed. `group` is undefined when it had not chosen them yet. */
  async #endFailed(group: ReadonlyArray<Waiting> | undefined, cause: unknown): Promise<void> {
    const failure = this.#failAfter(await causeOf(cause))
    if (group !== undefined) return settle(group, failure)
    // Taken before the next wait: a commit that arrives during it may be handed over, and must not fail then.
    const failed = this.#take()
    const answered = (await this.#handover?.resolve()) ?? none
    this.#queue = this.#queue.filter((each) => !answered.has(each))
    settle(
      failed.filter((each) => !answered.has(each)),
      failure
    )
  }

  #assertAccepts(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** See CellStore.commitNow. The commit is on the disk when the call returns. */
  commitNow(work: (batch: CellBatch) => void): void {
    this.#assertAccepts()
    let recorded: RecordedBatch | undefined
    const recording = (batch: CellBatch): void => {
      recorded = new RecordedBatch(batch)
      work(recorded)
    }
    // lmdb has one write transaction at a time: this commit becomes a part of one that is open, also if it is about to begin.
    const mayBePart = this.#transactions.isPending
    const waiting: Waiting = {
      work: mayBePart ? recording : work,
      longWork: undefined,
      error: undefined,
      answer: new Answer()
    }
    let isOnDisk: boolean
    try {
      isOnDisk = this.#transactions.now((environment) =>
        this.#application.apply(environment, [waiting], false).wrote ? undefined : ABORT
      )
    } catch (error) {
      throw this.#failAfter(error)
    }
    if (waiting.error !== undefined) throw waiting.error
    if (!isOnDisk && recorded?.changesCells) this.#owed.add(recorded)
  }

  /** Stops accepting commits, unless the disk is only full or another commit may succeed. Returns the error of those that fail. */
  #failAfter(cause: unknown): Error {
    const failure = writeFailure(this.#directory, cause)
    if (failure === this.#failure) return failure
    if (this.#environment.isBroken) {
      this.stop(brokenFiles(this.#directory, cause))
      // The disk may have the page that could not be written.
      return new CommitOutcomeUnknown(`the graph in ${this.#directory} failed (${reasonOf(cause)}).`, { cause })
    }
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
    await this.#completion.end()
  }
}
