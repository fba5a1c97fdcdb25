import type { Page, SliceQuery } from "../cells/CellStore.ts"
import type { VertexRow } from "../rows/Row.ts"

/** Pages of one search that are kept at most. */
export const SEARCH_PAGES = 32

/** Searches whose answers a transaction keeps. */
const MOST = 4096

/** Vertices of a scan of all of them that are kept at most. */
export const SCANNED_VERTICES = 4096

/**
 * What a transaction over a store that answers later has fetched of indexes: the same slices, asked for again, are
 * here. Rows that are worked one by one search one after the other, and a scout has asked for all of them before. So it
 * is with a scan of all vertices, when they are few.
 */
export class Searches {
  readonly #pages = new Map<string, ReadonlyArray<Page>>()
  /** All vertices, once they were scanned to the end. */
  vertices: ReadonlyArray<VertexRow> | undefined

  find(slices: ReadonlyArray<SliceQuery>): ReadonlyArray<Page> | undefined {
    return this.#pages.size === 0 ? undefined : this.#pages.get(nameOf(slices))
  }

  keep(slices: ReadonlyArray<SliceQuery>, pages: ReadonlyArray<Page>): void {
    if (this.#pages.size < MOST) this.#pages.set(nameOf(slices), pages)
  }
}

const nameOf = (slices: ReadonlyArray<SliceQuery>): string => slices.map(nameOfSlice).join(" ")

const nameOfSlice = ({ end, key, reverse, start, table }: SliceQuery): string =>
  [table, hex(key), hex(start), hex(end), reverse === true].join(",")

const hex = (bytes: Uint8Array | undefined): string => (bytes === undefined ? "" : Buffer.from(bytes).toString("hex"))
