import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { endianness } from "node:os"
import { open, type RootDatabase, type Transaction } from "lmdb"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { type Table, tables } from "../janusgraph/cells/CellStore.ts"
import { refuseBerkeley } from "./Berkeley.ts"
import { reasonOf } from "./Failures.ts"
import { isCutOff } from "./FileLength.ts"

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

/** The data file in the folder of the graph. lmdb's lock file is next to it. */
export const FILE = "graph.mdb"

const META = "engine_meta"
const FORMAT = Buffer.from("format")
const STATE = Buffer.from("state")

/** Whether commits wait until they are on the disk (`storage.lmdb.sync`). */
export type SyncMode = "durable" | "none"

/** The options of the files. */
export interface LmdbOptions {
  /** The absolute path of the folder, which is created if necessary. */
  readonly directory: string
  readonly sync: SyncMode
  /** Changes neither the files nor the folder. */
  readonly readOnly: boolean
}

/** The versions of a CellSnapshot. A commit advances them in its transaction. */
export interface StoreState {
  readonly version: number
  readonly schemaVersion: number
}

const binary = { encoding: "binary", keyEncoding: "binary" } as const

/**
 * The open files of lmdb. While a write transaction of an environment is open, all of its reads see that transaction.
 */
export class Environment {
  readonly root: RootDatabase<Buffer, Buffer>
  readonly #options: LmdbOptions
  readonly #meta: LmdbTable
  readonly #tables = new Map<Table, LmdbTable>()
  #second: Environment | undefined

  /** Throws StorageFailure when the files cannot be opened, or have an unknown format. */
  constructor(options: LmdbOptions) {
    this.#options = options
    this.root = openFiles(options)
    try {
      this.#meta = this.#open(META, options)
      this.#checkFormat(options)
      for (const name of tables) this.#tables.set(name, this.#open(name, options))
    } catch (cause) {
      void this.root.close()
      throw cause instanceof StorageFailure ? cause : unusable(options, cause)
    }
  }

  /**
   * The same files, opened a second time. It is for a write transaction over several turns of the event loop, during
   * which snapshots are read from this environment.
   */
  second(): Environment {
    this.#second ??= new Environment(this.#options)
    return this.#second
  }

  async close(): Promise<void> {
    await this.#second?.close()
    await this.root.close()
  }

  #open(name: string, options: LmdbOptions): LmdbTable {
    const found: LmdbTable | undefined = this.root.openDB<Buffer, Buffer>({ name, ...binary })
    if (found === undefined) throw missing(options)
    return found
  }

  #checkFormat(options: LmdbOptions): void {
    const { directory, readOnly } = options
    const found = this.#meta.getBinary(FORMAT)
    if (found === undefined) {
      if (readOnly) throw missing(options)
      this.root.transactionSync(() => {
        const format = Buffer.alloc(4)
        format.writeUInt32BE(DISK_VERSION)
        // Another process may have written it since.
        if (this.#meta.getBinary(FORMAT) === undefined) this.#meta.put(FORMAT, format)
      })
      return
    }
    const version = found.readUInt32BE()
    if (version === DISK_VERSION) return
    throw new StorageFailure(
      `The graph in ${directory} has the disk format ${version}; this version of the server reads format ${DISK_VERSION}. ` +
        (version > DISK_VERSION
          ? "A newer version wrote it: use that version, or restore a backup of this version."
          : "Export it with the version that wrote it, and import it into a new folder.")
    )
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
}

/**
 * Creates the folder if there is no graph. Throws StorageFailure when it cannot be created, when the graph is
 * read-only, or when the folder has a graph of JanusGraph.
 */
export const makeFolder = (options: LmdbOptions): void => {
  const { directory, readOnly } = options
  if (existsSync(`${directory}/${FILE}`)) return
  refuseBerkeley(directory)
  if (readOnly) throw missing(options)
  try {
    mkdirSync(directory, { recursive: true })
  } catch (cause) {
    throw unusable(options, cause)
  }
}

