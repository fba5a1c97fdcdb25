import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs"
import { endianness } from "node:os"

/** The size of the header of a page (MDB_page of lmdb's mdb.c). */
const HEAD_BYTES = 24
/** The offset of the page size in a meta page (MDB_meta). */
export const PAGE_SIZE_OFFSET = 48
/** Offsets in a meta page: the roots of the trees of free pages and of tables. */
const ROOT_OFFSETS = [88, 136] as const
/** The offset of the last used page in a meta page. */
const LAST_PAGE_OFFSET = 144
/** The offset of the number of the transaction that wrote a meta page. */
export const TRANSACTION_OFFSET = 152
/** Bytes that are read of a meta page. */
const META_BYTES = 168
/** Offsets in a page: its flags, and the end of its array of nodes, which gives their number. */
const FLAGS_OFFSET = 18
const LOWER_OFFSET = 20
/** Flags of a page: an inner page or a leaf of a tree. */
const [BRANCH, LEAF] = [1, 2]
/** Flags of a node in a leaf: the value is in overflow pages, or is the record of a table. */
const [LARGE, TABLE] = [1, 2]
/** The offset of the root of the tree in the record of a table (MDB_db). */
const TABLE_ROOT_OFFSET = 40
/** How often a file that other processes write is read. */
const MAX_WALKS = 50
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n

/**
 * True when a file of lmdb ends before a page that is in use: the system ends a process that touches such a page. A
 * correct file may be shorter than its meta pages say, if its last pages are free and were never written. Only in this
 * case the trees are read.
 */
export const isCutOff = (path: string): boolean => {
  if (endianness() !== "LE") return false
  const file = openSync(path, "r")
  try {
    // Another process may commit during the walk: pages that the walk has yet to read may then have other contents.
    for (let attempt = 0; attempt < MAX_WALKS; attempt++) {
      const walk = new Walk(file)
      if (!walk.isCutOff()) return false
      if (walk.transaction === new Walk(file).transaction) return true
    }
    return false
  } catch (error) {
    // The page is not a page of a tree: another process is writing, or the file is damaged in another way.
    if (error instanceof RangeError) return false
    throw error
  } finally {
    closeSync(file)
  }
}

/** The number of the newest transaction in a file of lmdb; undefined for a file that does not exist, or is incomplete. */
export const newestTransaction = (path: string): bigint | undefined => {
  if (endianness() !== "LE" || !existsSync(path)) return undefined
  const file = openSync(path, "r")
  try {
    return new Walk(file).transaction
  } finally {
    closeSync(file)
  }
}

/** The first bytes of a file: fewer if it is shorter. Throws the error of the system when it cannot be read. */
export const firstBytes = (path: string, count: number): Buffer => {
  const file = openSync(path, "r")
  try {
    const bytes = Buffer.alloc(count)
    return bytes.subarray(0, readSync(file, bytes, 0, count, 0))
  } finally {
    closeSync(file)
  }
}

/** The offset of the number of the newest transaction in the lock file (mti_txnid of lmdb's mdb.c). */
export const KNOWN_OFFSET = 8
/** The bytes of a lock file up to the end of this number. */
export const KNOWN_BYTES = 16

/**
 * The number of the newest transaction that a lock file of lmdb knows: it keeps the number after the last process has closed
 * the files. 0 for a new file, and without a file.
 */
export const knownTransactions = (lockPath: string): bigint => {
  if (endianness() !== "LE" || !existsSync(lockPath)) return 0n
  const head = firstBytes(lockPath, KNOWN_BYTES)
  return head.length < KNOWN_BYTES ? 0n : head.readBigUInt64LE(KNOWN_OFFSET)
}

class Walk {
  readonly #file: number
  readonly #size: number
  readonly #pageSize: number
  /** The newer meta page; undefined for a file without one. */
  readonly #meta: Buffer | undefined
  readonly #hasMetas: boolean
  /** The number of pages that were read. More pages than the file has indicate a cycle. */
  #pages = 0

  constructor(file: number) {
    this.#file = file
    const first = this.#bytes(0, META_BYTES)
    this.#pageSize = first?.readUInt32LE(PAGE_SIZE_OFFSET) ?? 0
    const isKnown = this.#pageSize >= 256 && this.#pageSize <= 65536
    const second = isKnown ? this.#bytes(this.#pageSize, META_BYTES) : undefined
    this.#meta = second === undefined || transactionOf(first!) >= transactionOf(second) ? first : second
    this.#hasMetas = first !== undefined && (second !== undefined || !isKnown)
    // A commit writes its pages before its meta page, so the size that follows contains them.
    this.#size = fstatSync(file).size
  }

  /** The newest transaction in the file. */
  get transaction(): bigint | undefined {
    return this.#meta === undefined ? undefined : transactionOf(this.#meta)
  }

  isCutOff(): boolean {
    const meta = this.#meta
    if (meta === undefined || !this.#hasMetas) return true
    if (this.#pageSize < 256 || this.#pageSize > 65536) return false
    const whole = (Number(meta.readBigUInt64LE(LAST_PAGE_OFFSET)) + 1) * this.#pageSize
    if (this.#size >= whole) return false
    const roots = ROOT_OFFSETS.map((at) => meta.readBigUInt64LE(at))
    return roots.some((root) => this.#misses(root))
  }

  /** True when the tree with this root has pages after the end of the file. */
  #misses(root: bigint): boolean {
    const left = [root]
    for (let page = left.pop(); page !== undefined; page = left.pop()) {
      if (page === NO_PAGE) continue
      if (++this.#pages * this.#pageSize > this.#size * 2) throw new RangeError("the pages form a cycle")
      const bytes = this.#bytes(Number(page) * this.#pageSize, this.#pageSize)
      if (bytes === undefined) return true
      const flags = bytes.readUInt16LE(FLAGS_OFFSET)
      const nodes = bytes.readUInt16LE(LOWER_OFFSET) >> 1
      for (let at = 0; at < nodes && (flags & (BRANCH | LEAF)) !== 0; at++) {
        const node = HEAD_BYTES + bytes.readUInt16LE(HEAD_BYTES + at * 2)
        const low = bytes.readUInt32LE(node)
        const high = bytes.readUInt16LE(node + 4)
        if ((flags & BRANCH) !== 0) {
          left.push(BigInt(low) + (BigInt(high) << 32n))
          continue
        }
        const data = node + 8 + bytes.readUInt16LE(node + 6)
        if ((high & TABLE) !== 0) left.push(bytes.readBigUInt64LE(data + TABLE_ROOT_OFFSET))
        else if ((high & LARGE) !== 0) {
          const end = Number(bytes.readBigUInt64LE(data)) * this.#pageSize + HEAD_BYTES + low
          if (end > this.#size) return true
        }
      }
    }
    return false
  }

  #bytes(at: number, length: number): Buffer | undefined {
    if (at > Number.MAX_SAFE_INTEGER) return undefined
    const bytes = Buffer.alloc(length)
    return readSync(this.#file, bytes, 0, length, at) < length ? undefined : bytes
  }
}

const transactionOf = (meta: Buffer): bigint => meta.readBigUInt64LE(TRANSACTION_OFFSET)
