import type { Addition, ColumnSlice, ColumnTable } from "./ColumnStore.ts"
import { nameOf } from "./CqlOptions.ts"

/** A CQL statement with the values of its markers. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The bytes as a Buffer, without a copy: the driver accepts nothing else. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Builds statements over the tables of one keyspace. Their texts are few, because the cluster keeps each of them prepared.
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

  /** Reads a slice of one row; `times` adds the column `written`. */
  slice({ end, key, limit, reverse, start, table }: ColumnSlice, times: boolean): Statement {
    const parameters: Array<unknown> = [bufferOf(key)]
    let text = `SELECT column1, value${times ? ", WRITETIME(value) AS written" : ""} FROM ${this.table(table)} WHERE key = ?`
    // An empty start is before all columns, and no column is empty.
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

  /** Reads rows in token order, starting after the row of a key: at most `cells` cells of each. */
  scan(table: ColumnTable, cells: number, after: Uint8Array | undefined): Statement {
    const from = after === undefined ? "" : " WHERE token(key) > token(?)"
    return {
      text: `SELECT key, column1, value FROM ${this.table(table)}${from} PER PARTITION LIMIT ?`,
      parameters: after === undefined ? [cells] : [bufferOf(after), cells]
    }
  }

  /** Writes a cell with a time stamp in microseconds. */
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

  /** Removes the columns from `start` to before `end`. */
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
