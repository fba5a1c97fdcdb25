import type { Later } from "../../structure/GraphStore.ts"
import type {
  CellBatch,
  CellSnapshot,
  CellStore,
  Page,
  RowPage,
  RowScan,
  SliceQuery,
  Table
} from "../cells/CellStore.ts"
import { Environment, type LmdbOptions, type LmdbSnapshot, type StoreState } from "./Environment.ts"
import { type Flush, GroupCommit } from "./GroupCommit.ts"
import { readRows, readSlice } from "./Slices.ts"

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
  readonly persistent = true
  readonly #environment: Environment
  readonly #commits: GroupCommit
  readonly #onClose: () => void
  readonly #reads = new Set<SharedRead>()
  #last: SharedRead | undefined

  /**
   * Throws StorageFailure when the files cannot be used. `flush` is waited for before each answer, besides what lmdb does
   * itself; `onClose` is called when the files are closed.
   */
  constructor(options: LmdbOptions, onClose: () => void = () => undefined, flush?: Flush) {
    this.place = `lmdb:${options.directory}`
    this.#environment = new Environment(options)
    this.#commits = new GroupCommit(this.#environment, options.directory, flush)
    this.#onClose = onClose
  }

  snapshot(): CellSnapshot {
    const transaction = this.#environment.root.useReadTransaction()
    let read = this.#last
    if (read === undefined || read.users === 0 || read.transaction !== transaction) {
      read = { transaction, state: this.#environment.state(transaction), users: 0, ended: false }
      this.#last = read
      this.#reads.add(read)
    }
    read.users++
    const shared = read
    return new Snapshot(this.#environment, shared, () => this.#release(shared))
  }

  #release(read: SharedRead): void {
    if (read.ended) return
    read.users--
    if (read.users === 0) this.#reads.delete(read)
    read.transaction.done()
  }

  commit(work: (batch: CellBatch) => void): Later {
    return this.#commits.commit(work)
  }

  commitNow(work: (batch: CellBatch) => void): void {
    this.#commits.commitNow(work)
  }

  /** A copy of the files while they are used, as of now; without the pages that are free. */
  async backup(path: string): Promise<void> {
    await this.#environment.root.backup(path, true)
  }

  /** Waits for commits that were handed over. Snapshots that are open cannot be used any more. */
  async close(): Promise<void> {
    await this.#commits.end()
    for (const read of this.#reads) {
      for (; read.users > 0; read.users--) read.transaction.done()
      read.ended = true
    }
    this.#reads.clear()
    await this.#environment.root.close()
    this.#onClose()
  }
}

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

  slice(query: SliceQuery): Page {
    return readSlice(this.#environment.table(query.table), query, this.#open())
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

  scan(table: Table): RowScan {
    let from: Buffer | undefined = BEGIN
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
