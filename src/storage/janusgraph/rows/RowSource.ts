import { NotFetched } from "../../../structure/errors/StoreErrors.ts"
import type { CellSnapshot, Page } from "../cells/CellStore.ts"
import { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import type { Header } from "./Headers.ts"
import type { Group, VertexRow } from "./Row.ts"
import type { RowCache } from "./RowCache.ts"
import { emptyRow, RowLoader } from "./RowLoader.ts"
import { RowTable } from "./RowTable.ts"

/** The rows of vertices as one transaction sees them. */
export interface RowSource {
  /** The row, or the part of it that was read so far. */
  row(id: VertexId): VertexRow
  /** The group of a row with a header; undefined when there is none. */
  group(row: VertexRow, header: Header): Group | undefined
  /** The first page of a range of columns. Throws where the store answers later. */
  page(id: VertexId, start: Uint8Array, end: Uint8Array): Page
  /** Keeps a row that a scan has read, for later reads. */
  offer(row: VertexRow): void
  /** Releases the buffers of the rows. The rows must not be read any more. */
  release(): void
}

/** The maximum number of rows of a table. */
const ROWS_PER_GENERATION = 4096

/** The rows of a store that answers at once, read through the cache of decoded rows. */
export class CachedRows implements RowSource {
  readonly #snapshot: CellSnapshot
  readonly #cache: RowCache
  readonly #loader: RowLoader
  /** Rows are read into this slab; the cache copies those that it admits into its own. */
  readonly #slab = new Slab()
  /** The rows that the cache did not admit, in two generations. */
  #young: RowTable | undefined
  #old: RowTable | undefined

  constructor(snapshot: CellSnapshot, cache: RowCache, partitionBits: number) {
    this.#snapshot = snapshot
    this.#cache = cache
    this.#loader = new RowLoader((query, slab) => snapshot.slice(query, slab), partitionBits)
  }

  row(id: VertexId): VertexRow {
    const cached = this.#cache.get(id, this.#snapshot.version)
    if (cached !== undefined) return cached
    const kept = this.#young?.get(id) ?? this.#old?.get(id)
    if (kept !== undefined) return kept
    const row = this.#loader.row(id, this.#slab)
    this.offer(row)
    return row
  }

  group(row: VertexRow, header: Header): Group | undefined {
    return this.#loader.group(row, header)
  }

  page(id: VertexId, start: Uint8Array, end: Uint8Array): Page {
    return this.#loader.page(id, start, end)
  }

  offer(row: VertexRow): void {
    if (this.#cache.put(row, this.#snapshot.version)) return
    if (this.#young === undefined || this.#young.size >= ROWS_PER_GENERATION) {
      this.#old = this.#young
      this.#young = new RowTable()
    }
    this.#young.set(row)
  }

  release(): void {
    this.#young = undefined
    this.#old = undefined
    this.#slab.release()
  }
}

/** Slots for the first rows of a transaction over a store that answers later: it holds them while it waits. */
const FEW_SLOTS = 8

/** The rows of a store that answers later: those that were fetched. They are kept until the transaction ends. */
export class FetchedRows implements RowSource {
  /** The first rows; undefined while there are none: a transaction that waits for its first search has no rows. */
  #few: RowTable | undefined
  /** The further rows of a transaction that reads very many. */
  #many: Map<VertexId, VertexRow> | undefined
  /** Fetched ranges of columns, by the bytes object of their start, then by row; undefined while there are none. */
  #pages: Map<Uint8Array, Map<VertexId, Page>> | undefined

  row(id: VertexId): VertexRow {
    let row = this.#few?.get(id) ?? this.#many?.get(id)
    if (row === undefined) {
      row = emptyRow(id)
      row.complete = false
      this.offer(row)
    }
    return row
  }

  group(row: VertexRow, header: Header): Group | undefined {
    if (!row.knows(header)) throw notFetched(row.id)
    return row.find(header.key)
  }

  /** The range must have been kept with the same `start` object. */
  page(id: VertexId, start: Uint8Array): Page {
    const page = this.#pages?.get(start)?.get(id)
    if (page === undefined) throw notFetched(id)
    return page
  }

  /** True when the range of columns that begins with this `start` object was kept. */
  hasPage(id: VertexId, start: Uint8Array): boolean {
    return this.#pages?.get(start)?.has(id) ?? false
  }

  /** Keeps a range of columns. The page must be complete. */
  keepPage(id: VertexId, start: Uint8Array, page: Page): void {
    this.#pages ??= new Map()
    const pages = this.#pages.get(start)
    if (pages === undefined) this.#pages.set(start, new Map([[id, page]]))
    else pages.set(id, page)
  }

  offer(row: VertexRow): void {
    this.#few ??= new RowTable(FEW_SLOTS)
    if (this.#few.size < ROWS_PER_GENERATION || this.#few.get(row.id) !== undefined) this.#few.set(row)
    else {
      this.#many ??= new Map()
      this.#many.set(row.id, row)
    }
  }

  release(): void {
    this.#few = this.#many = undefined
    this.#pages = undefined
  }
}

const notFetched = (id: VertexId): Error =>
  new NotFetched(`Cells of the vertex ${id} were read before they were fetched`)