/** The magic number of lmdb's meta pages (MDB_MAGIC), in the byte order of the machine. */
const MAGIC = 0xbeefc0de
/** The offset of the magic number, after the header of the page. */
const MAGIC_OFFSET = 24
/** The version of lmdb's file format, which follows the magic number. */
const FILE_VERSION = 2
/** Bytes that are read of a file. */
const HEAD_BYTES = 32

/** Throws for a file that lmdb cannot read: lmdb would end the process. */
const checkFile = (options: LmdbOptions): void => {
  const path = `${options.directory}/${FILE}`
  if (!existsSync(path)) return
  const head = Buffer.alloc(HEAD_BYTES)
  let length: number
  const file = openSync(path, "r")
  try {
    length = readSync(file, head, 0, HEAD_BYTES, 0)
  } finally {
    closeSync(file)
  }
  // An empty file was just created.
  if (length === 0) return
  const [magic, version] = [MAGIC_OFFSET, MAGIC_OFFSET + 4].map((at) =>
    endianness() === "LE" ? head.readUInt32LE(at) : head.readUInt32BE(at)
  )
  if (length < HEAD_BYTES || magic !== MAGIC) throw new Error(`${path} is not a file of this server`)
  if (version !== FILE_VERSION) {
    throw new Error(
      `${path} has version ${version} of lmdb's file format, and this server reads version ${FILE_VERSION}`
    )
  }
  if (isCutOff(path)) {
    throw new StorageFailure(
      `${path} is shorter than its contents: a part of the file is missing. Restore the graph from a backup ` +
        "(engine-server restore)."
    )
  }
}

/** The maximum number of concurrent read transactions. */
const MAX_READERS = 4096
/** The size of lmdb's lock file, which has the table of readers. */
const LOCK_FILE_BYTES = MAX_READERS * 64 + 208
/** The free disk space that a new graph needs. */
const MIN_FREE_BYTES = 1024 * 1024

/**
 * Reserves disk space for the lock file and a new graph. lmdb maps the lock file into memory. The system ends a process
 * that touches a mapped page for which the disk has no room, so the file is created with all its bytes. lmdb also does
 * not survive a disk that is too full for a new graph.
 */
const makeRoom = ({ directory }: LmdbOptions): void => {
  const readers = `${directory}/${FILE}-lock`
  if (!existsSync(`${directory}/${FILE}`)) {
    const { bavail, bsize } = statfsSync(directory)
    if (bavail * bsize < MIN_FREE_BYTES)
      throw new Error(`there is no room on the disk for a new graph, which begins with 1 MB`)
  }
  if (existsSync(readers)) return
  try {
    writeFileSync(readers, Buffer.alloc(LOCK_FILE_BYTES), { flag: "wx" })
  } catch (cause) {
    // Another process of the same server may have created it since.
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return
    rmSync(readers, { force: true })
    throw cause
  }
}

const openFiles = (options: LmdbOptions): RootDatabase<Buffer, Buffer> => {
  const { directory, readOnly, sync } = options
  try {
    checkFile(options)
    if (!readOnly) makeRoom(options)
    return open<Buffer, Buffer>({
      path: `${directory}/${FILE}`,
      noSubdir: true,
      maxDbs: tables.length + 4,
      maxReaders: MAX_READERS,
      // A commit becomes visible when it is on the disk, not before.
      overlappingSync: false,
      // GroupCommit groups commits. lmdb's batching has promises whose rejections cannot be handled.
      eventTurnBatching: false,
      noSync: sync === "none",
      readOnly,
      ...binary
    })
  } catch (cause) {
    throw cause instanceof StorageFailure ? cause : unusable(options, cause)
  }
}

const missing = ({ directory }: LmdbOptions): StorageFailure =>
  new StorageFailure(`There is no graph in ${directory}, and storage.read-only=true forbids creating one.`)

const unusable = ({ directory, readOnly }: LmdbOptions, cause: unknown): StorageFailure =>
  new StorageFailure(
    `The files of the graph in ${directory} cannot be opened (${reasonOf(cause)}). ` +
      (readOnly
        ? "Check that this user may read them, including graph.mdb-lock."
        : "Check that this user may write the folder, and that graph.mdb is a file of this server; " +
          "to only read a graph, set storage.read-only=true."),
    { cause }
  )
