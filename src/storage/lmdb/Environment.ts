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

export interface ReadFrom {
  readonly transaction?: LmdbSnapshot
}

export interface RangeFrom extends ReadFrom {
  readonly start: Uint8Array
  readonly exclusiveStart?: boolean
  readonly reverse?: boolean
  readonly limit?: number
}

/**
 * What is used of a table of lmdb; keys and values are bytes. Without a snapshot reads are of the newest state, inside
 * of a commit of that which the commit has made of it.
 */
export interface LmdbTable {
  getBinary(key: Buffer, from?: ReadFrom): Buffer | undefined
  /** The buffer is overwritten by the next read. Its `length` is right, that of the memory below it is not. */
  getBinaryFast(key: Buffer, from?: ReadFrom): Buffer | undefined
  getRange(range: RangeFrom): Iterable<{ readonly key: Buffer; readonly value: Buffer }>
  put(key: Buffer, value: Buffer): unknown
  remove(key: Buffer): unknown
}

/** The format of what this adapter writes: its chunks and names. An older one is upgraded here when there is one. */
export const DISK_VERSION = 1

/** The file of the cells, in the folder of the graph; lmdb's own lock file lies beside it. */
export const FILE = "graph.mdb"

const META = "engine_meta"
const FORMAT = Buffer.from("format")
const STATE = Buffer.from("state")

/** How commits reach the disk (`storage.lmdb.sync`): answered when they are there, or before. */
export type SyncMode = "durable" | "none"

export interface LmdbOptions {
  /** Absolute path of the folder; made when it is not there. */
  readonly directory: string
  readonly sync: SyncMode
  /** Neither the files nor the folder are changed. */
  readonly readOnly: boolean
}

/** Numbers that each commit advances in the same transaction. */
export interface StoreState {
  readonly version: number
  readonly schemaVersion: number
}

const binary = { encoding: "binary", keyEncoding: "binary" } as const

/** The open files of lmdb. While one of them is in a transaction that writes, all that it reads is read from that. */
export class Environment {
  readonly root: RootDatabase<Buffer, Buffer>
  readonly #options: LmdbOptions
  readonly #meta: LmdbTable
  readonly #tables = new Map<Table, LmdbTable>()
  #second: Environment | undefined

  /** Throws StorageFailure when the files cannot be opened, or are of a format that this version does not know. */
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
   * The same files, opened a second time: for a transaction that writes over several turns of the event loop, while
   * snapshots are read from this one.
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
        // Another process may have been faster.
        if (this.#meta.getBinary(FORMAT) === undefined) this.#meta.put(FORMAT, format)
      })
      return
    }
    const version = found.readUInt32BE()
    if (version === DISK_VERSION) return
    throw new StorageFailure(
      `The graph in ${directory} has the disk format ${version}; this version of the server reads format ${DISK_VERSION}. ` +
        (version > DISK_VERSION
          ? "It was written by a newer version: use that one, or restore a backup made with this one."
          : "Export it with the version that wrote it, and import it into a new folder.")
    )
  }

  table(name: Table): LmdbTable {
    return this.#tables.get(name)!
  }

  /** The state that a snapshot has, or inside a commit the newest one. */
  state(snapshot?: LmdbSnapshot): StoreState {
    const bytes = this.#meta.getBinaryFast(STATE, snapshot === undefined ? {} : { transaction: snapshot })
    if (bytes === undefined) return { version: 0, schemaVersion: 0 }
    return { version: bytes.readDoubleBE(0), schemaVersion: bytes.readDoubleBE(8) }
  }

  /** Only inside a commit. */
  setState({ version, schemaVersion }: StoreState): void {
    const bytes = Buffer.allocUnsafe(16)
    bytes.writeDoubleBE(version, 0)
    bytes.writeDoubleBE(schemaVersion, 8)
    this.#meta.put(STATE, bytes)
  }
}

/**
 * Makes the folder when it is not there. Throws StorageFailure when it cannot, when the graph is only to be read, or
 * when a graph of JanusGraph is there in place of one of this server.
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

/** What lmdb's pages of its own begin with, behind their heads of 24 bytes; in the order of bytes of the machine. */
const MAGIC = 0xbeefc0de
const MAGIC_AT = 24
/** lmdb's own version of its files, behind the magic. */
const FILE_VERSION = 2
const HEAD = 32

/** lmdb ends the process when it is given a file that it cannot read. */
const checkFile = (options: LmdbOptions): void => {
  const path = `${options.directory}/${FILE}`
  if (!existsSync(path)) return
  const head = Buffer.alloc(HEAD)
  let length: number
  const file = openSync(path, "r")
  try {
    length = readSync(file, head, 0, HEAD, 0)
  } finally {
    closeSync(file)
  }
  // An empty file is one that was just made.
  if (length === 0) return
  const [magic, version] = [MAGIC_AT, MAGIC_AT + 4].map((at) =>
    endianness() === "LE" ? head.readUInt32LE(at) : head.readUInt32BE(at)
  )
  if (length < HEAD || magic !== MAGIC) throw new Error(`${path} is not a file of this server`)
  if (version !== FILE_VERSION) {
    throw new Error(`${path} is of version ${version} of lmdb's files, and this server reads version ${FILE_VERSION}`)
  }
  if (isCutOff(path)) {
    throw new StorageFailure(
      `${path} is shorter than what is in it: a part of the file is missing. Restore the graph from a backup ` +
        "(engine-server restore)."
    )
  }
}

/** Read transactions that there may be at a time, and what lmdb's file of them takes. */
const READERS = 4096
const READER_BYTES = READERS * 64 + 208
/** Room on the disk without which no graph is begun. */
const LEAST_ROOM = 1024 * 1024

/**
 * lmdb maps its file of readers, and the system ends a process that touches a part of a file for which a full disk has
 * no room: so it is made with all its bytes. Nor does lmdb survive a disk that is too full for a new graph.
 */
const makeRoom = ({ directory }: LmdbOptions): void => {
  const readers = `${directory}/${FILE}-lock`
  if (!existsSync(`${directory}/${FILE}`)) {
    const { bavail, bsize } = statfsSync(directory)
    if (bavail * bsize < LEAST_ROOM)
      throw new Error(`there is no room on the disk for a new graph, which begins with 1 MB`)
  }
  if (existsSync(readers)) return
  try {
    writeFileSync(readers, Buffer.alloc(READER_BYTES), { flag: "wx" })
  } catch (cause) {
    // Another process of the same server may have been faster.
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
      maxReaders: READERS,
      // A commit is answered once it is on the disk, and nobody reads what is not there yet.
      overlappingSync: false,
      // Transactions are grouped here; lmdb's own grouping has promises that nobody waits for and that fail.
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
  new StorageFailure(`There is no graph in ${directory} yet, and storage.read-only=true forbids to make one.`)

const unusable = ({ directory, readOnly }: LmdbOptions, cause: unknown): StorageFailure =>
  new StorageFailure(
    `The files of the graph in ${directory} cannot be opened (${reasonOf(cause)}). ` +
      (readOnly
        ? "Look whether this user may read them: also graph.mdb-lock is needed."
        : "Look whether this user may write the folder, and whether graph.mdb is a file of this server; " +
          "to only read a graph, set storage.read-only=true."),
    { cause }
  )
