import { ABORT, type RootDatabase, type Transaction } from "lmdb"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { type Table, tables } from "../janusgraph/cells/CellStore.ts"
import { type ChangedRows, keysIn, recordName } from "./ChangedRows.ts"
import { CommitNumbers } from "./CommitNumbers.ts"
import { binary, type LmdbOptions, missing, openFiles, unusable } from "./GraphFiles.ts"

/** A snapshot of lmdb: a read transaction. */
export type LmdbSnapshot = Transaction

/** The snapshot of a read. Absent: the newest state, including the writes of an open commit. */
export interface ReadFrom {
  readonly transaction?: LmdbSnapshot
}

/** A range of entries of a table. */
export interface RangeFrom extends ReadFrom {
  readonly start: Uint8Array
  readonly exclusiveStart?: boolean
  readonly reverse?: boolean
  readonly limit?: number
}

/** The methods of a table of lmdb that this store uses. Keys and values are bytes. */
export interface LmdbTable {
  getBinary(key: Buffer, from?: ReadFrom): Buffer | undefined
  /** The next read overwrites the buffer. Its `length` is the length of the value; the underlying memory is longer. */
  getBinaryFast(key: Buffer, from?: ReadFrom): Buffer | undefined
  getRange(range: RangeFrom): Iterable<{ readonly key: Buffer; readonly value: Buffer }>
  put(key: Buffer, value: Buffer): unknown
  remove(key: Buffer): unknown
}

/** The version of the format of chunks and names. There is no older format to upgrade. */
export const DISK_VERSION = 1

const META = "engine_meta"
const FORMAT = Buffer.from("format")
const STATE = Buffer.from("state")

/** The versions of a CellSnapshot. A commit advances them in its transaction. */
export interface StoreState {
  readonly version: number
  readonly schemaVersion: number
}

/**
 * The open files of lmdb. While a write transaction of an environment is open, all of its reads see that transaction.
 */
export class Environment {
  readonly root: RootDatabase<Buffer, Buffer>
  readonly #options: LmdbOptions
  readonly #meta: LmdbTable
  readonly #tables = new Map<Table, LmdbTable>()
  readonly #numbers: CommitNumbers
  #second: Environment | undefined

  /** Throws StorageFailure when the files cannot be opened, or have an unknown format. `first`: the first handle of the same files. */
  constructor(options: LmdbOptions, first?: Environment) {
    this.#options = options
    this.#numbers = first === undefined ? new CommitNumbers(options) : first.#numbers
    this.root = openFiles(options)
    try {
      if (options.readOnly) this.#numbers.correct()
      let meta: LmdbTable | undefined
      const open = (): void => {
        meta = this.#openTables(options)
      }
      // One transaction: each would wait for other processes of the server that commit, and block the event loop meanwhile.
      if (options.readOnly) open()
      else this.transactionSync(open)
      this.#meta = meta!
    } catch (cause) {
      void (first === undefined ? this.close() : this.root.close())
      throw cause instanceof StorageFailure ? cause : unusable(options, cause)
    }
  }

  /**
   * A second handle of the same files. It is for a write transaction over several turns of the event loop, during
   * which snapshots are read from this environment.
   */
  second(): Environment {
    this.#second ??= new Environment(this.#options, this)
    return this.#second
  }

  /** Closes the files, also for the second handle. */
  async close(): Promise<void> {
    await this.#second?.root.close()
    await this.root.close()
    this.#numbers.close()
  }

  /**
   * Whether the transaction that has begun follows the newest commit, see {@link CommitNumbers.areFollowedBy}. If not, it must return
   * {@link ABORT}, and another transaction must begin: that one follows it.
   */
  followsNewest(): boolean {
    return this.#numbers.areFollowedBy(this.root.getWriteTxnId())
  }

  /** Runs work in a transaction that follows the newest commit. Blocks the event loop until it is on the disk. */
  transactionSync(work: () => unknown): void {
    let follows = false
    while (!follows)
      this.root.transactionSync(() => {
        follows = this.followsNewest()
        return follows ? work() : ABORT
      })
  }

  /** As {@link transactionSync}, without blocking the event loop. The work runs in one turn of it. */
  async transaction(work: () => unknown): Promise<void> {
    let follows = false
    while (!follows)
      await this.root.childTransaction(() => {
        follows = this.followsNewest()
        return follows ? work() : ABORT
      })
  }

