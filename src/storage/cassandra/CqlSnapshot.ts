import type { CellSnapshot, Page, RowScan, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import type { Fetches } from "./Fetches.ts"
import type { SliceCache } from "./SliceCache.ts"
import { TokenScan } from "./TokenScan.ts"

/**
 * Reads the newest cells: Cassandra has no snapshots. The transaction caches what it has read, so a row does not change
 * under it; two rows may be from different moments.
 */
export class CqlSnapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #fetches: Fetches
  readonly #cache: SliceCache | undefined
  readonly #end: () => void
  readonly #isOver = (): boolean => this.#isClosed
  #isClosed = false

  /** `versions`: of the snapshot and of its schema. `end` is called by close(). */
  constructor(
    fetches: Fetches,
    cache: SliceCache | undefined,
    versions: readonly [version: number, schemaVersion: number],
    end: () => void
  ) {
    this.#fetches = fetches
    this.#cache = cache
    this.version = versions[0]
    this.schemaVersion = versions[1]
    this.#end = end
  }

  slice(): never {
    throw new Error("This store answers later: a slice was read without being fetched")
  }

  fetch(queries: ReadonlyArray<SliceQuery>, isNewest = false): Promise<ReadonlyArray<Page>> {
    if (isNewest) return this.#fetches.newest.fetch(queries, this.#isOver)
    return this.#cache === undefined
      ? this.#fetches.fetch(queries, this.#isOver)
      : this.#cache.through(queries, (missing) => this.#fetches.fetch(missing, this.#isOver))
  }

  cached(query: SliceQuery): Page | undefined {
    return this.#cache?.get(query)
  }

  scan(table: Table): RowScan {
    return new TokenScan(this.#fetches.pages, table, this.#isOver)
  }

  scanFrom(table: Table, after: Uint8Array | undefined): RowScan {
    return new TokenScan(this.#fetches.pages, table, this.#isOver, { after })
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }
}
