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
  /** The row, as far as it is here. */
  row(id: VertexId): VertexRow
  /** All cells of a row with a header; undefined when there are none. */
  group(row: VertexRow, header: Header): Group | undefined
  /** Some cells of a row that are not here; only where the store answers at once. */
  piece(id: VertexId, start: Uint8Array, end: Uint8Array): Page
  /** A row that a scan came by, for the reads that follow. */
  offer(row: VertexRow): void
  /** Nobody looks at any row any more. */
  giveBack(): void
}

/** Rows that a transaction keeps by itself, in each of two generations. */
const KEPT = 4096

/** Reads from a store that answers at once, through the rows that are kept decoded. */
export class CachedRows implements RowSource {
  readonly #snapshot: CellSnapshot
  readonly #cache: RowCache
  readonly #loader: RowLoader
  /** Rows are read into it; those that are kept by the cache go over to one of its own. */
  readonly #slab = new Slab()
  /** Rows that the cache does not keep: of an older snapshot than it is of, or asked for only here. */
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

  piece(id: VertexId, start: Uint8Array, end: Uint8Array): Page {
    return this.#loader.piece(id, start, end)
  }

  offer(row: VertexRow): void {
    if (this.#cache.put(row, this.#snapshot.version)) return
    if (this.#young === undefined || this.#young.size >= KEPT) {
      this.#old = this.#young
      this.#young = new RowTable()
    }
    this.#young.set(row)
  }

  giveBack(): void {
    this.#young = undefined
    this.#old = undefined
    this.#slab.giveBack()
  }
}

/** Rows of a store that answers later: those that were fetched, for as long as the transaction lasts. */
export class FetchedRows implements RowSource {
  readonly #rows = new Map<VertexId, VertexRow>()

  row(id: VertexId): VertexRow {
    let row = this.#rows.get(id)
    if (row === undefined) {
      row = emptyRow(id)
      row.complete = false
      this.#rows.set(id, row)
    }
    return row
  }

  group(row: VertexRow, header: Header): Group | undefined {
    if (!row.knows(header)) throw notFetched(row.id)
    return row.find(header.key)
  }

  piece(id: VertexId): Page {
    throw notFetched(id)
  }

  offer(row: VertexRow): void {
    this.#rows.set(row.id, row)
  }

  giveBack(): void {
    this.#rows.clear()
  }
}

const notFetched = (id: VertexId): Error => new Error(`Cells of the vertex ${id} were read without being fetched`)
