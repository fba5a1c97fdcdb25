import { createRequire } from "node:module"

/** A cell: a column with its value, its time stamp, and the time at which it expires. */
export interface Cell {
  readonly column: Buffer
  readonly value: Buffer
  /** Column and value with their lengths, as an answer has them. */
  readonly encoded: Buffer
  /** Microseconds, as the writer gave it. */
  readonly time: bigint
  /** Milliseconds since the epoch. */
  readonly expires: number
}

/** A row: its sorted cells. */
export interface Row {
  readonly key: Buffer
  readonly token: bigint
  readonly cells: Array<Cell>
}

interface Tokenizer {
  hash(key: Buffer): { getValue(): unknown }
}

// The module has no types.
const { Murmur3Tokenizer } = createRequire(import.meta.url)("cassandra-driver/lib/tokenizer.js") as {
  readonly Murmur3Tokenizer: new () => Tokenizer
}

/** Columns between two borders. */
export interface Range {
  readonly start?: Buffer | undefined
  readonly end?: Buffer | undefined
  /** True if the range begins after `start`. */
  readonly afterStart?: boolean
  /** True if the range has the column `end`. */
  readonly withEnd?: boolean
}

const encode = (column: Buffer, value: Buffer): Buffer => {
  const bytes = Buffer.allocUnsafe(8 + column.length + value.length)
  bytes.writeInt32BE(column.length, 0)
  column.copy(bytes, 4)
  bytes.writeInt32BE(value.length, 4 + column.length)
  value.copy(bytes, 8 + column.length)
  return bytes
}

/** The position of the first cell at or after a column. */
const placeOf = (cells: ReadonlyArray<Cell>, column: Buffer): number => {
  let from = 0
  let to = cells.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (cells[middle]!.column.compare(column) < 0) from = middle + 1
    else to = middle
  }
  return from
}

const bordersOf = (cells: ReadonlyArray<Cell>, range: Range): readonly [number, number] => {
  let from = range.start === undefined ? 0 : placeOf(cells, range.start)
  if (range.afterStart && cells[from]?.column.equals(range.start!)) from++
  let to = range.end === undefined ? cells.length : placeOf(cells, range.end)
  if (range.withEnd && cells[to]?.column.equals(range.end!)) to++
  return [from, Math.max(from, to)]
}

/**
 * A table of cells in memory. A write applies when it arrives. A removal leaves nothing behind, so a write that is older
 * and arrives later is seen; a real cluster would hide it.
 */
export class Table {
  readonly #rows = new Map<string, Row>()
  readonly #tokenizer = new Murmur3Tokenizer()
  /** Rows in the order of their tokens, until a row is added. */
  #sorted: ReadonlyArray<Row> | undefined

  #rowFor(key: Buffer): Row {
    const name = key.toString("latin1")
    let row = this.#rows.get(name)
    if (row === undefined) {
      const own = Buffer.from(key)
      row = { key: own, token: BigInt(String(this.#tokenizer.hash(own).getValue())), cells: [] }
      this.#rows.set(name, row)
      this.#sorted = undefined
    }
    return row
  }

  /** The row of a key. */
  row(key: Buffer): Row | undefined {
    return this.#rows.get(key.toString("latin1"))
  }

  /** All rows in the order of their tokens. */
  rows(): ReadonlyArray<Row> {
    this.#sorted ??= [...this.#rows.values()].sort((a, b) => (a.token < b.token ? -1 : a.token > b.token ? 1 : 0))
    return this.#sorted
  }

  /** The token of a key, whether or not it has a row. */
  token(key: Buffer): bigint {
    return BigInt(String(this.#tokenizer.hash(key).getValue()))
  }

  /** Writes a cell, unless a newer one exists. `ttl` is in seconds; 0: the cell does not expire. */
  add(key: Buffer, column: Buffer, value: Buffer, time: bigint, ttl: number): void {
    const { cells } = this.#rowFor(key)
    const encoded = encode(column, value)
    const own = encoded.subarray(4, 4 + column.length)
    const expires = ttl === 0 ? Number.POSITIVE_INFINITY : Date.now() + ttl * 1000
    const cell: Cell = { column: own, value: encoded.subarray(8 + column.length), encoded, time, expires }
    const at = placeOf(cells, column)
    const there = cells[at]
    if (there === undefined || !there.column.equals(column)) cells.splice(at, 0, cell)
    else if (there.time <= time) cells[at] = cell
  }

  /** Removes the cells of a range that are not newer than `time`. */
  remove(key: Buffer, range: Range, time: bigint): void {
    const row = this.row(key)
    if (row === undefined) return
    const [from, to] = bordersOf(row.cells, range)
    const kept = row.cells.slice(from, to).filter((cell) => cell.time > time)
    row.cells.splice(from, to - from, ...kept)
  }
}

/** The cells of a row in a range, at most `limit`. */
export const cellsIn = (row: Row, range: Range, reverse: boolean, limit: number): ReadonlyArray<Cell> => {
  const [from, to] = bordersOf(row.cells, range)
  let found = row.cells.slice(from, to)
  if (found.some((cell) => cell.expires !== Number.POSITIVE_INFINITY)) {
    const now = Date.now()
    found = found.filter((cell) => cell.expires > now)
  }
  if (reverse) found.reverse()
  return found.length > limit ? found.slice(0, limit) : found
}
