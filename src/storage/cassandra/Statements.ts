import type { Addition, ColumnSlice, ColumnTable, ScanRange } from "./ColumnStore.ts"
import { nameOf } from "./CqlOptions.ts"

/** The value of a marker: a blob, an int, a bigint or a list of blobs. */
export type Parameter = Buffer | number | bigint | ReadonlyArray<Buffer>

/** The text of statements, which the cluster keeps as a prepared statement. */
export class StatementText {
  readonly text: string
  /** The id of the prepared statement; undefined until the driver has prepared it. */
  id: Buffer | undefined = undefined

  constructor(text: string) {
    this.text = text
  }
}

/** How the statements begin that read cells of several rows. */
const CELLS_WITH_KEYS = "SELECT key, column1, value FROM "

/** A CQL statement with the values of its markers. */
export interface Statement {
  readonly cql: StatementText
  readonly parameters: ReadonlyArray<Parameter>
}

/** Returns the bytes as a Buffer without a copy, because the driver accepts only Buffers. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Bits of the number of a text that reads a slice. */
const FROM_START = 1
const TO_END = 2
const LIMITED = 4
const REVERSE = 8
const WITH_TIMES = 16

/** The texts of statements over one table. Each is made once, because a text for each statement costs as much as its frame. */
class TableTexts {
  readonly #name: string
  readonly #slices: Array<StatementText | undefined> = new Array(2 * WITH_TIMES).fill(undefined)
  readonly #groups: Array<StatementText | undefined> = new Array(2 * TO_END).fill(undefined)
  readonly timeToLive: StatementText
  readonly scanAll: StatementText
  readonly scanAfter: StatementText
  readonly scanRange: StatementText
  readonly add: StatementText
  readonly addWithTtl: StatementText
  readonly remove: StatementText
  readonly removeRange: StatementText
  readonly removeRow: StatementText

  /** `name`: quoted. */
  constructor(name: string) {
    this.#name = name
    this.timeToLive = new StatementText(`SELECT TTL(value) AS seconds FROM ${name} WHERE key = ? AND column1 = ?`)
    const scan = (where: string): StatementText =>
      new StatementText(`${CELLS_WITH_KEYS}${name}${where} PER PARTITION LIMIT ?`)
    this.scanAll = scan("")
    this.scanAfter = scan(" WHERE token(key) > token(?)")
    this.scanRange = scan(" WHERE token(key) > ? AND token(key) <= ?")
    const insert = `INSERT INTO ${name} (key, column1, value) VALUES (?, ?, ?) USING`
    this.add = new StatementText(`${insert} TIMESTAMP ?`)
    this.addWithTtl = new StatementText(`${insert} TTL ? AND TIMESTAMP ?`)
    const remove = `DELETE FROM ${name} USING TIMESTAMP ? WHERE key = ?`
    this.remove = new StatementText(`${remove} AND column1 = ?`)
    this.removeRange = new StatementText(`${remove} AND column1 >= ? AND column1 < ?`)
    this.removeRow = new StatementText(remove)
  }

  slice(bits: number): StatementText {
    let text = this.#slices[bits]
    if (text === undefined) {
      const times = (bits & WITH_TIMES) === 0 ? "" : ", WRITETIME(value) AS written"
      const order = (bits & REVERSE) === 0 ? "" : " ORDER BY column1 DESC"
      const limit = (bits & LIMITED) === 0 ? "" : " LIMIT ?"
      const columns = `SELECT column1, value${times} FROM ${this.#name} WHERE key = ?`
      text = new StatementText(`${columns}${conditionsOf(bits)}${order}${limit}`)
      this.#slices[bits] = text
    }
    return text
  }

  group(bits: number): StatementText {
    let text = this.#groups[bits]
    if (text === undefined) {
      const columns = `${CELLS_WITH_KEYS}${this.#name} WHERE key IN ?`
      text = new StatementText(`${columns}${conditionsOf(bits)} PER PARTITION LIMIT ?`)
      this.#groups[bits] = text
    }
    return text
  }
}

const conditionsOf = (bits: number): string =>
  ((bits & FROM_START) === 0 ? "" : " AND column1 >= ?") + ((bits & TO_END) === 0 ? "" : " AND column1 < ?")

