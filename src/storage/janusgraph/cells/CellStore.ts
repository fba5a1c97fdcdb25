import type { Pending } from "../../../scheduling/Pending.ts"
import type { StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import type { IdSource } from "../ids/IdSource.ts"
import type { Cells } from "./Cells.ts"
import type { OpenInstances } from "./OpenInstances.ts"
import type { Outlook } from "./Outlook.ts"
import type { LoggedRelations } from "./RelationLog.ts"
import type { SharedWork } from "./SharedWork.ts"
import type { Slab } from "./Slab.ts"

/**
 * The interface between a graph over cells and its store. A store has tables of rows of sorted cells. They are read
 * from snapshots and changed in atomic batches. Reads are synchronous (lmdb) or asynchronous (cql): an asynchronous
 * store "answers later". See {@link CellSnapshot}.
 */

/** Tables of JanusGraph's format, and those this server adds to it. */
export type Table = "edgestore" | "graphindex" | "janusgraph_ids" | "system_properties" | ExtraTable

/** Element counts by label, and entries of ordered and mixed indexes. JanusGraph ignores these tables. */
type ExtraTable = "engine_counters" | "engine_ranges"

/** A kind of element that is counted by label. */
export type CountedKind = "vertex" | "edge"

/** All tables. */
export const tables: ReadonlyArray<Table> = [
  "edgestore",
  "graphindex",
  "janusgraph_ids",
  "system_properties",
  "engine_counters",
  "engine_ranges"
]

/** The columns of one row from `start` (absent: the first column) to `end`, exclusive (absent: to the last column). */
export interface SliceQuery {
  readonly table: Table
  readonly key: Uint8Array
  readonly start?: Uint8Array | undefined
  readonly end?: Uint8Array | undefined
  /** Approximate maximum number of cells in the answer. */
  readonly limit?: number | undefined
  /** Reads the slice from its end: a page has the last cells of the slice, in ascending order. */
  readonly reverse?: boolean | undefined
}

/**
 * Cells of a slice. With `more`, the page is not empty, and the slice may have cells after the last one (in reverse:
 * before the first one).
 */
export interface Page {
  readonly cells: Cells
  readonly more: boolean
}

/** The first cells of a row. */
export interface RowPage extends Page {
  readonly key: Uint8Array
}

/** An iterator over the rows of a table. */
export interface RowScan {
  /** Returns approximately `rows` further rows, and an empty list at the end. Stores that answer later throw. */
  next(rows: number): ReadonlyArray<RowPage>
  /** The asynchronous form of {@link next}. */
  fetch(rows: number): Promise<ReadonlyArray<RowPage>>
}

/** The cells as of one commit. */
export interface CellSnapshot {
  /** Increases with every commit that changes rows of vertices: snapshots with the same version have the same rows. */
  readonly version: number
  /** Increases with every change of the schema. */
  readonly schemaVersion: number
  /**
   * Returns the first page of a slice; the store chooses the size of a page. A store that copies its answers copies
   * this one into `slab`, if given. Stores that answer later throw.
   */
  slice(query: SliceQuery, slab?: Slab): Page
  /**
   * Reads slices asynchronously. The pages are in the order of the queries, and complete up to the limit of each query.
   * `isNewest`: no cache and no replica that may be outdated answers.
   */
  fetch(queries: ReadonlyArray<SliceQuery>, isNewest?: boolean): Promise<ReadonlyArray<Page>>
  /** The page of a slice, if a store that answers later has it in memory. A page without `more` may exceed the limit. */
  cached?(query: SliceQuery): Page | undefined
  /**
   * The keys of the rows of `edgestore` that the commits of a version have changed; undefined when they are unknown. Absent
   * in stores that are not shared.
   */
  changedRows?(version: number): ReadonlyArray<Uint8Array> | undefined
  /** Scans all rows, in an order that the store chooses. */
  scan(table: Table): RowScan
  /**
   * Scans all rows, or those after the row with the key `after`, in the order of the store, which is the same for every such
   * scan.
   */
  scanFrom(table: Table, after: Uint8Array | undefined): RowScan
  close(): void
}

/** A snapshot whose asynchronous reads are never answered by a cache, nor by a replica that may be outdated. */
export const newestOf = (snapshot: CellSnapshot): CellSnapshot => ({
  version: snapshot.version,
  schemaVersion: snapshot.schemaVersion,
  slice: (query, slab) => snapshot.slice(query, slab),
  fetch: (queries) => snapshot.fetch(queries, true),
  scan: (table) => snapshot.scan(table),
  scanFrom: (table, after) => snapshot.scanFrom(table, after),
  close: () => snapshot.close()
})

/** A change of one cell: the new value of the column, or null to remove the cell. */
export interface CellChange {
  readonly column: Uint8Array
  readonly value: Uint8Array | null
  /** TTL of the cell in seconds. Absent: the cell does not expire. Only for stores with {@link CellStore.cellsExpire}. */
  readonly ttl?: number | undefined
  /** True for an entry of a unique index that an element of the commit had before. */
  readonly replaces?: true
}

/** Changes of one row. */
export interface RowChange {
  readonly key: Uint8Array
  /** In the order of their columns. */
  readonly changes: ReadonlyArray<CellChange>
}

/**
 * A commit that is being applied. Reads return the newest committed state, without the changes of the batch itself.
 * Nothing else is written between the reads and the changes of a batch.
 */
export interface CellBatch {
  /** The {@link CellSnapshot.version} after this commit. */
  readonly version: number
  readonly schemaVersion: number
  /**
   * True when a read returned nothing because its cells have not been fetched yet. The store fetches everything that
   * the work reads and then runs the work again, so the work should continue rather than throw. Absent where reads are
   * synchronous.
   */
  readonly isIncomplete?: boolean
  /** See CellStore. */
  readonly longestName?: number
  slice(query: SliceQuery): Page
  /**
   * Seconds until a cell of `edgestore` expires; 0 if it does not expire, undefined if the store does not find the cell. Only in stores
   * with {@link CellStore.cellsExpire}. The answer may be missing as that of {@link slice}: it is 0 then.
   */
  secondsLeft?(key: Uint8Array, column: Uint8Array): number | undefined
  /** Changes cells of one row. A batch changes each column at most once. */
  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void
  /**
   * Changes many rows. The store iterates over `rows` while it writes and keeps no row; the iterator must not throw.
   */
  changeRows(table: Table, rows: () => Iterable<RowChange>): void
  /**
   * Locks a cell that the batch changes: the commit fails if another process changed the cell after it was read. Absent
   * where a commit is atomic.
   */
  lock?(table: Table, key: Uint8Array, column: Uint8Array): void
  /**
   * Adds to the element counts, by the id of the label. Absent: the commit reads and changes their cells itself. A commit that
   * another process applies has it.
   */
  changeCounts?(kind: CountedKind, by: ReadonlyMap<number, number>): void
  /** Removes every cell of a row. */
  removeRow(table: Table, key: Uint8Array): void
  /** Marks the commit as a change of the schema. */
  advanceSchema(): void
  /** Writes the relations to the logs of transactions. Absent in stores without {@link CellStore.transactionLogs}. */
  log?(relations: LoggedRelations): void
}

/** How long other work has run while a commit in time slices was interrupted. */
export interface CommitPauses {
  /** Milliseconds so far. */
  readonly pausedMs: number
}

/** The work of a commit in time slices. A store that measures the pauses of the whole commit, also those after the work, gives them. */
export type LongWork = (batch: CellBatch, pauses?: CommitPauses) => Iterator<unknown>

/** A store of cells; see {@link CellSnapshot} for reads and {@link CellBatch} for changes. */
export interface CellStore {
  /** The failure after which the store accepts no more writes; undefined or absent while it accepts them. */
  readonly failure?: StorageFailure | undefined
  /** Where the cells are, as text for messages. */
  readonly location: string
  /** True when the store answers later: then reads are asynchronous. */
  readonly answersLater: boolean
  /** Whether a failure of the store passes. Absent: every one may. */
  readonly outlookOf?: (failure: unknown) => Outlook
  /** True when other processes write a store with synchronous reads, too. Absent means false. */
  readonly isShared?: boolean
  /** True when the cells outlive the process. */
  readonly persistent: boolean
  /**
   * False when the store keeps no element counts. Counts would make commits wait for each other, and other writers of
   * the same tables do not update them. Absent means true.
   */
  readonly countsElements?: boolean
  /** The most bytes that the key of a row or a column may have. Absent: any number. */
  readonly longestName?: number
  /**
   * True when the store removes cells after their TTL. Elsewhere, elements with a TTL keep the time of their expiry in a
   * hidden property.
   */
  readonly cellsExpire?: boolean
  snapshot(): CellSnapshot
  /**
   * Runs the work as one atomic commit and completes when the commit is durable. When the work throws, nothing is
   * written and the commit fails with that error. The store may run the work several times.
   */
  commit(work: (batch: CellBatch) => void): Pending
  /**
   * Runs a commit of very many changes. The store may suspend the work at each yield to serve other requests. Other
   * transactions see none of the changes until all are committed. Other commits wait.
   */
  commitLong(work: LongWork): Pending
  /** Runs a commit synchronously, for opening a graph and for claiming ids. Stores that answer later throw. */
  commitNow(work: (batch: CellBatch) => void): void
  /** How new ids are claimed. Absent: in atomic commits of the store. */
  readonly idSource?: IdSource
  /** The processes that have the store open. Absent where only one process can open it. */
  readonly instances?: OpenInstances
  /**
   * JanusGraph's logs of transactions. `hasAll`: every commit is written to the write-ahead log (`tx.log-tx`). Absent where the store
   * has no such logs.
   */
  readonly transactionLogs?: { readonly hasAll: boolean }
  /** Absent where one process does all work, or other programs have their own rules. */
  readonly work?: SharedWork
  /** Looks now for types that other processes have created. Absent where a new snapshot always has them. */
  readNews?(): Promise<void>
  /** Makes {@link close} rewrite all rows in order, because random writes have fragmented the store. */
  rewriteWhenClosed?(): void
  close(): Promise<void>
}
