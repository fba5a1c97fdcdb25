import type { CellChange } from "../../cells/CellStore.ts"
import { compareBytes } from "../../cells/Cells.ts"
import { ByteWriter } from "../../format/ByteWriter.ts"

/** Cells of a row, in the order of their columns; the changes are views of bytes that are used again. */
interface ArenaRow {
  readonly ref: number
  readonly changes: ReadonlyArray<CellChange>
}

/** Numbers that grow by doubling. */
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
 * Cells of many rows, in the order in which they were made, given back row by row: 28 bytes a cell besides its own. Of
 * several cells with one column the last counts.
 */
export class CellArena {
  readonly writer = new ByteWriter(1 << 16)
  #length = 0
  readonly #rows = new Growing((length) => new Float64Array(length))
  readonly #starts = new Growing((length) => new Uint32Array(length))
  readonly #columnEnds = new Growing((length) => new Uint32Array(length))

  /** The first bytes of the columns as numbers: most comparisons need no more. */
  readonly #heads = new Growing((length) => new Float64Array(length))

  get length(): number {
    return this.#length
  }

  /** Bytes held, about. */
  get bytes(): number {
    return this.writer.length + this.#length * 28
  }

  /** Adds the cell that was written to {@link writer} from `start` on: its column, then from `columnEnd` its value. */
  add(ref: number, start: number, columnEnd: number): void {
    const at = this.#length++
    this.#rows.set(at, ref)
    this.#starts.set(at, start)
    this.#columnEnds.set(at, columnEnd)
    const { bytes } = this.writer
    let head = 0
    for (let i = start; i < start + HEAD; i++) head = head * 256 + (i < columnEnd ? bytes[i]! : 0)
    this.#heads.set(at, head)
  }

  clear(): void {
    this.#length = 0
    this.writer.reset()
  }

  /** Every row once, in the order of the numbers of the rows. */
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

  /** Sorts cells of one row by their columns; equal ones stay in the order in which they came. */
  #sort(order: Uint32Array, from: number, to: number): void {
    if (to - from > FEW) {
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

/** Bytes of a column that a number holds exactly. */
const HEAD = 6
/** Cells that are sorted by putting each into its place. */
const FEW = 24

/** Places of the rows in the order of their numbers; equal ones in the order in which they came. */
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
  // Row and place in one number that is exact: sorting plain numbers is ten times as fast as comparing.
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
