import type { Table } from "../janusgraph/cells/CellStore.ts"
import type { TokenRange } from "./Tokens.ts"

/**
 * The interface of columns in the tables of a keyspace. The graph over cells and JanusGraph's coordination protocols
 * (instances, claims of ids, locks) use it. Columns are opaque here, and nothing is atomic beyond one row.
 */

/** The most bytes of the key of a row, and of a column, in Cassandra. */
export const LONGEST_NAME = 65_535

/** Tables that only JanusGraph's coordination protocols use. */
export type CoordinationTable =
  | "edgestore_lock_"
  | "graphindex_lock_"
  | "system_properties_lock_"
  | "systemlog"
  | "txlog"
  | UserLogTable

/** The table of a log of the user. It is created with the first commit that is written to it. */
export type UserLogTable = `ulog_${string}`

/** Every table of a keyspace. */
export type ColumnTable = Table | CoordinationTable

/** The tables of {@link CoordinationTable}: JanusGraph expects all of them to exist. */
export const coordinationTables: ReadonlyArray<CoordinationTable> = [
  "edgestore_lock_",
  "graphindex_lock_",
  "system_properties_lock_",
  "systemlog",
  "txlog"
]

/**
 * How many replicas must answer. `read` and `write`: the options `storage.cql.read-consistency-level` and
 * `storage.cql.write-consistency-level` (default QUORUM). `system`: the level that JanusGraph uses for ids, locks and its
 * configuration: QUORUM, or LOCAL_QUORUM with `storage.cql.only-use-local-consistency-for-system-operations`. `newest`: that of
 * `system`, or ALL if reads have it. `schema`: that of writes if it is THREE, QUORUM or more, otherwise that of `system`.
 */
export type Consistency = "read" | "write" | "system" | "newest" | "schema"

/** A range of columns of one row: from `start` (default: the first) to before `end` (default: after the last). */
export interface ColumnSlice {
  readonly table: ColumnTable
  readonly key: Uint8Array
  readonly start?: Uint8Array | undefined
  readonly end?: Uint8Array | undefined
  /** Maximum number of columns. Default: all, fetched page by page. */
  readonly limit?: number | undefined
  /** Columns are returned from the last to the first. */
  readonly reverse?: boolean | undefined
}

/** The rows of a scan in the order of their tokens: those after the row of a key, those of a range of tokens, or all. */
export type ScanRange = { readonly after: Uint8Array } | TokenRange | "all"

/** A column with its value. */
export interface Column {
  readonly column: Uint8Array
  readonly value: Uint8Array
}

/** A column with its write time, microseconds since the epoch. */
export interface TimedColumn extends Column {
  readonly written: bigint
}

/** A column to write. */
export interface Addition extends Column {
  /** TTL in seconds; absent or 0: the column does not expire. */
  readonly ttl?: number | undefined
}

/** Changes of one row. */
export interface ColumnMutation {
  readonly table: ColumnTable
  readonly key: Uint8Array
  readonly additions: ReadonlyArray<Addition>
  /** Columns to remove. A column that is also added remains. */
  readonly deletions: ReadonlyArray<Uint8Array>
  /** Removes every column of the row that is not added. */
  readonly wholeRow?: boolean | undefined
  /** Ranges of columns to remove: from `start` to before `end`. */
  readonly removedRanges?: ReadonlyArray<readonly [start: Uint8Array, end: Uint8Array]> | undefined
}

/**
 * Every method fails with StorageFailure, whose message says what to do, within `storage.cql.request-timeout`. A failed
 * mutation may have been applied in part or whole, or may be applied later.
 */
export interface ColumnStore {
  /** Where the keyspace is, for messages. */
  readonly location: string
  /** In ascending order of columns (descending with `reverse`). */
  slice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<Column>>
  /** As slice(), with the write time of each column. */
  timedSlice(query: ColumnSlice, consistency: Consistency): Promise<ReadonlyArray<TimedColumn>>
  /**
   * Applies mutations. A row is changed atomically (up to `storage.cql.batch-statement-size` statements), several rows are
   * not. `timestamp`: microseconds since the epoch. As in JanusGraph, additions carry it with the lowest bit set and
   * deletions with the bit cleared, so that an addition wins over a deletion of the same mutation.
   */
  mutate(mutations: Iterable<ColumnMutation>, timestamp: bigint, consistency: Consistency): Promise<void>
  /** True if mutate() applies this mutation as a whole or not at all. */
  isAtomic(mutation: ColumnMutation): boolean
  /** Creates a table unless it exists. */
  createTable(table: UserLogTable): Promise<void>
}
