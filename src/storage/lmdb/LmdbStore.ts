import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import type { Pending } from "../../scheduling/Pending.ts"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import type {
  CellBatch,
  CellSnapshot,
  CellStore,
  Page,
  RowPage,
  RowScan,
  SliceQuery,
  Table
} from "../janusgraph/cells/CellStore.ts"
import { successor } from "../janusgraph/cells/Cells.ts"
import type { Slab } from "../janusgraph/cells/Slab.ts"
import { readRows, readSlice } from "./ColumnSlices.ts"
import { LOCK, lockDirectory } from "./DirectoryLock.ts"
import { Environment, type LmdbOptions, type LmdbSnapshot, makeFolder, type StoreState } from "./Environment.ts"
import { type Flush, GroupCommit } from "./GroupCommit.ts"
import { watchExit } from "./ProcessEnd.ts"
import { forgetRewriting, hasRoom, rewrite, takeRewritten } from "./Rewriting.ts"
import { rowName } from "./RowNames.ts"
import { awaitWriteMutex, interruptibly } from "./WriteMutex.ts"

const BEGIN = Buffer.from([0])

/** One read transaction of lmdb: snapshots taken in one turn of the event loop share it, and what it says of itself. */
interface SharedRead {
  readonly transaction: LmdbSnapshot
  readonly state: StoreState
  /** Snapshots that are not closed. While there is one, lmdb does not let the transaction go on to a newer state. */
  users: number
  /** The files were closed below it. */
  ended: boolean
}

/** Cells in the files of lmdb: embedded, durable, answered at once. */
export class LmdbStore implements CellStore {
  readonly place: string
  readonly answersLater = false
  readonly persistent: boolean
  readonly #environment: Environment
  readonly #commits: GroupCommit
  readonly #release: () => void
  readonly #reads = new Set<SharedRead>()
  readonly #shared: boolean
  readonly #directory: string
  #rewrites = false
  #last: SharedRead | undefined
  /** A snapshot was taken in this turn of the event loop. */
  #renewed = false

  /** Opened by {@link openLmdbStore}. `release` is called when the files are closed. */
  constructor(
    environment: Environment,
    commits: GroupCommit,
    { directory, server, temporary = false }: LmdbStoreOptions,
    release: () => void
  ) {
    this.place = temporary ? "inmemory" : `lmdb:${directory}`
    this.persistent = !temporary
    this.#directory = directory
    this.#environment = environment
    this.#commits = commits
    this.#shared = server !== undefined
    this.#release = release
  }

  get failure(): StorageFailure | undefined {
    return this.#commits.failure
  }

