import { runWhole } from "../../../scheduling/Task.ts"
import { BigMap } from "../../../structure/BigMap.ts"
import type { CellBatch, CellChange, Table } from "../cells/CellStore.ts"

interface ChangedRow {
  readonly table: Table
  readonly key: Uint8Array
  readonly cells: BigMap<string, CellChange>
  removed: boolean
}

const nameOf = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

/** Cells that are collected between two yields. */
const AT_ONCE = 1024

/** The cells that a commit changes, by rows; of several changes of one cell the last counts. */
export class RowChanges {
  readonly #rows = new BigMap<string, ChangedRow>()

  #row(table: Table, key: Uint8Array): ChangedRow {
    const name = `${table} ${nameOf(key)}`
    let row = this.#rows.get(name)
    if (row === undefined) {
      row = { table, key, cells: new BigMap(), removed: false }
      this.#rows.set(name, row)
    }
    return row
  }

  put(table: Table, key: Uint8Array, column: Uint8Array, value: Uint8Array): void {
    this.#row(table, key).cells.set(nameOf(column), { column, value })
  }

  remove(table: Table, key: Uint8Array, column: Uint8Array): void {
    this.#row(table, key).cells.set(nameOf(column), { column, value: null })
  }

  /** Removes what the row has now; cells put before or after are kept. */
  removeRow(table: Table, key: Uint8Array): void {
    this.#row(table, key).removed = true
  }

  /** What the cell is changed to, null when it is removed, undefined when it is not changed. */
  changeOf(table: Table, key: Uint8Array, column: Uint8Array): Uint8Array | null | undefined {
    const row = this.#rows.get(`${table} ${nameOf(key)}`)
    const change = row?.cells.get(nameOf(column))?.value
    return change === undefined && row?.removed ? null : change
  }

  /** The rows with the columns that are changed one by one. */
  *rows(): Generator<
    { readonly table: Table; readonly key: Uint8Array; readonly columns: Iterable<Uint8Array> },
    void
  > {
    for (const { cells, key, table } of this.#rows.values()) {
      yield { table, key, columns: Array.from(cells.values(), ({ column }) => column) }
    }
  }

  apply(batch: CellBatch): void {
    runWhole(this.pieces(batch))
  }

  /** The same with a yield after each row, and within large ones. */
  *pieces(batch: CellBatch): Generator<void, void> {
    for (const { table, key, cells, removed } of this.#rows.values()) {
      const kept: Array<CellChange> = []
      for (const change of cells.values()) {
        if (!removed || change.value !== null) kept.push(change)
        if (kept.length % AT_ONCE === 0) yield
      }
      if (removed) batch.removeRow(table, key)
      if (!removed || kept.length > 0) batch.change(table, key, kept)
      yield
    }
  }
}
