import type { CellChange } from "../../cells/CellStore.ts"
import { compareBytes } from "../../cells/Cells.ts"
import { ByteWriter } from "../../format/ByteWriter.ts"

/** The cells of a row, sorted by column. The changes are views of memory that is reused. */
interface ArenaRow {
  readonly ref: number
  readonly changes: ReadonlyArray<CellChange>
}

/** A typed array that grows by doubling. */
class Growing<A extends Float64Array | Uint32Array> {
  values: A
  readonly #make: (length: number) => A

  constructor(make: (length: number) => A) {
    this.#make = make
    this.values = make(1024)
  }

  set(at: number, value: number): void {
    if (at >= this.values.length) {
      const grown = this.#make(this.values.length * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.values[at] = value
  }
}

/**
 * Collects the cells of many rows in any order and returns them row by row. A cell takes 28 bytes in addition to its
 * own bytes. Of several cells with the same column the last one wins.
 */
export class CellArena {
  readonly writer = new ByteWriter(1 << 16)
  #length = 0
  readonly #rows = new Growing((length) => new Float64Array(length))
  readonly #starts = new Growing((length) => new Uint32Array(length))
  readonly #columnEnds = new Growing((length) => new Uint32Array(length))

  /** The first bytes of the columns as numbers: most comparisons need nothing else. */
  readonly #heads = new Growing((length) => new Float64Array(length))

  get length(): number {
    return this.#length
  }

  /** The estimated size in bytes. */
  get bytes(): number {
    return this.writer.length + this.#length * 28
  }

  /** Adds the cell that was written to {@link writer}: the column begins at `start`, the value at `columnEnd`. */
  add(ref: number, start: number, columnEnd: number): void {
    const at = this.#length++
    this.#rows.set(at, ref)
    this.#starts.set(at, start)
    this.#columnEnds.set(at, columnEnd)
    const { bytes } = this.writer
    let head = 0
    for (let i = start; i < start + HEAD_BYTES; i++) head = head * 256 + (i < columnEnd ? bytes[i]! : 0)
    this.#heads.set(at, head)
  }

  clear(): void {
    this.#length = 0
    this.writer.reset()
  }

  /** Iterates over the rows, each once, in the order of their refs. */
  *rows(): Generator<ArenaRow> {
    const rows = this.#rows.values
    const order = orderOf(rows, this.#length)
    for (let from = 0; from < order.length; ) {
      const ref = rows[order[from]!]!
      let to = from + 1
      while (to < order.length && rows[order[to]!] === ref) to++
      this.#sort(order, from, to)
      yield { ref, changes: this.#changes(order, from, to) }
      from = to
    }
  }

  /** Sorts the cells of one row by column. The sort is stable. */
  #sort(order: Uint32Array, from: number, to: number): void {
    if (to - from > MAX_INSERTION_SORT_CELLS) {
      order.subarray(from, to).sort((a, b) => this.#compare(a, b) || a - b)
      return
    }
    for (let i = from + 1; i < to; i++) {
      const cell = order[i]!
      let at = i
      while (at > from && this.#compare(order[at - 1]!, cell) > 0) {
        order[at] = order[at - 1]!
        at--
      }
      order[at] = cell
    }
  }

  #compare(a: number, b: number): number {
    const difference = this.#heads.values[a]! - this.#heads.values[b]!
    if (difference !== 0) return difference
    const starts = this.#starts.values
    const ends = this.#columnEnds.values
    const { bytes } = this.writer
    return compareBytes(bytes, starts[a]!, ends[a]!, bytes, starts[b]!, ends[b]!)
  }

  #changes(order: Uint32Array, from: number, to: number): ReadonlyArray<CellChange> {
    const { bytes } = this.writer
    const starts = this.#starts.values
    const ends = this.#columnEnds.values
    const changes: Array<CellChange> = []
    for (let i = from; i < to; i++) {
      const cell = order[i]!
      if (i + 1 < to && this.#compare(cell, order[i + 1]!) === 0) continue
      const end = cell + 1 < this.#length ? starts[cell + 1]! : this.writer.length
      changes.push({ column: bytes.subarray(starts[cell]!, ends[cell]!), value: bytes.subarray(ends[cell]!, end) })
    }
    return changes
  }
}

/** The number of bytes of a column that fit a plain number exactly. */
const HEAD_BYTES = 6
/** Up to this number of cells insertion sort is used. */
const MAX_INSERTION_SORT_CELLS = 24

/** The indexes of the cells, sorted by the refs of their rows. The sort is stable. */
const orderOf = (rows: Float64Array, length: number): Uint32Array => {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let unit = 256
  for (let i = 0; i < length; i++) {
    const row = rows[i]!
    if (row < least) least = row
    if (row > most) most = row
    while (row % unit !== 0) unit /= 2
  }
  const order = new Uint32Array(length)
  // Pack ref and index into one exact number: sorting plain numbers is ten times as fast as calling a comparator.
  if (((most - least) / unit + 1) * length < Number.MAX_SAFE_INTEGER) {
    const keys = new Float64Array(length)
    for (let i = 0; i < length; i++) keys[i] = ((rows[i]! - least) / unit) * length + i
    keys.sort()
    for (let i = 0; i < length; i++) order[i] = keys[i]! % length
    return order
  }
  for (let i = 0; i < length; i++) order[i] = i
  return order.sort((a, b) => rows[a]! - rows[b]! || a - b)
}
