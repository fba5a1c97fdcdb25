import { runWhole } from "../../../scheduling/Task.ts"
import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { CellBatch, CellChange, Table } from "../cells/CellStore.ts"

interface ChangedRow {
  readonly table: Table
  readonly key: Uint8Array
  readonly cells: BigMap<string, CellChange>
  removed: boolean
}

const nameOf = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

/** Cells that are processed between two yields. */
const CELLS_PER_YIELD = 1024

/** The changes of cells of a commit, by row. The last change of a cell wins. */
export class RowChanges {
  readonly #rows = new BigMap<string, ChangedRow>()
  /** The row of the last change. */
  #last: ChangedRow | undefined

  #row(table: Table, key: Uint8Array): ChangedRow {
    // The cells of a vertex come one after another, with the same key.
    const last = this.#last
    if (last !== undefined && last.key === key && last.table === table) return last
    const name = `${table} ${nameOf(key)}`
    let row = this.#rows.get(name)
    if (row === undefined) {
      row = { table, key, cells: new BigMap(), removed: false }
      this.#rows.set(name, row)
    }
    this.#last = row
    return row
  }

  /** Sets the value of a cell. `ttl`: its TTL in seconds, 0 for none. */
  put(table: Table, key: Uint8Array, column: Uint8Array, value: Uint8Array, ttl = 0): void {
    this.#row(table, key).cells.set(nameOf(column), ttl === 0 ? { column, value } : { column, value, ttl })
  }

  /** As {@link put}, for an entry of a unique index that an element of the commit had before. */
  replace(table: Table, key: Uint8Array, column: Uint8Array, value: Uint8Array, ttl = 0): void {
    this.#row(table, key).cells.set(nameOf(column), { column, value, ttl: ttl === 0 ? undefined : ttl, replaces: true })
  }

  /** Removes a cell. */
  remove(table: Table, key: Uint8Array, column: Uint8Array): void {
    this.#row(table, key).cells.set(nameOf(column), { column, value: null })
  }

  /** Removes all stored cells of a row. Cells that are put, before or after this call, stay. */
  removeRow(table: Table, key: Uint8Array): void {
    this.#row(table, key).removed = true
  }

  /** The new value of a cell: null when it is removed, undefined when it is not changed. */
  changeOf(table: Table, key: Uint8Array, column: Uint8Array): Uint8Array | null | undefined {
    const row = this.#rows.get(`${table} ${nameOf(key)}`)
    const change = row?.cells.get(nameOf(column))?.value
    return change === undefined && row?.removed ? null : change
  }

  /** The rows, each with the columns that are put or removed individually. */
  *rows(): Generator<
    { readonly table: Table; readonly key: Uint8Array; readonly columns: Iterable<Uint8Array> },
    void
  > {
    for (const { cells, key, table } of this.#rows.values()) {
      yield { table, key, columns: Array.from(cells.values(), ({ column }) => column) }
    }
  }

  /** Adds the changes to a batch. */
  apply(batch: CellBatch): void {
    runWhole(this.applyTask(batch))
  }

  /** Adds the changes to a batch, and yields after each row and within large rows. */
  *applyTask(batch: CellBatch): Generator<void, void> {
    for (const { table, key, cells, removed } of this.#rows.values()) {
      const kept: Array<CellChange> = []
      for (const change of cells.values()) {
        if (!removed || change.value !== null) kept.push(change)
        if (kept.length % CELLS_PER_YIELD === 0) yield
      }
      if (removed) batch.removeRow(table, key)
      if (!removed || kept.length > 0) batch.change(table, key, kept)
      yield
    }
  }
}
