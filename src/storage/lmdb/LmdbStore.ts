import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import type { Pending } from "../../scheduling/Pending.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type { CellBatch, CellSnapshot, CellStore, LongWork } from "../janusgraph/cells/CellStore.ts"
import type { SharedWork } from "../janusgraph/cells/SharedWork.ts"
import { compact, hasRoom, installCompacted, removeCompacted } from "./Compaction.ts"
import type { Flush } from "./Completion.ts"
import { lockDirectory } from "./DirectoryLock.ts"
import { Environment, type LmdbSnapshot } from "./Environment.ts"
import { type LmdbOptions, makeFolder } from "./GraphFiles.ts"
import { GroupCommit } from "./GroupCommit.ts"
import { removeHandedFiles } from "./handover/HandedFile.ts"
import { Handover } from "./handover/Handover.ts"
import { LOCK } from "./LockFile.ts"
import { reportedLockWait } from "./LockWait.ts"
import { announceClosing, announceOpening } from "./Opening.ts"
import { isLeftMarker } from "./OpeningMarker.ts"
import type { OpeningLimits } from "./OpeningWait.ts"
import { alsoAtExit, watchExit } from "./ProcessEnd.ts"
import { type OpenRead, StoreSnapshot } from "./StoreSnapshot.ts"
import { removeUnfinished } from "./UnfinishedFiles.ts"
import { workFiles } from "./WorkFiles.ts"
import { awaitWriteMutex, interruptibly } from "./WriteMutex.ts"

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

  /** Opened by {@link openLmdbStore}. `release` is called when the files are closed. */
  constructor(
    environment: Environment,
    commits: GroupCommit,
    { directory, server, temporary = false }: LmdbStoreOptions,
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
    this.work = workFiles(directory, server)
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

/** The parameters of {@link openLmdbStore}. */
export interface LmdbStoreOptions extends LmdbOptions {
  /** Removes the folder when the store is closed. Default false. */
  readonly temporary?: boolean
  /** The name of the server whose processes share the folder. Default: only this process uses it. */
  readonly server?: string
  /** Awaited before commits complete, in addition to lmdb's own sync. */
  readonly flush?: Flush
  /** Called once when no more commits are accepted. */
  readonly onFailure?: (failure: StorageFailure) => void
  /** Called with a text when the call waits for a lock, and when commits wait for another process for ten seconds. */
  readonly onWait?: (text: string) => void
  /** Default 10,000: milliseconds after which commits that wait for another process are reported. */
  readonly notice?: number
  /** How long commits wait for another process that opens the files. */
  readonly openingLimits?: OpeningLimits | undefined
  /** Milliseconds that a sync takes at least to be shared with other processes. */
  readonly slowSync?: number
  /** Ends the wait for locks: the call fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the store in a folder, which is created if necessary. Fails with StorageFailure when the folder cannot be used,
 * another server uses it, its format is unknown, or another process holds lmdb's write mutex for a minute.
 */
export const openLmdbStore = async (options: LmdbStoreOptions): Promise<LmdbStore> => {
  const { directory, flush, onFailure = () => undefined, onWait = () => undefined, readOnly, signal } = options
  const { server = randomUUID() } = options
  makeFolder(options)
  let commits: GroupCommit | undefined
  const lost = (): void => commits?.stop(lostFolder(directory))
  const { release } = readOnly
    ? { release: () => undefined }
    : await lockDirectory({ directory, server, isShared: options.server !== undefined, onLost: lost, onWait, signal })
  const remove = removedFolder(options)
  const leave = (): void => {
    release()
    remove()
  }
  let opened: (() => void) | undefined
  try {
    opened = await announceOpening(directory, signal, onWait)
    await awaitWriteMutex(directory, onWait, signal)
    if (!readOnly) {
      removeCompacted(directory)
      removeHandedFiles(directory)
      removeUnfinished(directory, (name) => isLeftMarker(directory, name))
    }
    const isShared = options.server !== undefined
    const open = (): Environment => {
      const first = new Environment(options)
      try {
        // A second handle needs the write mutex when it is opened, and then blocks the event loop while another process has it.
        if (isShared && !readOnly) first.second()
      } catch (cause) {
        void first.close()
        throw cause
      }
      return first
    }
    const environment = readOnly ? open() : interruptibly(directory, open)
    opened()
    if (isShared) await environment.watchCommits()
    const lockWait = reportedLockWait({ directory, server: options.server, onWait, notice: options.notice })
    // A flush is for the commits of this process only.
    const shares = isShared && flush === undefined && !readOnly
    const handover = shares ? new Handover(environment, { directory, server, slowSync: options.slowSync }) : undefined
    const { openingLimits } = options
    const group = new GroupCommit(environment, {
      directory,
      flush,
      isShared,
      handover,
      lockWait,
      openingLimits,
      onFailure
    })
    commits = group
    const unwatch = watchExit(() => group.isBusy)
    return new LmdbStore(environment, group, options, () => {
      unwatch()
      handover?.close()
      leave()
    })
  } catch (cause) {
    opened?.()
    leave()
    throw cause
  }
}

/** Returns a function that removes a temporary folder. An exit of the process does so, too. */
const removedFolder = ({ directory, temporary = false }: LmdbStoreOptions): (() => void) => {
  if (!temporary) return () => undefined
  return alsoAtExit(() => rmSync(directory, { recursive: true, force: true }))
}

const lostFolder = (directory: string): StorageFailure =>
  new StorageFailure(
    `The folder ${directory} was taken by another server, or its file ${LOCK} was removed: this server writes no more to ` +
      "it. Stop one of the two servers."
  )
