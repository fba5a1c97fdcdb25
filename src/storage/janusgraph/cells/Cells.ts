import { ByteWriter } from "../format/ByteWriter.ts"

/**
 * Packed cells of one row, sorted by column. Each cell is the length of its column, the length of its value, the column
 * and the value. Lengths are variable-length numbers whose last byte has the top bit set. Stores answer with packed
 * cells, and lmdb stores them.
 */
export class Cells {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  get isEmpty(): boolean {
    return this.start === this.end
  }
}

/** An empty list of cells. */
export const noCells = new Cells(new Uint8Array(0), 0, 0)

/** A cursor over packed cells. Its offsets into {@link bytes} are those of the current cell; values follow columns. */
export class CellCursor {
  bytes: Uint8Array = noCells.bytes
  /** Where the current cell begins, including its lengths. */
  at = 0
  columnStart = 0
  columnEnd = 0
  valueEnd = 0
  #next = 0
  #end = 0

  /** Moves the cursor before the first of the cells. */
  over(cells: Cells): this {
    return this.within(cells.bytes, cells.start, cells.end)
  }

  /** Moves the cursor before the first of the cells in a range of bytes. */
  within(bytes: Uint8Array, start: number, end: number): this {
    this.bytes = bytes
    this.#next = start
    this.#end = end
    return this
  }

  /** Moves to the next cell; false at the end. */
  next(): boolean {
    const { bytes } = this
    let at = this.#next
    if (at >= this.#end) return false
    this.at = at
    let column = bytes[at++]!
    if (column > 127) column &= 127
    else {
      for (let byte = 0; byte < 128; ) {
        byte = bytes[at++]!
        column = column * 128 + (byte & 127)
      }
    }
    let value = bytes[at++]!
    if (value > 127) value &= 127
    else {
      for (let byte = 0; byte < 128; ) {
        byte = bytes[at++]!
        value = value * 128 + (byte & 127)
      }
    }
    this.columnStart = at
    this.columnEnd = at + column
    this.valueEnd = this.#next = at + column + value
    return true
  }

  /** Where the cell after the current one begins. */
  get following(): number {
    return this.#next
  }

  /** The column as a view of {@link bytes}. */
  column(): Uint8Array {
    return this.bytes.subarray(this.columnStart, this.columnEnd)
  }

  /** The value as a view of {@link bytes}. */
  value(): Uint8Array {
    return this.bytes.subarray(this.columnEnd, this.valueEnd)
  }

  /** Compares the current column with other bytes: negative when the column sorts first. */
  compareColumn(other: Uint8Array): number {
    return compareBytes(this.bytes, this.columnStart, this.columnEnd, other, 0, other.length)
  }
}

/** Compares two ranges as unsigned bytes: negative when the first sorts first. A prefix sorts before its extensions. */
export const compareBytes = (
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number
): number => {
  const aLength = aEnd - aStart
  const bLength = bEnd - bStart
  const common = Math.min(aLength, bLength)
  for (let i = 0; i < common; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!
    if (difference !== 0) return difference
  }
  return aLength - bLength
}

/** Compares whole arrays; see {@link compareBytes}. */
export const compareColumns = (a: Uint8Array, b: Uint8Array): number => compareBytes(a, 0, a.length, b, 0, b.length)

/** True when the arrays have the same bytes. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && compareColumns(a, b) === 0

/** True when the bytes begin with a prefix. */
export const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean => {
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false
  return bytes.length >= prefix.length
}

/**
 * Bytes of the rows that share a buffer at most. A row that is kept keeps the others, which are no larger than what a small buffer of
 * Node.js shares with others anyway.
 */
export const SHARED_BYTES = 4096

/** Packs cells. They must be added in the order of their columns. */
export class CellPacker {
  readonly #writer: ByteWriter
  /** Where the rows end that {@link takeRows} will return. */
  #ends: Array<number> = []

  /** `bytes`: the space at first. */
  constructor(bytes = 512) {
    this.#writer = new ByteWriter(bytes)
  }

  /** The packed size so far, in bytes. */
  get length(): number {
    return this.#writer.length
  }

  add(column: Uint8Array, value: Uint8Array): void {
    const writer = this.#writer
    writer.varint(column.length)
    writer.varint(value.length)
    writer.raw(column)
    writer.raw(value)
  }

  /** Adds a cell whose column and value are ranges of the same bytes. */
  addRange(bytes: Uint8Array, columnStart: number, columnEnd: number, valueStart: number, valueEnd: number): void {
    const writer = this.#writer
    writer.varint(columnEnd - columnStart)
    writer.varint(valueEnd - valueStart)
    writer.raw(bytes, columnStart, columnEnd)
    writer.raw(bytes, valueStart, valueEnd)
  }

  /** Adds cells that are packed already. */
  addPacked(bytes: Uint8Array, start: number, end: number): void {
    this.#writer.raw(bytes, start, end)
  }

  /** Forgets the cells so far. */
  clear(): void {
    this.#writer.reset()
    if (this.#ends.length > 0) this.#ends = []
  }

  /** The cells since the previous call are those of one row. */
  endRow(): void {
    this.#ends.push(this.#writer.length)
  }

  /** Returns copies of the rows that {@link endRow} has ended, and forgets them. Small rows share a buffer. */
  takeRows(): ReadonlyArray<Cells> {
    const ends = this.#ends
    const rows: Array<Cells> = []
    for (let first = 0, start = 0; first < ends.length; ) {
      let last = first
      while (last + 1 < ends.length && ends[last + 1]! - start <= SHARED_BYTES) last++
      const bytes = this.#writer.copy(start, ends[last]!)
      for (let from = 0; first <= last; first++) {
        const to = ends[first]! - start
        rows.push(new Cells(bytes, from, to))
        from = to
      }
      start = ends[last]!
    }
    this.clear()
    return rows
  }

  /** Returns the cells without a copy. The packer must not be used again. */
  takeAll(): Cells {
    return new Cells(this.#writer.bytes, 0, this.length)
  }

  /** Returns a copy of the cells and forgets them. */
  take(): Cells {
    const bytes = this.#writer.copy()
    this.clear()
    return new Cells(bytes, 0, bytes.length)
  }
}

/**
 * The smallest bytes that sort after every extension of a prefix; undefined when there are none (all bytes are 255).
 */
export const successor = (bytes: Uint8Array): Buffer | undefined => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 255) end--
  if (end === 0) return undefined
  const next = Buffer.from(bytes.subarray(0, end))
  next[end - 1]!++
  return next
}
