import type { CellSnapshot, Page, SliceQuery } from "../../cells/CellStore.ts"
import { noCells } from "../../cells/Cells.ts"

/** Cells of a page of a slice that has no limit. */
export const PAGE_CELLS = 1000

const latin1 = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "-" : Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

const nameOf = ({ end, key, limit, reverse, start, table }: SliceQuery): string =>
  `${table} ${limit} ${reverse} ${[key, start, end].map((bytes) => `${bytes?.length} ${latin1(bytes)}`).join(" ")}`

/**
 * Synchronous reads over a store that answers later. A read of a slice that was not fetched returns no cells and is
 * recorded, so that the reader continues and records further slices. Then all of them are fetched, and the reader starts
 * again.
 */
export class FetchedSlices {
  readonly #snapshot: CellSnapshot
  readonly #pages = new Map<string, Page>()
  readonly #missing = new Map<string, SliceQuery>()

  constructor(snapshot: CellSnapshot) {
    this.#snapshot = snapshot
  }

  /** True when a read returned nothing because the slice was not fetched. */
  get isIncomplete(): boolean {
    return this.#missing.size > 0
  }

  readonly slice = (query: SliceQuery): Page => {
    const name = nameOf(query)
    const page = this.#pages.get(name)
    if (page !== undefined) return page
    this.#missing.set(name, { ...query, limit: query.limit ?? PAGE_CELLS })
    return { cells: noCells, more: false }
  }

  /** Fetches the slices that were missing, in their newest state. */
  async fetch(): Promise<void> {
    const missing = [...this.#missing]
    this.#missing.clear()
    const pages = await this.#snapshot.fetch(
      missing.map(([, query]) => query),
      true
    )
    for (let at = 0; at < missing.length; at++) this.#pages.set(missing[at]![0], pages[at]!)
  }
}
