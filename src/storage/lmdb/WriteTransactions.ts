import { ABORT } from "lmdb"
import type { Environment } from "./Environment.ts"
import { secondFailure } from "./Failures.ts"
import { isBeingOpened } from "./Opening.ts"
import { type OpeningLimits, OpeningWait } from "./OpeningWait.ts"
import type { OwedCommits } from "./OwedCommits.ts"

/**
 * The write transactions of a store. A transaction that has begun ends at once, without a change, in two cases: another process opens
 * the files (see Opening.ts), or it does not follow the newest commit (see {@link Environment.followsNewest}). It then begins again, in
 * the first case after the opening. It fails if the opening does not end. Work returns {@link ABORT} when it has written nothing.
 */
export class WriteTransactions {
  readonly #environment: Environment
  readonly #directory: string
  readonly #owed: OwedCommits
  readonly #openings: OpeningWait
  /** The environment of an open transaction over many turns of the event loop. */
  #long: Environment | undefined
  /** True while a transaction of one turn is open or about to begin. */
  #isShortPending = false
  /** True if the last transaction has ended without its work, and must begin again. */
  #mustBeginAgain = false

  constructor(environment: Environment, directory: string, owed: OwedCommits, limits?: OpeningLimits) {
    this.#environment = environment
    this.#directory = directory
    this.#owed = owed
    this.#openings = new OpeningWait(directory, limits)
  }

  /** True while a transaction is open or about to begin. A synchronous commit may become a part of it. */
  get isPending(): boolean {
    return this.#long !== undefined || this.#isShortPending
  }

  /** Runs work in one turn of the event loop. Completes when the transaction is on the disk. */
  async short(work: (environment: Environment) => unknown): Promise<void> {
    this.#isShortPending = true
    try {
      await this.#run(this.#environment, false, () => work(this.#environment))
    } catch (error) {
      this.#owed.failed()
      throw error
    } finally {
      this.#isShortPending = false
    }
    this.#owed.written()
  }

  /**
   * Runs work over many turns of the event loop, through a second handle: reads through the first one do not see the open
   * transaction. Completes when the transaction is on the disk.
   */
  async long(work: (environment: Environment) => Promise<unknown>): Promise<void> {
    const environment = this.#second()
    try {
      await this.#run(environment, true, async () => {
        const result = await work(environment)
        // A synchronous commit that became a part of this transaction has completed: the transaction must not end without it.
        return this.#owed.hasOpen ? undefined : result
      })
      this.#environment.root.resetReadTxn()
    } catch (error) {
      this.#owed.failed()
      throw error
    } finally {
      this.#long = undefined
    }
    this.#owed.written()
  }

  #second(): Environment {
    try {
      return this.#environment.second()
    } catch (cause) {
      throw secondFailure(this.#directory, cause)
    }
  }

  /**
   * Runs work at once. Blocks the event loop until it is on the disk, or in the transaction that is open. Returns whether it is on
   * the disk for certain.
   */
  now(work: (environment: Environment) => unknown): boolean {
    const open = this.#long
    const environment = open ?? this.#environment
    let before = 0n
    let mustWait: boolean
    do {
      mustWait = false
      environment.transactionSync(() => {
        // The thread of a pending transaction may hold lmdb's write lock, for which the opening waits, and wait for the event loop.
        mustWait = !this.isPending && isBeingOpened(this.#directory)
        if (mustWait) return ABORT
        if (this.isPending) before = environment.newestCommit
        return work(environment)
      })
      if (mustWait) this.#openings.endedNow()
    } while (mustWait)
    // A transaction that is about to begin waits for the lock of another process: this commit may have had one of its own until then.
    const isOnDisk = !this.isPending || environment.newestCommit !== before
    if (isOnDisk) this.#owed.written()
    return isOnDisk
  }

  /** Begins a transaction, until one need not begin again, and runs work in it. Completes when it is on the disk. */
  async #run(environment: Environment, isLong: boolean, work: () => unknown): Promise<void> {
    const guarded = (): unknown => {
      this.#mustBeginAgain = !environment.followsNewest() || isBeingOpened(this.#directory)
      if (!this.#mustBeginAgain) return work()
      // From now on no transaction is open: a synchronous commit has its own.
      this.#long = undefined
      return ABORT
    }
    do {
      // Set before the transaction starts: its thread may hold lmdb's write lock already and wait for the event loop. A
      // synchronous commit through the other handle would then wait for the lock forever.
      if (isLong) this.#long = environment
      await environment.root.childTransaction(guarded)
      if (this.#mustBeginAgain) await this.#openings.ended()
    } while (this.#mustBeginAgain)
  }
}
