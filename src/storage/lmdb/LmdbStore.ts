import type { Pending } from "../../scheduling/Pending.ts"
import type { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type { CellBatch, CellSnapshot, CellStore, LongWork } from "../janusgraph/cells/CellStore.ts"
import type { SharedWork } from "../janusgraph/cells/SharedWork.ts"
import { compact, hasRoom, installCompacted, removeCompacted } from "./Compaction.ts"
import type { Environment, LmdbSnapshot } from "./Environment.ts"
import type { GroupCommit } from "./GroupCommit.ts"
import { announceClosing } from "./Opening.ts"
import { type OpenRead, StoreSnapshot } from "./StoreSnapshot.ts"
import { workFiles } from "./WorkFiles.ts"

/**
 * The time between two checks for snapshots of other processes of this server that have ended, in milliseconds. lmdb cannot
 * reuse the pages of an open snapshot.
 */
const READER_CHECK_MS = 5_000

/** A read transaction. Snapshots of the same commit share it. */
interface SharedRead extends OpenRead {
  /** The number of the commit that it follows; undefined when that is not known. */
  readonly commit: number | undefined
  /** The number of open snapshots. While there are any, lmdb does not advance the transaction to a newer commit. */
  users: number
}

/** The folder of a store, and who uses it. */
export interface StoreFiles {
  readonly directory: string
  /** Removes the folder when the store is closed. Default false. */
  readonly temporary?: boolean
  /** The name of the server whose processes share the folder. Default: only this process uses it. */
  readonly server?: string
  /**
   * Called with a text when the opening waits for a lock, when work waits for another process, and when commits have waited for one for
   * ten seconds.
   */
  readonly onWait?: (text: string) => void
}

/** A store of cells in the files of lmdb: embedded and durable, with synchronous reads. */
export class LmdbStore implements CellStore {
  readonly location: string
  readonly answersLater = false
  readonly persistent: boolean
  readonly work?: SharedWork
  readonly #environment: Environment
  readonly #commits: GroupCommit
  readonly #release: () => void
  readonly #reads = new Set<SharedRead>()
  readonly isShared: boolean
  readonly #directory: string
  readonly #checks: NodeJS.Timeout | undefined
  #rewrites = false
  #last: SharedRead | undefined
  /** The number of the commit to which the read transaction was advanced, and the largest one so far. */
  #commit: number | undefined
  #newest = 0

  /** Opened by openLmdbStore. `release` is called when the files are closed. */
  constructor(
    environment: Environment,
    commits: GroupCommit,
    { directory, onWait, server, temporary = false }: StoreFiles,
    release: () => void
  ) {
    this.location = temporary ? "inmemory" : `lmdb:${directory}`
    this.persistent = !temporary
    this.#directory = directory
    this.#environment = environment
    this.#commits = commits
    this.isShared = server !== undefined
    this.#release = release
    if (server === undefined) return
    this.work = workFiles(directory, server, onWait)
    this.#checks = setInterval(() => environment.root.readerCheck(), READER_CHECK_MS)
    this.#checks.unref()
  }

  get failure(): StorageFailure | undefined {
    return this.#commits.failure
  }

  snapshot(): CellSnapshot {
    const commit = this.#environment.knownCommit
    if (this.isShared) this.#advance(commit)
    const transaction = this.#environment.root.useReadTransaction()
    const read = this.#readOf(transaction, commit)
    if (read.users++ === 0) this.#reads.add(read)
    return new StoreSnapshot(this.#environment, read, () => this.#end(read))
  }

  /**
   * Advances the read transaction. lmdb advances it after its own commits and by a timer, but a request must see the
   * commits that another process has answered before.
   */
  #advance(commit: number | undefined): void {
    if (commit !== undefined && commit === this.#commit) return
    this.#environment.root.resetReadTxn()
    this.#commit = commit
    this.#newest = Math.max(this.#newest, commit ?? 0)
  }

  #readOf(transaction: LmdbSnapshot, commit: number | undefined): SharedRead {
    const last = this.#last
    // lmdb may have begun the transaction anew, but from the same commit if its number is still the newest one. Where another process
    // has set the number back, an open transaction may follow the newer commit.
    const isKnown = commit !== undefined && commit >= this.#newest && commit === this.#environment.knownCommit
    const follows = isKnown ? commit : undefined
    const isSame =
      last?.transaction === transaction && (last.users > 0 || (follows !== undefined && follows === last.commit))
    if (isSame) return last
    const read = { transaction, state: this.#environment.state(transaction), commit: follows, users: 0, ended: false }
    this.#last = read
    return read
  }

  #end(read: SharedRead): void {
    if (read.ended) return
    read.users--
    if (read.users === 0) this.#reads.delete(read)
    read.transaction.done()
  }

  commit(work: (batch: CellBatch) => void): Pending {
    return this.#commits.commit(work)
  }

  commitLong(work: LongWork): Pending {
    return this.#commits.commitLong(work)
  }

  commitNow(work: (batch: CellBatch) => void): void {
    this.#commits.commitNow(work)
  }

  /** Copies the current state of the files, without free pages, while they are in use. */
  async backup(path: string): Promise<void> {
    await this.#environment.root.backup(path, true)
  }

  /** See CellStore.rewriteWhenClosed. Has no effect on files that other processes may have open. */
  rewriteWhenClosed(): void {
    this.#rewrites = !this.isShared
  }

  /** Waits for accepted commits and closes the files. Open snapshots cannot be used any more. */
  async close(): Promise<void> {
    clearInterval(this.#checks)
    await this.#commits.end()
    for (const read of this.#reads) {
      for (; read.users > 0; read.users--) read.transaction.done()
      read.ended = true
    }
    this.#reads.clear()
    const compacted = this.#rewrites && this.#commits.failure === undefined && (await this.#compact())
    const closed = await announceClosing(this.#directory)
    try {
      await this.#environment.close()
      if (compacted) this.#installCompacted()
    } finally {
      closed()
    }
    this.#release()
  }

  #installCompacted(): void {
    try {
      installCompacted(this.#directory)
    } catch {
      removeCompacted(this.#directory)
    }
  }

  /** Returns false when the compaction failed, for example because of a full disk. The files are intact then. */
  async #compact(): Promise<boolean> {
    try {
      if (!hasRoom(this.#directory)) return false
      await compact(this.#environment, this.#directory)
      return true
    } catch {
      removeCompacted(this.#directory)
      return false
    }
  }
}
