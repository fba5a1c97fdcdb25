import { BigMap } from "../../../structure/containers/BigMap.ts"
import { NotFetched } from "../../../structure/errors/StoreErrors.ts"
import type { CellSnapshot, Page } from "../cells/CellStore.ts"
import { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import type { Header } from "./Headers.ts"
import { ManyRows, RecentRows } from "./RecentRows.ts"
import { type Group, ROW_BYTES, type VertexRow } from "./Row.ts"
import type { RowCache } from "./RowCache.ts"
import { emptyRow, RowLoader } from "./RowLoader.ts"
import { RowTable } from "./RowTable.ts"

/** The rows of vertices as one transaction sees them. */
export interface RowSource {
  /** The row, or the part of it that was read so far. */
  row(id: VertexId): VertexRow
  /** The group of a row with a header; undefined when there is none. */
  group(row: VertexRow, header: Header): Group | undefined
  /** Reads all properties of a row, unless it has them. Absent where the store answers later, and in views that read no properties. */
  readProperties?(row: VertexRow): void
  /** The first page of a range of columns. Throws where the store answers later. */
  page(id: VertexId, start: Uint8Array, end: Uint8Array): Page
  /** Keeps a row that a scan has read, for the reads that follow. */
  offer(row: VertexRow): void
  /** Estimated bytes of the rows that are kept, without their cells. */
  readonly heldBytes: number
  /** Bytes of the cells of the rows that are kept. */
  readonly cellBytes: number
  /** Releases the buffers of the rows. The rows must not be read any more. */
  release(): void
}

/** The maximum number of rows of a {@link RowTable}. */
const MAX_TABLE_ROWS = 4096
/** A generation of the rows that the cache did not admit. */
const RECENT = { rows: MAX_TABLE_ROWS, bytes: 8 * 1024 * 1024 }
/** A generation of the rows of scans: far more than the steps that follow the scan work on at a time. */
const RECENT_SCANNED = { rows: 32_768, bytes: 32 * 1024 * 1024 }

/** The rows of a store that answers at once, read through the cache of decoded rows. */
export class CachedRows implements RowSource {
  readonly #snapshot: CellSnapshot
  readonly #cache: RowCache
  readonly #loader: RowLoader
  /** Rows are read into this slab; the cache copies those that it admits into its own. */
  readonly #slab = new Slab()
  /** The rows that the cache did not admit. */
  #recent: RecentRows | undefined

  constructor(snapshot: CellSnapshot, cache: RowCache, partitionBits: number) {
    this.#snapshot = snapshot
    this.#cache = cache
    this.#loader = new RowLoader((query, slab) => snapshot.slice(query, slab), partitionBits)
  }

  row(id: VertexId): VertexRow {
    const cached = this.#cache.get(id, this.#snapshot.version)
    if (cached !== undefined) return cached
    const kept = this.#recent?.get(id)
    if (kept !== undefined) return kept
    const row = this.#loader.row(id, this.#slab)
    this.offer(row)
    return row
  }

  group(row: VertexRow, header: Header): Group | undefined {
    return this.#loader.group(row, header)
  }

  readProperties(row: VertexRow): void {
    this.#loader.readProperties(row)
  }

  page(id: VertexId, start: Uint8Array, end: Uint8Array): Page {
    return this.#loader.page(id, start, end)
  }

  offer(row: VertexRow): void {
    if (this.#cache.put(row, this.#snapshot.version)) return
    this.#recent ??= new RecentRows(() => new RowTable(), RECENT)
    this.#recent.set(row)
  }

  get heldBytes(): number {
    return this.#recent?.heldBytes ?? 0
  }

  get cellBytes(): number {
    return this.#recent?.cellBytes ?? 0
  }

  release(): void {
    this.#recent = undefined
    this.#slab.release()
  }
}

/** Slots for the first rows of a transaction over a store that answers later: it holds them while it waits. */
const FEW_SLOTS = 8

/** Rows of scans that are kept until the transaction ends, and their bytes. Of those after them, the newest are kept. */
const MAX_KEPT_SCANNED_ROWS = 65_536
const MAX_KEPT_SCANNED_BYTES = 64 * 1024 * 1024

/** The rows that were fetched from a store that answers later. They are kept until the transaction ends, unless scans read very many. */
export class FetchedRows implements RowSource {
  /** The first rows; undefined while there are none: a transaction that waits for its first search has no rows. */
  #few: RowTable | undefined
  /** The further rows of a transaction that reads very many. */
  #many: BigMap<VertexId, VertexRow> | undefined
  /** The newest rows of a scan of very many. */
  #scanned: RecentRows | undefined
  #keptScanned = 0
  #keptScannedBytes = 0
  /** Bytes of the cells that were fetched. */
  #bytes = 0
  /** Fetched ranges of columns, by the bytes object of their start, then by row; undefined while there are none. */
  #pages: Map<Uint8Array, Map<VertexId, Page>> | undefined
  readonly #maxKeptScanned: number
  readonly #recentScanned: number

  /** `maxKeptScanned`: rows of scans that are kept. `recentScanned`: those after them that are kept for a while, at least. */
  constructor(maxKeptScanned = MAX_KEPT_SCANNED_ROWS, recentScanned = RECENT_SCANNED.rows) {
    this.#maxKeptScanned = maxKeptScanned
    this.#recentScanned = recentScanned
  }

  #find(id: VertexId): VertexRow | undefined {
    return this.#few?.get(id) ?? this.#many?.get(id)
  }

  row(id: VertexId): VertexRow {
    let row = this.#find(id) ?? this.#scanned?.get(id)
    if (row === undefined) {
      row = emptyRow(id)
      row.complete = false
      this.#keep(row)
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
    const known = this.#find(row.id)
    if (known === row) return
    const isFull = this.#keptScanned >= this.#maxKeptScanned || this.#keptScannedBytes >= MAX_KEPT_SCANNED_BYTES
    if (known === undefined && isFull) {
      this.#scanned ??= new RecentRows(() => new ManyRows(), { ...RECENT_SCANNED, rows: this.#recentScanned })
      this.#scanned.set(row)
      return
    }
    if (known === undefined) {
      this.#keptScanned++
      this.#keptScannedBytes += row.bytes
    }
    this.#bytes += row.bytes - (known?.bytes ?? 0)
    this.#keep(row)
  }

  #keep(row: VertexRow): void {
    this.#few ??= new RowTable(FEW_SLOTS)
    if (this.#few.size < MAX_TABLE_ROWS || this.#few.get(row.id) !== undefined) this.#few.set(row)
    else {
      this.#many ??= new BigMap()
      this.#many.set(row.id, row)
    }
  }

  /** Counts the cells of pages that were fetched for rows that are kept. */
  countPages(pages: ReadonlyArray<Page>): void {
    for (const { cells } of pages) this.#bytes += cells.end - cells.start
  }

  get heldBytes(): number {
    const rows = (this.#few?.size ?? 0) + (this.#many?.size ?? 0)
    return rows * ROW_BYTES + (this.#scanned?.heldBytes ?? 0)
  }

  get cellBytes(): number {
    return this.#bytes + (this.#scanned?.cellBytes ?? 0)
  }

  release(): void {
    this.#few = this.#many = this.#scanned = undefined
    this.#pages = undefined
  }
}

const notFetched = (id: VertexId): Error =>
  new NotFetched(`Cells of the vertex ${id} were read before they were fetched`)
