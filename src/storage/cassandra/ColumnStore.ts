import type { Table } from "../janusgraph/cells/CellStore.ts"

/**
 * Raw columns of tables of a keyspace: what the graph over cells and JanusGraph's protocols of coordination (instances,
 * claims of ids, locks) are built on. Nothing here knows what columns mean, and nothing is atomic beyond one row.
 */

/** Tables of JanusGraph that only its protocols use, and not the graph over cells. */
export type CoordinationTable =
  | "edgestore_lock_"
  | "graphindex_lock_"
  | "system_properties_lock_"
  | "systemlog"
  | "txlog"

export type ColumnTable = Table | CoordinationTable

/** Tables that JanusGraph makes and the graph over cells does not read. */
export const coordinationTables: ReadonlyArray<CoordinationTable> = [
  "edgestore_lock_",
  "graphindex_lock_",
  "system_properties_lock_",
  "systemlog",
  "txlog"
]

/**
 * How many replicas answer. `read` and `write`: as the graph's options say (`storage.cql.read-consistency-level`,
 * `storage.cql.write-consistency-level`; QUORUM). `system`: what JanusGraph takes for ids, locks and its configuration:
 * QUORUM, or LOCAL_QUORUM with `storage.cql.only-use-local-consistency-for-system-operations`.
 */
export type Consistency = "read" | "write" | "system"

/** Columns from `start` (absent: the first) up to, not including, `end` (absent: the last) of one row. */
export interface ColumnSlice {
  readonly table: ColumnTable
  readonly key: Uint8Array
  readonly start?: Uint8Array | undefined
  readonly end?: Uint8Array | undefined
  /** Columns at most; absent: all, fetched page by page. */
  readonly limit?: number | undefined
  /** The last columns are taken first, and given in descending order. */
  readonly reverse?: boolean | undefined
}

/** A column with its value. */
export interface Column {
  readonly column: Uint8Array
  readonly value: Uint8Array
}

/** A column with the time it was written with, microseconds since the epoch. */
export interface TimedColumn extends Column {
  readonly written: bigint
}

/** What is to be written into a column. */
export interface Addition extends Column {
  /** Seconds after which Cassandra removes it; absent or 0: never. */
  readonly ttl?: number | undefined
}

/** Changes of one row. */
export interface ColumnMutation {
  readonly table: ColumnTable
  readonly key: Uint8Array
  readonly additions: ReadonlyArray<Addition>
  /** Columns to remove. One that is added as well is there afterwards. */
  readonly deletions: ReadonlyArray<Uint8Array>
  /** Every column of the row is removed that is not added. */
  readonly wholeRow?: boolean | undefined
  /** Columns from one to another, which is not among them, are removed. */
  readonly removedRanges?: ReadonlyArray<readonly [start: Uint8Array, end: Uint8Array]> | undefined
}

/**
 * All methods fail with StorageFailure, whose message says what a person can do; never later than the option
 * `storage.cql.request-timeout` allows, and never by hanging. A mutation that failed may have been made nevertheless, in
 * part, or may yet be.
 */
export interface ColumnStore {
  /** Words for a person: where the keyspace is. */
  readonly place: string
  /** In ascending order of columns (descending with `reverse`). */
  slice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<Column>>
  /** The same with the times at which the columns were written. */
  timedSlice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<TimedColumn>>
  /**
   * Changes rows, each row atomically for its own (at once up to `storage.cql.batch-statement-size` statements), the rows
   * together not. `timestamp`, microseconds since the epoch: additions carry it with the lowest bit set and deletions with
   * it cleared, as JanusGraph's, so that an addition wins over a deletion of the same mutation.
   */
  mutate(mutations: Iterable<ColumnMutation>, timestamp: bigint, consistency: Consistency): Promise<void>
}
