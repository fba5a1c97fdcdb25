import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs"
import { endianness } from "node:os"
import { StorageFailure, StorageUnavailable } from "../../structure/errors/StoreErrors.ts"
import { type Mapping, mapFile } from "../shared/MappedFile.ts"
import { KNOWN_BYTES, KNOWN_OFFSET, PAGE_SIZE_OFFSET, TRANSACTION_OFFSET } from "./FileLength.ts"
import { FILE, type LmdbOptions } from "./GraphFiles.ts"

/** The files that lmdb uses. */
const FILES = [FILE, `${FILE}-lock`]

/** How often a transaction begins again because it does not follow the newest commit. The second one follows it. */
const MAX_BEGINS = 10

/** The halves of a number of eight bytes, as indices of an array of words. */
const [LOW, HIGH] = endianness() === "LE" ? [0, 1] : [1, 0]
const HIGH_UNIT = 2 ** 32

/**
 * The numbers of the commits in the files of lmdb. A transaction begins from the commit whose number the lock file names. An opening by
 * another process may set that number back (see Opening.ts): a commit of a transaction that begins from an older commit would undo
 * the newer ones, and overwrite pages that are in use. The newest commit is always in the data file.
 */
export class CommitNumbers {
  readonly #directory: string
  readonly #mayBeRemoved: boolean
  /** Eight bytes of a file, in the byte order of the machine. */
  readonly #number = new BigUint64Array(1)
  readonly #bytes = new Uint8Array(this.#number.buffer)
  readonly #halves = new Uint32Array(this.#number.buffer)
  #file: number | undefined
  #pageSize = 0
  #lock: number | undefined
  #mapping: Mapping | undefined
  /** The number in the lock file, which lmdb changes. */
  #known: Uint32Array | undefined
  /** The numbers of the data file and the lock file, as the first transaction has found them. */
  #inodes: ReadonlyArray<number> | undefined
  /** The transactions in a row that did not follow the newest commit. */
  #begins = 0

  constructor({ directory, temporary = false }: Pick<LmdbOptions, "directory" | "temporary">) {
    this.#directory = directory
    this.#mayBeRemoved = temporary
  }

  /** The number of the newest commit in the data file. Throws an error of the file system. */
  get newest(): bigint {
    this.#file ??= openSync(`${this.#directory}/${FILE}`, "r")
    const file = this.#file
    if (this.#pageSize === 0) {
      this.#read(file, PAGE_SIZE_OFFSET)
      this.#pageSize = this.#halves[0]!
    }
    const first = this.#read(file, TRANSACTION_OFFSET)
    const second = this.#read(file, this.#pageSize + TRANSACTION_OFFSET)
    if (first > second) return first
    return second
  }

  #read(file: number, position: number): bigint {
    readSync(file, this.#bytes, 0, this.#bytes.length, position)
    return this.#number[0]!
  }

  /**
   * Whether the transaction that has begun follows the newest commit. If not, the next one does. Call it in a write transaction
   * with its number, before its first write: no other process commits meanwhile. Throws StorageUnavailable when the number stays wrong, and
   * StorageFailure when a file was removed: this commit would be lost with it, or other processes would use another lock file.
   */
  areFollowedBy(begun: number): boolean {
    this.#checkFiles()
    const { newest } = this
    const isNext = BigInt(begun) > newest
    this.#begins = isNext ? 0 : this.#begins + 1
    if (isNext) return true
    if (this.#begins % MAX_BEGINS === 0) throw notFollowing(this.#directory)
    this.#setKnown(newest)
    return false
  }

  #checkFiles(): void {
    // A graph in memory goes on when the system cleans the folder of temporary files.
    if (this.#mayBeRemoved) return
    // By their names: a file that was renamed, or that a backup links, still exists. Nor may the lock file be closed, see #openLock.
    const inodes = FILES.map((name) => statSync(`${this.#directory}/${name}`, { throwIfNoEntry: false })?.ino ?? NaN)
    this.#inodes ??= inodes
    const at = this.#inodes.findIndex((inode, i) => inode !== inodes[i])
    if (at >= 0) throw removed(this.#directory, FILES[at]!)
  }

  /**
   * Call it after the files were opened to read only. This opening may have set the number back, and begins no write transaction: all
   * processes would read an older commit until the next write. Where this process must not write the lock file, nothing was set back.
   */
  correct(): void {
    try {
      // Another process may commit before the write, which then sets the number back: it is read again.
      for (let { newest } = this; this.#read(this.#openLock(), KNOWN_OFFSET) < newest; newest = this.newest)
        this.#setKnown(newest)
    } catch {
      // There is no lock file, or the next write transaction of another process corrects the number.
    }
  }

  /**
   * Maps the lock file, so that {@link known} has a value. Where it cannot be mapped, there is none. Call it while lmdb has the files
   * open: its lock file has been complete since then.
   */
  async watch(): Promise<void> {
    try {
      this.#mapping = await mapFile(this.#openLock(), KNOWN_BYTES)
      this.#known = new Uint32Array(this.#mapping.buffer, KNOWN_OFFSET, 2)
    } catch {
      // Read transactions are then renewed without need.
    }
  }

  /** The number of the commit from which a read transaction begins now; undefined without {@link watch}. */
  get known(): number | undefined {
    const known = this.#known
    return known === undefined ? undefined : Atomics.load(known, HIGH) * HIGH_UNIT + Atomics.load(known, LOW)
  }

  #setKnown(number: bigint): void {
    const lock = this.#openLock()
    this.#number[0] = number
    writeSync(lock, this.#bytes, 0, this.#bytes.length, KNOWN_OFFSET)
  }

  #openLock(): number {
    // Open until the files are closed: the system releases all locks of a process on a file when the process closes it once.
    this.#lock ??= openSync(`${this.#directory}/${FILE}-lock`, "r+")
    return this.#lock
  }

  /** Call it when the files are closed. */
  close(): void {
    this.#known = undefined
    this.#mapping?.unmap()
    this.#mapping = undefined
    for (const file of [this.#file, this.#lock]) if (file !== undefined) closeSync(file)
    this.#file = undefined
    this.#lock = undefined
  }
}

const notFollowing = (directory: string): StorageUnavailable =>
  new StorageUnavailable(
    `Nothing was written to the graph in ${directory}: the transaction did not begin from the newest commit. Run the request again.`
  )

const removed = (directory: string, name: string): StorageFailure =>
  new StorageFailure(
    `Nothing was written to the graph in ${directory}: the file ${name} was removed, renamed or replaced while this process uses it. ` +
      `Stop all processes that use the folder. If ${FILE} is not there, restore the graph from a backup (engine-server restore). ` +
      "Then start again."
  )