/** Adds the bounds of the columns to the parameters. Returns the bits of those that there are. */
const addBounds = ({ end, start }: ColumnSlice, parameters: Array<Parameter>): number => {
  let bits = 0
  // An empty start needs no condition, because it precedes every column.
  if (start !== undefined && start.length > 0) {
    bits = FROM_START
    parameters.push(bufferOf(start))
  }
  if (end !== undefined) {
    bits |= TO_END
    parameters.push(bufferOf(end))
  }
  return bits
}

/** Builds CQL statements over the tables of one keyspace. The number of their texts is small. */
export class Statements {
  readonly #keyspace: string
  readonly #tables = new Map<ColumnTable, TableTexts>()

  constructor(keyspace: string) {
    this.#keyspace = nameOf(keyspace)
  }

  #texts(table: ColumnTable): TableTexts {
    let texts = this.#tables.get(table)
    if (texts === undefined) {
      texts = new TableTexts(`"${this.#keyspace}"."${table}"`)
      this.#tables.set(table, texts)
    }
    return texts
  }

  /** Reads a slice of one row. `times` adds the column `written`, the write time of each cell in microseconds. */
  slice(slice: ColumnSlice, times: boolean): Statement {
    const { key, limit, reverse, table } = slice
    const parameters: Array<Parameter> = [bufferOf(key)]
    let bits = addBounds(slice, parameters)
    if (times) bits |= WITH_TIMES
    if (reverse) bits |= REVERSE
    if (limit !== undefined) {
      bits |= LIMITED
      parameters.push(limit)
    }
    return { cql: this.#texts(table).slice(bits), parameters }
  }

  /** Reads the seconds until a cell expires, as the column `seconds`: null if it does not expire. */
  timeToLive(table: ColumnTable, key: Uint8Array, column: Uint8Array): Statement {
    return { cql: this.#texts(table).timeToLive, parameters: [bufferOf(key), bufferOf(column)] }
  }

  /** Reads the slices of several rows, at most `cells` cells of each. The cells of a row are together and in order. */
  slices(slice: ColumnSlice, keys: ReadonlyArray<Buffer>, cells: number): Statement {
    const parameters: Array<Parameter> = [keys]
    const bits = addBounds(slice, parameters)
    parameters.push(cells)
    return { cql: this.#texts(slice.table).group(bits), parameters }
  }

  /** Reads rows in token order, at most `cells` cells of each row. */
  scan(table: ColumnTable, cells: number, range: ScanRange): Statement {
    const texts = this.#texts(table)
    if (range === "all") return { cql: texts.scanAll, parameters: [cells] }
    return "after" in range
      ? { cql: texts.scanAfter, parameters: [bufferOf(range.after), cells] }
      : { cql: texts.scanRange, parameters: [range.above, range.upTo, cells] }
  }

  /** Writes a cell. `time` is its timestamp in microseconds, in this and the following methods. */
  add(table: ColumnTable, key: Buffer, { column, ttl = 0, value }: Addition, time: bigint): Statement {
    const texts = this.#texts(table)
    return ttl === 0
      ? { cql: texts.add, parameters: [key, bufferOf(column), bufferOf(value), time] }
      : { cql: texts.addWithTtl, parameters: [key, bufferOf(column), bufferOf(value), ttl, time] }
  }

  /** Removes a cell. */
  remove(table: ColumnTable, key: Buffer, column: Uint8Array, time: bigint): Statement {
    return { cql: this.#texts(table).remove, parameters: [time, key, bufferOf(column)] }
  }

  /** Removes the columns from `start` (included) to `end` (excluded). */
  removeRange(table: ColumnTable, key: Buffer, start: Uint8Array, end: Uint8Array, time: bigint): Statement {
    return { cql: this.#texts(table).removeRange, parameters: [time, key, bufferOf(start), bufferOf(end)] }
  }

  /** Removes all columns of a row. */
  removeRow(table: ColumnTable, key: Buffer, time: bigint): Statement {
    return { cql: this.#texts(table).removeRow, parameters: [time, key] }
  }
}
