import type { Pending } from "../../../scheduling/Pending.ts"
import type { StorageFailure } from "../../../structure/StoreErrors.ts"
import type { IdSource } from "../ids/IdSource.ts"
import type { Cells } from "./Cells.ts"
import type { Slab } from "./Slab.ts"

/**
 * What a graph over cells needs of the store below: sorted cells in rows in tables, read from snapshots, changed in
 * atomic batches. A store answers at once (lmdb) or later (cql); see {@link CellSnapshot}.
 */

/** Tables of JanusGraph's format, and those this server adds to it. */
export type Table = "edgestore" | "graphindex" | "janusgraph_ids" | "system_properties" | ExtraTable

/** Numbers of elements by label; entries of ordered and mixed indexes. JanusGraph does not know these tables, nor look at them. */
export type ExtraTable = "engine_counters" | "engine_ranges"

export const tables: ReadonlyArray<Table> = [
  "edgestore",
  "graphindex",
  "janusgraph_ids",
  "system_properties",
  "engine_counters",
  "engine_ranges"
]

/** Columns from `start` (absent: the first) up to, not including, `end` (absent: the last) of one row. */
export interface SliceQuery {
  readonly table: Table
  readonly key: Uint8Array
  readonly start?: Uint8Array | undefined
  readonly end?: Uint8Array | undefined
  /** Cells to answer with, at most about so many. */
  readonly limit?: number | undefined
  /** The last cells of the slice are wanted first: a page has the last ones, in their usual order. */
  readonly reverse?: boolean | undefined
}

/**
 * Some cells of a slice. With `more`, others may follow behind the last one, or in reverse be before the first one, which
 * there is then.
 */
export interface Page {
  readonly cells: Cells
  readonly more: boolean
}

/** The begin of a row. */
export interface RowPage extends Page {
  readonly key: Uint8Array
}

/** Rows of a table, each once, in an order of the store's own that is the same for every scan of a snapshot. */
export interface RowScan {
  /** At once: about so many further rows; an empty list when there are none. */
  next(rows: number): ReadonlyArray<RowPage>
  /** Later: the same. */
  fetch(rows: number, answer: (error: Error | undefined, rows: ReadonlyArray<RowPage>) => void): void
}

/** The cells as they were at one moment. */
export interface CellSnapshot {
  /** Grows with every commit that changes rows of vertices; two snapshots with the same number have the same ones. */
  readonly version: number
  /** Grows with every change of the schema. */
  readonly schemaVersion: number
  /**
   * Answers at once, with a natural piece of the slice; a store that copies its answers copies this one into the slab,
   * where one is given. Stores that answer later throw.
   */
  slice(query: SliceQuery, slab?: Slab): Page
  /** Answers later, each query in whole (but for its limit), in their order. */
  fetch(
    queries: ReadonlyArray<SliceQuery>,
    answer: (error: Error | undefined, pages: ReadonlyArray<Page>) => void
  ): void
  /** All rows, or those that are behind the row with a key in the order of the scan. */
  scan(table: Table, after?: Uint8Array): RowScan
  close(): void
}

/** One change of a row: what its column is to hold, null to remove the cell. */
export interface CellChange {
  readonly column: Uint8Array
  readonly value: Uint8Array | null
}

/** Changes of one row. */
export interface RowChange {
  readonly key: Uint8Array
  /** In the order of their columns. */
  readonly changes: ReadonlyArray<CellChange>
}

/**
 * A commit while it is applied. Reads give the newest state, commits before it included, but not what it changes
 * itself. Nothing else is written between its reads and its changes.
 */
export interface CellBatch {
  /** What {@link CellSnapshot.version} is once it is committed. */
  readonly version: number
  readonly schemaVersion: number
  /**
   * True when something that was read is not here yet, and was answered with nothing: the store fetches all that the work
   * asks for and runs it again, so that it should go on rather than throw. Absent where stores answer at once.
   */
  readonly isIncomplete?: boolean
  slice(query: SliceQuery): Page
  /** Changes cells of one row; each column at most once in a batch. */
  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void
  /**
   * The same for many rows: they are asked for when they are written, one after the other, and none is kept. What gives
   * them must not throw.
   */
  changeRows(table: Table, rows: () => Iterable<RowChange>): void
  /**
   * A cell that the batch changes, which no other process may have changed since it was read. Absent where a commit is
   * atomic.
   */
  lock?(table: Table, key: Uint8Array, column: Uint8Array): void
  /** Removes every cell of a row. */
  removeRow(table: Table, key: Uint8Array): void
  /** The schema changes with this commit. */
  advanceSchema(): void
}

/** The processes that have a store open, as they have registered themselves. */
export interface OpenInstances {
  /** The name of this one. */
  readonly name: string
  /** All of them, with the times (ISO 8601) at which they began, where those are known. */
  list(): Promise<ReadonlyArray<{ readonly name: string; readonly started: string | undefined }>>
  /**
   * Removes one that ended without a word. Fails with StorageFailure for this one, one that is not there, and one that
   * began after `asked`, microseconds since the epoch.
   */
  forceClose(name: string, asked: bigint): Promise<void>
}

export interface CellStore {
  /** Why nothing is written any more; undefined or absent while it is. */
  readonly failure?: StorageFailure | undefined
  /** Words for a person: where the cells are. */
  readonly place: string
  /** True when reads must be fetched. */
  readonly answersLater: boolean
  /** True when the cells outlive the process. */
  readonly persistent: boolean
  /**
   * False when elements are not counted: commits would wait for each other for the sake of the counts, and others who write
   * do not keep them. Absent: they are.
   */
  readonly countsElements?: boolean
  snapshot(): CellSnapshot
  /**
   * Runs the work as one atomic commit and answers once it is as durable as the store makes it. The work may throw:
   * then nothing of it is written, and the error is the answer. It may be run again after it threw or when the store
   * could not apply it.
   */
  commit(work: (batch: CellBatch) => void): Pending
  /**
   * The same for work with very many changes, which the store may leave for a while after each piece to serve others; what
   * they read is not changed by it before all of it is. Other commits wait.
   */
  commitInPieces(work: (batch: CellBatch) => Iterator<unknown>): Pending
  /** The same at once, while nothing else runs: for opening a graph and for ids. Stores that answer later throw. */
  commitNow(work: (batch: CellBatch) => void): void
  /** How new ids are claimed; absent: in atomic commits of the store. */
  readonly idSource?: IdSource
  /** Processes that have the store open; absent where others cannot, or need not know. */
  readonly instances?: OpenInstances
  /** When the store is closed it writes its rows once more, in order: they were written several times, all over it. */
  rewriteWhenClosed?(): void
  close(): Promise<void>
}
