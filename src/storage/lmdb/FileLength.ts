import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { endianness } from "node:os"

/** Bytes of the head of each of lmdb's pages. */
const HEAD = 24
/** Where lmdb's meta page says what the size of a page is, and where the trees of free space and of tables begin. */
const PAGE_SIZE_AT = 48
const ROOTS_AT = [88, 136] as const
const LAST_PAGE_AT = 144
const TRANSACTION_AT = 152
const META_BYTES = 168
/** Where a page keeps what it is, and how many nodes it has. */
const FLAGS_AT = 18
const LOWER_AT = 20
const [BRANCH, LEAF] = [1, 2]
/** A leaf's node whose value lies in pages of its own, or is the head of a table. */
const [LARGE, TABLE] = [1, 2]
/** Where the head of a table has the root of its tree. */
const TABLE_ROOT_AT = 40
const NO_PAGE = 2n ** 64n - 1n

/**
 * True when a file of lmdb ends before a page that is in use: the system ends a process that touches such a page. A
 * file may rightly be shorter than its meta pages say, where the last pages are free and were never written; only then
 * its trees are walked.
 */
export const isCutOff = (path: string): boolean => {
  if (endianness() !== "LE") return false
  const file = openSync(path, "r")
  try {
    return new Walk(file).isCutOff()
  } catch (error) {
    // A page that is no tree's: another process writes meanwhile, or it is damaged in another way.
    if (error instanceof RangeError) return false
    throw error
  } finally {
    closeSync(file)
  }
}

class Walk {
  readonly #file: number
  readonly #size: number
  #pageSize = 0
  /** Pages that were looked at: more than there are means that they lead in circles. */
  #pages = 0

  constructor(file: number) {
    this.#file = file
    this.#size = fstatSync(file).size
  }

  isCutOff(): boolean {
    const first = this.#bytes(0, META_BYTES)
    if (first === undefined) return true
    this.#pageSize = first.readUInt32LE(PAGE_SIZE_AT)
    if (this.#pageSize < 256 || this.#pageSize > 65536) return false
    const second = this.#bytes(this.#pageSize, META_BYTES)
    if (second === undefined) return true
    const isFirst = first.readBigUInt64LE(TRANSACTION_AT) >= second.readBigUInt64LE(TRANSACTION_AT)
    const meta = isFirst ? first : second
    const whole = (Number(meta.readBigUInt64LE(LAST_PAGE_AT)) + 1) * this.#pageSize
    if (this.#size >= whole) return false
    const roots = ROOTS_AT.map((at) => meta.readBigUInt64LE(at))
    return roots.some((root) => this.#misses(root))
  }

  /** Whether the tree that begins at a page has pages behind the end of the file. */
  #misses(root: bigint): boolean {
    const left = [root]
    for (let page = left.pop(); page !== undefined; page = left.pop()) {
      if (page === NO_PAGE) continue
      if (++this.#pages * this.#pageSize > this.#size * 2) throw new RangeError("the pages lead in circles")
      const bytes = this.#bytes(Number(page) * this.#pageSize, this.#pageSize)
      if (bytes === undefined) return true
      const flags = bytes.readUInt16LE(FLAGS_AT)
      const nodes = bytes.readUInt16LE(LOWER_AT) >> 1
      for (let at = 0; at < nodes && (flags & (BRANCH | LEAF)) !== 0; at++) {
        const node = HEAD + bytes.readUInt16LE(HEAD + at * 2)
        const low = bytes.readUInt32LE(node)
        const high = bytes.readUInt16LE(node + 4)
        if ((flags & BRANCH) !== 0) {
          left.push(BigInt(low) + (BigInt(high) << 32n))
          continue
        }
        const data = node + 8 + bytes.readUInt16LE(node + 6)
        if ((high & TABLE) !== 0) left.push(bytes.readBigUInt64LE(data + TABLE_ROOT_AT))
        else if ((high & LARGE) !== 0) {
          const end = Number(bytes.readBigUInt64LE(data)) * this.#pageSize + HEAD + low
          if (end > this.#size) return true
        }
      }
    }
    return false
  }

  #bytes(at: number, length: number): Buffer | undefined {
    if (at + length > this.#size) return undefined
    const bytes = Buffer.alloc(length)
    readSync(this.#file, bytes, 0, length, at)
    return bytes
  }
}
