import type { CellBatch, CellChange, Page, RowChange, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { CellCursor, type Cells, sameBytes } from "../janusgraph/cells/Cells.ts"
import { after } from "../janusgraph/schema/SchemaRead.ts"

/** A copy of the cells of a page, whose memory the next read overwrites. */
const bytesOf = ({ bytes, end, start }: Cells): Uint8Array => Uint8Array.from(bytes.subarray(start, end))

/**
 * A commit inside a transaction of lmdb that records its reads and writes. A later transaction can repeat it if the
 * reads return the same cells there.
 */
export class RecordedBatch implements CellBatch {
  readonly version: number
  readonly schemaVersion: number
  readonly #batch: CellBatch
  readonly #reads: Array<{ readonly query: SliceQuery; readonly bytes: Uint8Array }> = []
  readonly #writes: Array<(batch: CellBatch) => void> = []
  readonly #cells: Array<CellChange & { readonly table: Table; readonly key: Uint8Array }> = []

  constructor(batch: CellBatch) {
    this.#batch = batch
    this.version = batch.version
    this.schemaVersion = batch.schemaVersion
  }

  slice(query: SliceQuery): Page {
    const page = this.#batch.slice(query)
    this.#reads.push({ query, bytes: bytesOf(page.cells) })
    return page
  }

  #write(write: (batch: CellBatch) => void): void {
    this.#writes.push(write)
    write(this.#batch)
  }

  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void {
    for (const change of changes) this.#cells.push({ ...change, table, key })
    this.#write((batch) => batch.change(table, key, changes))
  }

  changeRows(table: Table, rows: () => Iterable<RowChange>): void {
    this.#write((batch) => batch.changeRows(table, rows))
  }

  removeRow(table: Table, key: Uint8Array): void {
    this.#write((batch) => batch.removeRow(table, key))
  }

  advanceSchema(): void {
    this.#write((batch) => batch.advanceSchema())
  }

  /** True if the commit has changed cells. One that only reads is not repeated. */
  get changesCells(): boolean {
    return this.#cells.length > 0
  }

  /** Repeats the writes. Returns false and writes nothing when a read returns other cells than before. */
  repeat(batch: CellBatch): boolean {
    if (!this.#reads.every(({ bytes, query }) => sameBytes(bytesOf(batch.slice(query).cells), bytes))) return false
    for (const write of this.#writes) write(batch)
    return true
  }

  /** True when the cells that this commit has changed still have its values. */
  isStored(batch: CellBatch): boolean {
    return this.#cells.every(({ column, key, table, value }) => {
      const query = { table, key, start: column, end: after(column), limit: 1 }
      const cursor = new CellCursor().over(batch.slice(query).cells)
      return cursor.next() ? value !== null && sameBytes(cursor.value(), value) : value === null
    })
  }
}
