import type { Addition, ColumnSlice, ColumnTable, ScanRange } from "./ColumnStore.ts"
import { nameOf } from "./CqlOptions.ts"

/** The value of a marker: a blob, an int, a bigint or a list of blobs. */
export type Parameter = Buffer | number | bigint | ReadonlyArray<Buffer>

/** A CQL statement with the values of its markers. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** Returns the bytes as a Buffer without a copy, because the driver accepts only Buffers. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Builds CQL statements over the tables of one keyspace. The cluster keeps a prepared statement for each text, so the number of
 * texts is small.
 */
export class Statements {
  readonly #keyspace: string
  readonly #names = new Map<ColumnTable, string>()

  constructor(keyspace: string) {
    this.#keyspace = nameOf(keyspace)
  }

  /** The quoted name of a table. */
  table(table: ColumnTable): string {
    let name = this.#names.get(table)
    if (name === undefined) {
      name = `"${this.#keyspace}"."${table}"`
      this.#names.set(table, name)
    }
    return name
  }

  /** Reads a slice of one row. `times` adds the column `written`, the write time of each cell in microseconds. */
  slice({ end, key, limit, reverse, start, table }: ColumnSlice, times: boolean): Statement {
    const parameters: Array<Parameter> = [bufferOf(key)]
    let text = `SELECT column1, value${times ? ", WRITETIME(value) AS written" : ""} FROM ${this.table(table)} WHERE key = ?`
    // An empty start needs no condition, because it precedes every column.
    if (start !== undefined && start.length > 0) {
      text += " AND column1 >= ?"
      parameters.push(bufferOf(start))
    }
    if (end !== undefined) {
      text += " AND column1 < ?"
      parameters.push(bufferOf(end))
    }
    if (reverse) text += " ORDER BY column1 DESC"
    if (limit !== undefined) {
      text += " LIMIT ?"
      parameters.push(limit)
    }
    return { text, parameters }
  }

  /** Reads the seconds until a cell expires, as the column `seconds`: null if it does not expire. */
  timeToLive(table: ColumnTable, key: Uint8Array, column: Uint8Array): Statement {
    return {
      text: `SELECT TTL(value) AS seconds FROM ${this.table(table)} WHERE key = ? AND column1 = ?`,
      parameters: [bufferOf(key), bufferOf(column)]
    }
  }

  /** Reads the slices of several rows, at most `cells` cells of each. The cells of a row are together and in order. */
  slices({ end, start, table }: ColumnSlice, keys: ReadonlyArray<Buffer>, cells: number): Statement {
    const parameters: Array<Parameter> = [keys]
    let text = `SELECT key, column1, value FROM ${this.table(table)} WHERE key IN ?`
    if (start !== undefined && start.length > 0) {
      text += " AND column1 >= ?"
      parameters.push(bufferOf(start))
    }
    if (end !== undefined) {
      text += " AND column1 < ?"
      parameters.push(bufferOf(end))
    }
    parameters.push(cells)
    return { text: `${text} PER PARTITION LIMIT ?`, parameters }
  }

  /** Reads rows in token order, at most `cells` cells of each row. */
  scan(table: ColumnTable, cells: number, range: ScanRange): Statement {
    const parameters: Array<Parameter> = []
    let text = `SELECT key, column1, value FROM ${this.table(table)}`
    if (range !== "all" && "after" in range) {
      text += " WHERE token(key) > token(?)"
      parameters.push(bufferOf(range.after))
    } else if (range !== "all") {
      text += " WHERE token(key) > ? AND token(key) <= ?"
      parameters.push(range.above, range.upTo)
    }
    return { text: `${text} PER PARTITION LIMIT ?`, parameters: [...parameters, cells] }
  }

  /** Writes a cell. `time` is its timestamp in microseconds, in this and the following methods. */
  add(table: ColumnTable, key: Buffer, { column, ttl = 0, value }: Addition, time: bigint): Statement {
    const insert = `INSERT INTO ${this.table(table)} (key, column1, value) VALUES (?, ?, ?) USING`
    const cell = [key, bufferOf(column), bufferOf(value)]
    return ttl === 0
      ? { text: `${insert} TIMESTAMP ?`, parameters: [...cell, time] }
      : { text: `${insert} TTL ? AND TIMESTAMP ?`, parameters: [...cell, ttl, time] }
  }

  /** Removes a cell. */
  remove(table: ColumnTable, key: Buffer, column: Uint8Array, time: bigint): Statement {
    return {
      text: `DELETE FROM ${this.table(table)} USING TIMESTAMP ? WHERE key = ? AND column1 = ?`,
      parameters: [time, key, bufferOf(column)]
    }
  }

  /** Removes the columns from `start` (included) to `end` (excluded). */
  removeRange(table: ColumnTable, key: Buffer, start: Uint8Array, end: Uint8Array, time: bigint): Statement {
    return {
      text: `DELETE FROM ${this.table(table)} USING TIMESTAMP ? WHERE key = ? AND column1 >= ? AND column1 < ?`,
      parameters: [time, key, bufferOf(start), bufferOf(end)]
    }
  }

  /** Removes all columns of a row. */
  removeRow(table: ColumnTable, key: Buffer, time: bigint): Statement {
    return {
      text: `DELETE FROM ${this.table(table)} USING TIMESTAMP ? WHERE key = ?`,
      parameters: [time, key]
    }
  }
}
