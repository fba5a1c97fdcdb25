import { ABORT } from "lmdb"
import type { Environment } from "./Environment.ts"
import { newestTransaction } from "./FileLength.ts"
import { FILE } from "./GraphFiles.ts"
import { awaitOpeningNow, isBeingOpened, openingEnded } from "./Opening.ts"
import type { OwedCommits } from "./OwedCommits.ts"

/**
 * The write transactions of a store. A transaction ends without a change, and begins again, if another process opens the files
 * when it has begun. Work returns {@link ABORT} when it has written nothing.
 */
export class WriteTransactions {
  readonly #environment: Environment
  readonly #directory: string
  readonly #owed: OwedCommits
  /** The environment of an open transaction over many turns of the event loop. */
  #long: Environment | undefined
  /** True while a transaction of one turn is open or about to begin. */
  #isShortPending = false
  /** True if the last transaction must begin again. */
  #isDelayed = false

  constructor(environment: Environment, directory: string, owed: OwedCommits) {
    this.#environment = environment
    this.#directory = directory
    this.#owed = owed
  }

  /** True while a transaction is open or about to begin. A synchronous commit may become a part of it. */
  get isPending(): boolean {
    return this.#long !== undefined || this.#isShortPending
  }

  /** Runs work in one turn of the event loop. Completes when the transaction is on the disk. */
  async short(work: (environment: Environment) => unknown): Promise<void> {
    const guarded = this.#unlessDelayed(() => work(this.#environment))
    this.#isShortPending = true
    try {
      do {
        await this.#environment.root.childTransaction(guarded)
        if (this.#isDelayed) await openingEnded(this.#directory)
      } while (this.#isDelayed)
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
    const environment = this.#environment.second()
    const guarded = this.#unlessDelayed(async () => {
      const result = await work(environment)
      // A synchronous commit that became a part of this transaction has completed: the transaction must not end without it.
      return this.#owed.hasOpen ? undefined : result
    })
    try {
      do {
        // Set before the transaction starts: its thread may hold lmdb's write lock already and wait for the event loop. A
        // synchronous commit through the other handle would then wait for the lock forever.
        this.#long = environment
        await environment.root.childTransaction(guarded)
        if (this.#isDelayed) await openingEnded(this.#directory)
      } while (this.#isDelayed)
      this.#environment.root.resetReadTxn()
    } catch (error) {
      this.#owed.failed()
      throw error
    } finally {
      this.#long = undefined
    }
    this.#owed.written()
  }

  /**
   * Runs work at once. Blocks the event loop until it is on the disk, or in the transaction that is open. Returns whether it is on
   * the disk for certain.
   */
  now(work: (environment: Environment) => unknown): boolean {
    const open = this.#long
    const environment = open ?? this.#environment
    let before: bigint | undefined
    let isBesideOpening = false
    for (let isDelayed = true; isDelayed; ) {
      environment.root.transactionSync(() => {
        isBesideOpening = isBeingOpened(this.#directory)
        // The thread of a pending transaction may hold lmdb's write lock, for which the opening waits, and wait for the event loop.
        isDelayed = isBesideOpening && !this.isPending
        if (isDelayed) return ABORT
        if (this.isPending) before = this.#newest()
        return work(environment)
      })
      if (isDelayed) awaitOpeningNow(this.#directory)
    }
    // An opening that begins later waits for this commit. One that has begun may undo it, also if it ends before the commit.
    const isOnDisk = !isBesideOpening && (!this.isPending || this.#hasCommittedSince(before))
    if (isOnDisk) this.#owed.written()
    return isOnDisk
  }

  /**
   * True if this process has committed since it had the write lock. A transaction that is about to begin waits for the lock of
   * another process: a synchronous commit may have a transaction of its own until then. lmdb does not tell which one it was. False
   * if it is unknown.
   */
  #hasCommittedSince(before: bigint | undefined): boolean {
    const newest = this.#newest()
    return before !== undefined && newest !== undefined && newest !== before
  }

  /** The newest transaction in the file; undefined if it is unknown, for example when the process has no free file descriptor. */
  #newest(): bigint | undefined {
    try {
      return newestTransaction(`${this.#directory}/${FILE}`)
    } catch {
      return undefined
    }
  }

  #unlessDelayed(work: () => unknown): () => unknown {
    return () => {
      this.#isDelayed = isBeingOpened(this.#directory)
      if (!this.#isDelayed) return work()
      if (this.#long !== undefined) this.#owed.delayed(this.#long)
      // From now on no transaction is open: a synchronous commit has its own.
      this.#long = undefined
      return ABORT
    }
  }
}
