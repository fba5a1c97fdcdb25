import type { CellChange } from "../CellStore.ts"
import { compareBytes } from "../Cells.ts"
import { ByteWriter } from "../codec/ByteWriter.ts"

/** Cells of a vertex's row, in the order of their columns; the changes are views of bytes that are used again. */
export type TakeRow = (ref: number, changes: ReadonlyArray<CellChange>) => void

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
 * Cells of many rows, in the order in which they were made, given back row by row: 20 bytes a cell besides its own. Of
 * several cells with one column the last counts.
 */
export class CellArena {
  readonly writer = new ByteWriter(1 << 16)
  #length = 0
  readonly #rows = new Growing((length) => new Float64Array(length))
  readonly #starts = new Growing((length) => new Uint32Array(length))
  readonly #columnEnds = new Growing((length) => new Uint32Array(length))

  get length(): number {
    return this.#length
  }

  /** Bytes held, about. */
  get bytes(): number {
    return this.writer.length + this.#length * 20
  }

  /** Adds the cell that was written to {@link writer} from `start` on: its column, then from `columnEnd` its value. */
  add(ref: number, start: number, columnEnd: number): void {
    const at = this.#length++
    this.#rows.set(at, ref)
    this.#starts.set(at, start)
    this.#columnEnds.set(at, columnEnd)
  }

  clear(): void {
    this.#length = 0
    this.writer.reset()
  }

  /** Gives every row once, in the order of the numbers of the rows. */
  forEachRow(take: TakeRow): void {
    const rows = this.#rows.values
    const order = orderOf(rows, this.#length)
    for (let from = 0; from < order.length; ) {
      const ref = rows[order[from]!]!
      let to = from + 1
      while (to < order.length && rows[order[to]!] === ref) to++
      take(ref, this.#sorted(order, from, to))
      from = to
    }
  }

  #sorted(order: Uint32Array, from: number, to: number): ReadonlyArray<CellChange> {
    const { bytes } = this.writer
    const starts = this.#starts.values
    const ends = this.#columnEnds.values
    const compare = (a: number, b: number): number =>
      compareBytes(bytes, starts[a]!, ends[a]!, bytes, starts[b]!, ends[b]!) || a - b
    const cells = Array.from(order.subarray(from, to))
    if (cells.length > 1) cells.sort(compare)
    const changes: Array<CellChange> = []
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!
      const next = cells[i + 1]
      if (
        next !== undefined &&
        compareBytes(bytes, starts[cell]!, ends[cell]!, bytes, starts[next]!, ends[next]!) === 0
      )
        continue
      const end = cell + 1 < this.#length ? starts[cell + 1]! : this.writer.length
      changes.push({ column: bytes.subarray(starts[cell]!, ends[cell]!), value: bytes.subarray(ends[cell]!, end) })
    }
    return changes
  }
}

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
