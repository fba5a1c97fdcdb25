import type { Page, SliceQuery } from "../cells/CellStore.ts"
import type { VertexRow } from "../rows/Row.ts"

/** The maximum number of pages of a search that are kept. */
export const MAX_PAGES_OF_SEARCH = 32

/** The maximum number of searches that a transaction keeps. */
const MAX_SEARCHES = 4096

/** The maximum number of vertices of a full scan that are kept. */
export const MAX_SCANNED_VERTICES = 4096

interface Search {
  readonly slices: ReadonlyArray<SliceQuery>
  readonly pages: ReadonlyArray<Page>
}

/**
 * The index slices that a transaction over a store that answers later has fetched. The read-ahead fetches the searches
 * of many rows at once; the rows then run the same searches one by one and find the slices here. The vertices of a full
 * scan are kept for the same reason, when they are few.
 */
export class Searches {
  /** The first search, without a name: most transactions have no second one. */
  #first: Search | undefined
  /** All searches by name. Both maps are undefined until they are needed. */
  #pages: Map<string, ReadonlyArray<Page>> | undefined
  #documents: Map<string, ReadonlyArray<string>> | undefined
  /** All vertices, after a full scan was completed. */
  vertices: ReadonlyArray<VertexRow> | undefined
  /** Estimated bytes of the elements that searches in progress have found, and of the ids of requested edges. */
  seenBytes = 0

  /** The pages of these slices; undefined when they were not fetched. */
  find(slices: ReadonlyArray<SliceQuery>): ReadonlyArray<Page> | undefined {
    return this.#first === undefined ? undefined : this.#named(this.#first).get(nameOf(slices))
  }

  /** Keeps the pages of slices. */
  keep(slices: ReadonlyArray<SliceQuery>, pages: ReadonlyArray<Page>): void {
    if (this.#first === undefined) this.#first = { slices, pages }
    else {
      const named = this.#named(this.#first)
      if (named.size < MAX_SEARCHES) named.set(nameOf(slices), pages)
    }
  }

  #named({ pages, slices }: Search): Map<string, ReadonlyArray<Page>> {
    this.#pages ??= new Map([[nameOf(slices), pages]])
    return this.#pages
  }

  /** The names of the documents that a search engine has found; undefined when it was not asked, or found very many. */
  documents(search: string): ReadonlyArray<string> | undefined {
    return this.#documents?.get(search)
  }

  /** Keeps the names of documents. */
  keepDocuments(search: string, names: ReadonlyArray<string>): void {
    this.#documents ??= new Map()
    if (this.#documents.size < MAX_SEARCHES) this.#documents.set(search, names)
  }
}

const nameOf = (slices: ReadonlyArray<SliceQuery>): string => slices.map(nameOfSlice).join(" ")

const nameOfSlice = ({ end, key, reverse, start, table }: SliceQuery): string =>
  [table, hex(key), hex(start), hex(end), reverse === true].join(",")

const hex = (bytes: Uint8Array | undefined): string => (bytes === undefined ? "" : Buffer.from(bytes).toString("hex"))
