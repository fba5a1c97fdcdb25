import { ByteWriter } from "../format/ByteWriter.ts"

/**
 * Cells of one row in the order of their columns, packed: for each the lengths of column and value, as numbers whose
 * last byte is marked, then column and value one behind the other. What stores answer with, and what lmdb keeps.
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

export const noCells = new Cells(new Uint8Array(0), 0, 0)

/** Walks over packed cells: where the column of the current one begins and ends, and where its value ends. */
export class CellCursor {
  bytes: Uint8Array = noCells.bytes
  /** Where the current cell, with its lengths, begins. */
  at = 0
  columnStart = 0
  columnEnd = 0
  valueEnd = 0
  #next = 0
  #end = 0

  over(cells: Cells): this {
    return this.within(cells.bytes, cells.start, cells.end)
  }

  within(bytes: Uint8Array, start: number, end: number): this {
    this.bytes = bytes
    this.#next = start
    this.#end = end
    return this
  }

  /** False when there is no further cell. */
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

  /** Where the cell behind the current one begins. */
  get following(): number {
    return this.#next
  }

  column(): Uint8Array {
    return this.bytes.subarray(this.columnStart, this.columnEnd)
  }

  value(): Uint8Array {
    return this.bytes.subarray(this.columnEnd, this.valueEnd)
  }

  /** Compares the current column with other bytes: negative when it is before them. */
  compareColumn(other: Uint8Array): number {
    return compareBytes(this.bytes, this.columnStart, this.columnEnd, other, 0, other.length)
  }
}

/** Compares bytes as unsigned numbers; a prefix is before what it is a prefix of. */
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

/** Negative when `a` is before `b`. */
export const compareColumns = (a: Uint8Array, b: Uint8Array): number => compareBytes(a, 0, a.length, b, 0, b.length)

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && compareColumns(a, b) === 0

/** Packs cells that are given in order. */
export class CellPacker {
  readonly #writer = new ByteWriter(512)

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

  /** Cells as they are packed elsewhere. */
  addPacked(bytes: Uint8Array, start: number, end: number): void {
    this.#writer.raw(bytes, start, end)
  }

  /** A copy of the cells so far; empty afterwards. */
  take(): Cells {
    const bytes = this.#writer.copy()
    this.#writer.reset()
    return new Cells(bytes, 0, bytes.length)
  }
}

/** The first bytes that are behind everything that begins with these; undefined when nothing is. */
export const successor = (bytes: Uint8Array): Buffer | undefined => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 255) end--
  if (end === 0) return undefined
  const next = Buffer.from(bytes.subarray(0, end))
  next[end - 1]!++
  return next
}