  /**
   * True when lmdb begins no more transactions, because the write of a meta page has failed. An asynchronous one would never end. Only
   * outside of transactions.
   */
  get isBroken(): boolean {
    try {
      this.root.resetReadTxn()
      this.state()
      return false
    } catch {
      return true
    }
  }

  /** See {@link CommitNumbers.watch}. */
  watchCommits(): Promise<void> {
    return this.#numbers.watch()
  }

  /** See {@link CommitNumbers.known}. */
  get knownCommit(): number | undefined {
    return this.#numbers.known
  }

  /** See {@link CommitNumbers.newest}. */
  get newestCommit(): bigint {
    return this.#numbers.newest
  }

  /** Opens all tables. Returns that of the format and the versions. */
  #openTables(options: LmdbOptions): LmdbTable {
    const meta = this.#open(META, options)
    checkFormat(meta, options)
    for (const name of tables) this.#tables.set(name, this.#open(name, options))
    return meta
  }

  #open(name: string, options: LmdbOptions): LmdbTable {
    const found: LmdbTable | undefined = this.root.openDB<Buffer, Buffer>({ name, ...binary })
    if (found === undefined) throw missing(options)
    return found
  }

  /** A table of cells. */
  table(name: Table): LmdbTable {
    return this.#tables.get(name)!
  }

  /** The versions of a snapshot; without one, the newest versions. */
  state(snapshot?: LmdbSnapshot): StoreState {
    const bytes = this.#meta.getBinaryFast(STATE, snapshot === undefined ? {} : { transaction: snapshot })
    if (bytes === undefined) return { version: 0, schemaVersion: 0 }
    return { version: bytes.readDoubleBE(0), schemaVersion: bytes.readDoubleBE(8) }
  }

  /** Sets the versions. Only inside a commit. */
  setState({ version, schemaVersion }: StoreState): void {
    const bytes = Buffer.allocUnsafe(16)
    bytes.writeDoubleBE(version, 0)
    bytes.writeDoubleBE(schemaVersion, 8)
    this.#meta.put(STATE, bytes)
  }

  /** A note of the processes that share the files; undefined if there is none. Only inside a commit. */
  note(name: Buffer): Buffer | undefined {
    return this.#meta.getBinary(name)
  }

  /** Sets a note; undefined removes it. Only inside a commit. */
  setNote(name: Buffer, value: Buffer | undefined): void {
    if (value === undefined) this.#meta.remove(name)
    else this.#meta.put(name, value)
  }

  /** The names of the notes that begin with a prefix. Only inside a commit. */
  notes(prefix: Buffer): ReadonlyArray<Buffer> {
    const names: Array<Buffer> = []
    for (const { key } of this.#meta.getRange({ start: prefix })) {
      if (!key.subarray(0, prefix.length).equals(prefix)) break
      names.push(Buffer.from(key))
    }
    return names
  }

  /** See {@link keysIn}. */
  changedRows(version: number, transaction: LmdbSnapshot): ReadonlyArray<Uint8Array> | undefined {
    return keysIn(this.#meta.getBinary(recordName(version), { transaction }), version)
  }

  /** Records the rows that the commits of a version have changed. Only inside a commit. */
  setChangedRows(version: number, changed: ChangedRows): void {
    const record = changed.record(version)
    // A record of an older version says as much as none.
    if (record !== undefined) this.#meta.put(recordName(version), record)
  }
}

/** Checks the format of the files, and writes it into new files. Only inside a transaction, unless they are read-only. */
const checkFormat = (meta: LmdbTable, options: LmdbOptions): void => {
  const found = meta.getBinary(FORMAT)
  if (found === undefined) {
    if (options.readOnly) throw missing(options)
    const format = Buffer.alloc(4)
    format.writeUInt32BE(DISK_VERSION)
    meta.put(FORMAT, format)
    return
  }
  const version = found.readUInt32BE()
  if (version === DISK_VERSION) return
  throw new StorageFailure(
    `The graph in ${options.directory} has the disk format ${version}; this version of the server reads format ${DISK_VERSION}. ` +
      (version > DISK_VERSION
        ? "A newer version wrote it: use that version, or restore a backup of this version."
        : "Export it with the version that wrote it, and import it into a new folder.")
  )
}
