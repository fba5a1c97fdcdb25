import { randomUUID } from "node:crypto"
import { accessSync, constants, existsSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { endianness } from "node:os"
import { dirname } from "node:path"
import { open, type RootDatabase } from "lmdb"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { tables } from "../janusgraph/cells/CellStore.ts"
import { DATA_FILE_MODE, makeFolders } from "../shared/Folders.ts"
import { syncFolder } from "../shared/Synced.ts"
import { refuseBerkeley } from "./Berkeley.ts"
import { firstBytes, isCutOff, knownTransactions } from "./FileLength.ts"
import { isOpen } from "./FileLocks.ts"
import { makeLink } from "./HardLinks.ts"

/** The data file in the folder of the graph. lmdb's lock file is next to it. */
export const FILE = "graph.mdb"

/** Whether commits wait until they are on the disk (`storage.lmdb.sync`). */
export type SyncMode = "durable" | "none"

/** The options of the files. */
export interface LmdbOptions {
  /** The absolute path of the folder, which is created if necessary. */
  readonly directory: string
  readonly sync: SyncMode
  /** Changes neither the files nor the folder. */
  readonly readOnly: boolean
  /** Opening fails where there is no graph yet, and creates none. Default false. */
  readonly mustExist?: boolean
  /** Nothing needs the files after this process. Default false. */
  readonly temporary?: boolean
}

/** The encodings of a table: keys and values are bytes. */
export const binary = { encoding: "binary", keyEncoding: "binary" } as const

/** The mode of new files. The types of lmdb do not have this option. */
export const dataMode = { permissionsMode: DATA_FILE_MODE } as const

/**
 * Creates the folder if there is no graph. Throws StorageFailure when it cannot be created, when the graph is
 * read-only or must exist, or when the folder has a graph of JanusGraph.
 */
export const makeFolder = (options: LmdbOptions): void => {
  const { directory, mustExist = false, readOnly } = options
  if (existsSync(`${directory}/${FILE}`)) return
  refuseBerkeley(directory)
  if (readOnly || mustExist) throw missing(options)
  try {
    makeFolders(directory)
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
  const head = firstBytes(path, HEAD_BYTES)
  if (head.length === 0) {
    // Another process has just created the file, unless the lock file knows commits.
    if (knownTransactions(`${path}-lock`) === 0n) return
    throw new StorageFailure(
      `${path} is empty, but the graph had contents. Restore the graph from a backup (engine-server restore), or remove ` +
        "the file to begin with an empty graph."
    )
  }
  const foreign = `${path} is not a file of this server`
  if (head.length < HEAD_BYTES) throw new Error(foreign)
  const [magic, version] = [MAGIC_OFFSET, MAGIC_OFFSET + 4].map((at) =>
    endianness() === "LE" ? head.readUInt32LE(at) : head.readUInt32BE(at)
  )
  if (magic !== MAGIC) throw new Error(foreign)
  if (version !== FILE_VERSION) {
    throw new Error(
      `${path} has version ${version} of lmdb's file format, and this server reads version ${FILE_VERSION}`
    )
  }
  // A process that has the files open has checked them, and works with them. To read the trees may take long, and other processes cannot
  // commit during an opening.
  if (!isOpen(`${path}-lock`) && isCutOff(path)) {
    throw new StorageFailure(
      `${path} is shorter than its contents: a part of the file is missing. Restore the graph from a backup ` +
        "(engine-server restore)."
    )
  }
}

/** The maximum number of concurrent read transactions. */
export const MAX_READERS = 4096
/** The size of lmdb's lock file, which has the table of readers. */
const LOCK_FILE_BYTES = MAX_READERS * 64 + 208
/** The free disk space that a new graph needs. */
const MIN_FREE_BYTES = 1024 * 1024

/**
 * Reserves disk space for the lock file of a file of lmdb, and for the file itself if it is new. `what` names its contents. lmdb
 * maps the lock file into memory. The system ends a process that touches a mapped page for which the disk has no room, so the
 * file is created with all its bytes. lmdb also does not survive a disk that is too full for a new file. Throws an Error.
 */
export const makeRoom = (path: string, what: string): void => {
  const readers = `${path}-lock`
  if (!existsSync(path)) {
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize < MIN_FREE_BYTES)
      throw new Error(`there is no room on the disk for ${what}, which begins with 1 MB`)
  }
  if (existsSync(readers)) return
  // Another process of the same server may open the file as soon as it exists, so it is complete from the start.
  const beside = `${readers}.${randomUUID()}`
  try {
    writeFileSync(beside, Buffer.alloc(LOCK_FILE_BYTES), { flag: "wx", mode: DATA_FILE_MODE })
    makeLink(beside, readers)
  } catch (cause) {
    // Another process of the same server may have created it since.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  } finally {
    rmSync(beside, { force: true })
  }
}

/**
 * Throws for a lock file that this user must not write: lmdb then reads without its table of readers, and a server would write over the
 * pages that are being read. A read-only file system has another error: nobody should write there. It may be a read-only mount of a folder
 * that a server writes elsewhere, which this process cannot see. lmdb creates a file that is missing.
 */
const checkReaders = ({ directory }: LmdbOptions): void => {
  const readers = `${directory}/${FILE}-lock`
  try {
    accessSync(readers, constants.R_OK | constants.W_OK)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EACCES") return
    throw new StorageFailure(
      `This user may not write ${readers}, so that a server could write over what is being read, and the answers would be wrong. Read ` +
        "the graph as the user of the server, or read a copy of a backup (engine-server backup).",
      { cause }
    )
  }
}

/**
 * Opens the files with lmdb. Throws StorageFailure when lmdb cannot read them, or the disk has no room for them.
 */
export const openFiles = (options: LmdbOptions): RootDatabase<Buffer, Buffer> => {
  const { directory, readOnly, sync } = options
  const path = `${directory}/${FILE}`
  try {
    checkFile(options)
    if (readOnly) checkReaders(options)
    else makeRoom(path, "a new graph")
    const isNew = !existsSync(path)
    const root = open<Buffer, Buffer>({
      path,
      noSubdir: true,
      maxDbs: tables.length + 4,
      maxReaders: MAX_READERS,
      // A commit becomes visible when it is on the disk, not before.
      overlappingSync: false,
      // GroupCommit groups commits. lmdb's batching has promises whose rejections cannot be handled.
      eventTurnBatching: false,
      noSync: sync === "none",
      readOnly,
      ...dataMode,
      ...binary
    })
    // lmdb syncs what it writes, but not the name of a new file.
    if (isNew && sync === "durable") syncFolder(directory)
    return root
  } catch (cause) {
    throw cause instanceof StorageFailure ? cause : unusable(options, cause)
  }
}

/** The error of a graph that does not exist and must not be created. */
export const missing = ({ directory, readOnly }: LmdbOptions): StorageFailure =>
  new StorageFailure(
    readOnly
      ? `There is no graph in ${directory}, and storage.read-only=true forbids creating one.`
      : `There is no graph in ${directory}. Check storage.directory, and the folder where relative paths start ` +
          "(SERVICE_HOME, or else the working directory). The first start of the server creates a graph."
  )

/** The error of files that cannot be opened, with what to do. */
export const unusable = ({ directory, readOnly }: LmdbOptions, cause: unknown): StorageFailure =>
  new StorageFailure(
    `The files of the graph in ${directory} cannot be opened (${reasonOf(cause)}). ` +
      (readOnly
        ? "Check that this user may read them, and write graph.mdb-lock."
        : "Check that this user may write the folder, and that graph.mdb is a file of this server; " +
          "to only read a graph, set storage.read-only=true."),
    { cause }
  )
