import type { CellSnapshot, Page, RowScan, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import type { CqlPages } from "./CqlPages.ts"
import { inWindow } from "./Requests.ts"
import { TokenScan } from "./TokenScan.ts"

/** Slices of one question that are asked for at the same time: more make a cluster slower, not faster. */
const WINDOW = 256

/**
 * The cells as they are when they are read: Cassandra has no snapshots. What a transaction has read it keeps, so that it
 * does not see a row change; two rows may be of different moments.
 */
export class CqlSnapshot implements CellSnapshot {
  readonly version: number
  readonly schemaVersion: number
  readonly #pages: CqlPages
  readonly #end: () => void

  /** `end` is called when it is closed. */
  constructor(pages: CqlPages, version: number, schemaVersion: number, end: () => void) {
    this.#pages = pages
    this.version = version
    this.schemaVersion = schemaVersion
    this.#end = end
  }

  slice(): never {
    throw new Error("This store answers later: a slice was read without being fetched")
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

/** All slices, as many at a time as the cluster likes. */
export const fetchAll = async (pages: CqlPages, queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> => {
  const answers: Array<Page> = new Array(queries.length)
  await inWindow(queries, WINDOW, async (query, at) => {
    answers[at] = await pages.read(query)
  })
  return answers
}
