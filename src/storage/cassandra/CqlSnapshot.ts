import type { CellSnapshot, Page, RowScan, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { inWindow } from "./ConcurrentWork.ts"
import type { CqlPages } from "./CqlPages.ts"
import { TokenScan } from "./TokenScan.ts"

/** Slices of one fetch that are in flight: more of them make a cluster slower. */
const SLICES_IN_FLIGHT = 256

/**
 * Reads the newest cells: Cassandra has no snapshots. The transaction caches what it has read, so a row does not change
 * under it; two rows may be from different moments.
 */
export class CqlSnapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #pages: CqlPages
  readonly #end: () => void

  /** `end` is called by close(). */
  constructor(pages: CqlPages, version: number, schemaVersion: number, end: () => void) {
    this.#pages = pages
    this.version = version
    this.schemaVersion = schemaVersion
    this.#end = end
  }

  slice(): never {
    throw new Error("This store is asynchronous: a slice was read without being fetched")
  }

  fetch(
    queries: ReadonlyArray<SliceQuery>,
    answer: (error: Error | undefined, pages: ReadonlyArray<Page>) => void
  ): void {
    fetchAll(this.#pages, queries).then(
      (pages) => answer(undefined, pages),
      (error: Error) => answer(error, [])
    )
  }

  scan(table: Table, after?: Uint8Array): RowScan {
    return new TokenScan(this.#pages, table, after)
  }

  close(): void {
    this.#end()
  }
}

/** Reads all slices, a limited number of them concurrently. */
export const fetchAll = async (pages: CqlPages, queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> => {
  const answers: Array<Page> = new Array(queries.length)
  await inWindow(queries, SLICES_IN_FLIGHT, async (query, at) => {
    answers[at] = await pages.read(query)
  })
  return answers
}