  snapshot(): CellSnapshot {
    if (this.#shared && !this.#renewed) this.#renew()
    const transaction = this.#environment.root.useReadTransaction()
    let read = this.#last
    if (read === undefined || read.users === 0 || read.transaction !== transaction) {
      read = { transaction, state: this.#environment.state(transaction), users: 0, ended: false }
      this.#last = read
      this.#reads.add(read)
    }
    read.users++
    const shared = read
    return new Snapshot(this.#environment, shared, () => this.#end(shared))
  }

  /**
   * lmdb goes on to a newer state after its own commits, and by a timer. A request that comes after another process has
   * answered must see what that one committed.
   */
  #renew(): void {
    this.#environment.root.resetReadTxn()
    this.#renewed = true
    setImmediate(() => {
      this.#renewed = false
    })
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

  commitInPieces(work: (batch: CellBatch) => Iterator<unknown>): Pending {
    return this.#commits.commitInPieces(work)
  }

  commitNow(work: (batch: CellBatch) => void): void {
    this.#commits.commitNow(work)
  }

  /** A copy of the files while they are used, as of now; without the pages that are free. */
  async backup(path: string): Promise<void> {
    await this.#environment.root.backup(path, true)
  }

  /** Not of files that other processes have open. */
  rewriteWhenClosed(): void {
    this.#rewrites = !this.#shared
  }

  /** Waits for commits that were handed over. Snapshots that are open cannot be used any more. */
  async close(): Promise<void> {
    await this.#commits.end()
    for (const read of this.#reads) {
      for (; read.users > 0; read.users--) read.transaction.done()
      read.ended = true
    }
    this.#reads.clear()
    const rewritten = this.#rewrites && this.#commits.failure === undefined && (await this.#rewrite())
    await this.#environment.close()
    try {
      if (rewritten) takeRewritten(this.#directory)
    } catch {
      forgetRewriting(this.#directory)
    }
    this.#release()
  }

  /** False when the files stay as they are, which are whole: the disk may be full, or break the second time. */
  async #rewrite(): Promise<boolean> {
    try {
      if (!hasRoom(this.#directory)) return false
      await rewrite(this.#environment, this.#directory)
      return true
    } catch {
      forgetRewriting(this.#directory)
      return false
    }
  }
}

export interface LmdbStoreOptions extends LmdbOptions {
  /** The folder is removed when the store is closed. Default false. */
  readonly temporary?: boolean
  /** Name of the server that the folder belongs to; its processes share it. Default: this process alone. */
  readonly server?: string
  /** Waited for before each answer, besides what lmdb does itself. */
  readonly flush?: Flush
  /** Told once why nothing is committed any more. */
  readonly onFailure?: (failure: StorageFailure) => void
  /** Told once which lock the opening of the store waits for, and who holds it. */
  readonly onWait?: (text: string) => void
  /** Ends the wait for locks: the opening fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the store in a folder, or makes it. Fails with StorageFailure when the folder cannot be used, belongs to
 * another server, or holds a format that this version does not know, and when another process holds lmdb's write mutex
 * for a minute.
 */
export const openLmdbStore = async (options: LmdbStoreOptions): Promise<LmdbStore> => {
  const { directory, flush, onFailure = () => undefined, onWait = () => undefined, readOnly, signal } = options
  const { server = randomUUID() } = options
  makeFolder(options)
  let commits: GroupCommit | undefined
  const lost = (): void => commits?.stop(lostFolder(directory))
  const { release } = readOnly
    ? { release: () => undefined }
    : await lockDirectory({ directory, server, onLost: lost, onWait, signal })
  try {
    if (!readOnly) {
      await awaitWriteMutex(directory, onWait, signal)
      forgetRewriting(directory)
    }
    const environment = readOnly ? new Environment(options) : interruptibly(directory, () => new Environment(options))
    const group = new GroupCommit(environment, directory, flush, onFailure)
    commits = group
    const unwatch = watchExit(() => group.isBusy)
    return new LmdbStore(environment, group, options, () => {
      unwatch()
      release()
      if (options.temporary) rmSync(directory, { recursive: true, force: true })
    })
  } catch (cause) {
    release()
    throw cause
  }
}

const lostFolder = (directory: string): StorageFailure =>
  new StorageFailure(
    `The folder ${directory} was taken by another server, or its file ${LOCK} was removed: this one writes no more to it. ` +
      "Stop one of the two."
  )

class Snapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #environment: Environment
  readonly #read: SharedRead
  readonly #release: () => void
  #isOpen = true

  constructor(environment: Environment, read: SharedRead, release: () => void) {
    this.#environment = environment
    this.#read = read
    this.#release = release
    this.version = read.state.version
    this.schemaVersion = read.state.schemaVersion
  }

  #open(): LmdbSnapshot {
    if (!this.#isOpen || this.#read.ended) throw new Error("The snapshot was used after it was closed")
    return this.#read.transaction
  }

  slice(query: SliceQuery, slab?: Slab): Page {
    return readSlice(this.#environment.table(query.table), query, this.#open(), slab)
  }

  fetch(
    queries: ReadonlyArray<SliceQuery>,
    answer: (error: Error | undefined, pages: ReadonlyArray<Page>) => void
  ): void {
    answer(
      undefined,
      queries.map((query) => this.slice(query))
    )
  }

  scan(table: Table, after?: Uint8Array): RowScan {
    let from: Buffer | undefined = after === undefined ? BEGIN : successor(rowName(after))
    const next = (rows: number): ReadonlyArray<RowPage> => {
      while (from !== undefined) {
        const found: ReturnType<typeof readRows> = readRows(this.#environment.table(table), from, rows, this.#open())
        from = found.next
        if (found.rows.length > 0) return found.rows
      }
      return []
    }
    return { next, fetch: (rows, answer) => answer(undefined, next(rows)) }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#release()
  }
}
