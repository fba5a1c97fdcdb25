import type { types } from "cassandra-driver"
import { type CellPacker, type Cells, noCells } from "../janusgraph/cells/Cells.ts"
import type { Column } from "./ColumnStore.ts"

/**
 * Rows of an answer as the native protocol has them: for each row its columns, each a length of four bytes and the bytes.
 * The last two columns are `column1` and `value`. `key` may precede them.
 */
export interface RowBlock {
  readonly bytes: Buffer
  /** Where the first row begins. */
  readonly start: number
  /** Number of rows. */
  readonly count: number
  /** The paging state of the next page; undefined for the last page. */
  readonly next: Buffer | undefined
}

/** A cursor over the rows of a block. Its offsets into {@link bytes} are those of the current row. */
export class RowCursor {
  readonly bytes: Buffer
  readonly #hasKey: boolean
  #at: number
  #left: number
  keyStart = 0
  keyEnd = 0
  columnStart = 0
  columnEnd = 0
  valueStart = 0
  valueEnd = 0

  /** `hasKey`: the rows begin with `key`. */
  constructor(block: RowBlock, hasKey: boolean) {
    this.bytes = block.bytes
    this.#hasKey = hasKey
    this.#at = block.start
    this.#left = block.count
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    if (this.#left-- <= 0) return false
    const { bytes } = this
    let at = this.#at
    if (this.#hasKey) {
      this.keyStart = at + 4
      this.keyEnd = at = endOf(bytes, at)
    }
    this.columnStart = at + 4
    this.columnEnd = at = endOf(bytes, at)
    this.valueStart = at + 4
    this.valueEnd = this.#at = endOf(bytes, at)
    return true
  }

  /** A copy of the key. */
  key(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.bytes, this.keyStart, this.keyEnd)
  }

  /** The bytes of the key as text, for maps. */
  keyName(): string {
    return Buffer.prototype.latin1Slice.call(this.bytes, this.keyStart, this.keyEnd)
  }

  /** True when the key of the current row has these bytes. */
  isKey(key: Uint8Array): boolean {
    const { bytes, keyEnd, keyStart } = this
    if (keyEnd - keyStart !== key.length) return false
    for (let i = 0; i < key.length; i++) if (bytes[keyStart + i] !== key[i]) return false
    return true
  }

  /** A copy of the current cell. */
  cell(): Column {
    const { bytes, columnEnd, columnStart, valueEnd, valueStart } = this
    return {
      column: Buffer.from(bytes.subarray(columnStart, columnEnd)),
      value: Buffer.from(bytes.subarray(valueStart, valueEnd))
    }
  }

  /** Adds the current cell to a packer. */
  packInto(packer: CellPacker): void {
    packer.addRange(this.bytes, this.columnStart, this.columnEnd, this.valueStart, this.valueEnd)
  }
}

/**
 * Where the bytes that begin with their length at `at` end. A negative length is a null, which has no bytes. Throws if the length is
 * not in the bytes. Reads byte by byte: a call of `readInt32BE` costs a row more than the rest of this class.
 */
const endOf = (bytes: Buffer, at: number): number => {
  if (at + 4 > bytes.length) throw new RangeError("A row of an answer ends after the answer")
  const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  return length > 0 ? at + 4 + length : at + 4
}

/** Rows that the driver has decoded, as a block. */
export const blockOf = (rows: ReadonlyArray<types.Row>, hasKey: boolean, next: Buffer | undefined): RowBlock => {
  const parts: Array<Buffer> = []
  const add = (bytes: Buffer): void => {
    const length = Buffer.allocUnsafe(4)
    length.writeInt32BE(bytes.length)
    parts.push(length, bytes)
  }
  for (const row of rows) {
    if (hasKey) add(row.key as Buffer)
    add(row.column1 as Buffer)
    add(row.value as Buffer)
  }
  return { bytes: Buffer.concat(parts), start: 0, count: rows.length, next }
}

/**
 * The first `limit` cells of a block of one row, which has no keys. `reverse`: the cells are in descending order. `packer` may be
 * that of all answers.
 */
export const packed = (
  packer: CellPacker,
  block: RowBlock,
  limit = Number.POSITIVE_INFINITY,
  reverse = false
): Cells => {
  // An answer that could not be read to its end has left its cells there.
  packer.clear()
  const cursor = new RowCursor(block, false)
  if (reverse) packReverse(packer, cursor, limit)
  else for (let left = limit; left > 0 && cursor.next(); left--) cursor.packInto(packer)
  return packer.length === 0 ? noCells : packer.take()
}

const packReverse = (packer: CellPacker, cursor: RowCursor, limit: number): void => {
  const ranges: Array<readonly [columnStart: number, columnEnd: number, valueStart: number, valueEnd: number]> = []
  for (let left = limit; left > 0 && cursor.next(); left--) {
    ranges.push([cursor.columnStart, cursor.columnEnd, cursor.valueStart, cursor.valueEnd])
  }
  for (const [columnStart, columnEnd, valueStart, valueEnd] of ranges.reverse()) {
    packer.addRange(cursor.bytes, columnStart, columnEnd, valueStart, valueEnd)
  }
}
