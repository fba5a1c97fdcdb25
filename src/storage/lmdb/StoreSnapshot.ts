import type { CellSnapshot, Page, RowPage, RowScan, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { successor } from "../janusgraph/cells/Cells.ts"
import type { Slab } from "../janusgraph/cells/Slab.ts"
import { readRows, readSlice } from "./ColumnSlices.ts"
import type { Environment, LmdbSnapshot, StoreState } from "./Environment.ts"
import { rowName } from "./RowNames.ts"

const BEGIN = Buffer.from([0])

/** A read transaction of lmdb, of which {@link StoreSnapshot} is a view. */
export interface OpenRead {
  readonly transaction: LmdbSnapshot
  readonly state: StoreState
  /** True after the files were closed. */
  ended: boolean
}

/** The cells of a store as they are in one read transaction of lmdb. */
export class StoreSnapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #environment: Environment
  readonly #read: OpenRead
  readonly #release: () => void
  #isOpen = true

  /** `release` is called when the snapshot is closed. */
  constructor(environment: Environment, read: OpenRead, release: () => void) {
    this.#environment = environment
    this.#read = read
    this.#release = release
    this.version = read.state.version
    this.schemaVersion = read.state.schemaVersion
  }

  #open(): LmdbSnapshot {
    if (!this.#isOpen || this.#read.ended) throw new Error("The snapshot was used after it was closed")
    return this.#read.transaction
  }

  changedRows(version: number): ReadonlyArray<Uint8Array> | undefined {
    return this.#environment.changedRows(version, this.#open())
  }

  slice(query: SliceQuery, slab?: Slab): Page {
    return readSlice(this.#environment.table(query.table), query, this.#open(), slab)
  }

  async fetch(queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> {
    return queries.map((query) => this.slice(query))
  }

  scan(table: Table): RowScan {
    return this.scanFrom(table, undefined)
  }

  scanFrom(table: Table, after: Uint8Array | undefined): RowScan {
    let from: Buffer | undefined = after === undefined ? BEGIN : successor(rowName(after))
    const next = (rows: number): ReadonlyArray<RowPage> => {
      while (from !== undefined) {
        const found: ReturnType<typeof readRows> = readRows(this.#environment.table(table), from, rows, this.#open())
        from = found.next
        if (found.rows.length > 0) return found.rows
      }
      return []
    }
    return { next, fetch: async (rows) => next(rows) }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#release()
  }
}
