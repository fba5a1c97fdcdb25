import type { Pending } from "../../../scheduling/Pending.ts"
import type { IndexChoice, IndexQuery } from "../../../structure/graph/GraphReads.ts"
import type { CellSnapshot } from "../cells/CellStore.ts"
import type { RowChanges } from "../commit/RowChanges.ts"
import type { DocumentStore, GraphIndex } from "../schema/Schema.ts"
import type { CellScan } from "../transaction/Scans.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import type { DocumentCheck } from "./DocumentCheck.ts"
import type { LogEntry } from "./LogEntry.ts"
import type { DocumentOrder } from "./SearchEngine.ts"

/** How an index in a search engine answers a query. */
export interface ServedChoice extends IndexChoice {
  readonly index: GraphIndex
  /** The query to the engine, as JSON. */
  readonly query: string
  /** The order in which the engine returns the elements; undefined: any. */
  readonly order: (DocumentOrder & { readonly key: string }) | undefined
  /** Estimated selectivity, as of the choice of an index of the graph itself. */
  readonly rank: number
}

/**
 * What a commit that failed has written: `log` is at most the entry of the log, which comes first, and `unknown` is anything from
 * nothing to all of it.
 */
export type FailedCommit = "nothing" | "log" | "unknown"

/** The indexes that a graph has in its search engines. They are removed when its data is, and the graph is closed. */
export interface LeftIndexes {
  readonly indexes: ReadonlyArray<{
    /** The name of the index in its engine. */
    readonly name: string
    /** Removes the index with all documents. */
    remove(): Promise<void>
  }>
  /** Closes the engines. */
  close(): void
}

/** The mixed indexes of a graph that search engines keep, as transactions see them. */
export interface ServedIndexes {
  /** True for an index that is searched in, and written to, one of the engines. */
  readonly isServed: (index: GraphIndex) => boolean
  /** True for the name of an index backend that is one of the engines. */
  hasEngine(backend: string): boolean
  /** Makes the engine's index of a store, unless it exists, and adds fields to it. Fails with EngineUnavailable. */
  register(backend: string, documents: DocumentStore): Promise<void>
  /** True if the engine of an index has lost it with all documents. Fails with EngineUnavailable. */
  isLost(index: GraphIndex): Promise<boolean>
  /** Removes the documents of an index, and the engine's index. Fails with EngineUnavailable. */
  discard(index: GraphIndex): Promise<void>
  /** Chooses the index that is expected to find the fewest elements. */
  choose(reading: TransactionView, query: IndexQuery): ServedChoice | undefined
  /** Runs a search. */
  scan(reading: TransactionView, snapshot: CellSnapshot, choice: ServedChoice): CellScan
  /** A new entry of the log, for a commit that begins. It must be given to {@link committed} or {@link failed}. */
  begin(): LogEntry
  /** Adds an entry to the changes of its commit. */
  put(entry: LogEntry, changes: RowChanges): void
  /**
   * Writes the documents of a commit that has succeeded. Ends when they are written; earlier if an engine does not answer. The
   * documents are then written as soon as it does.
   */
  committed(entry: LogEntry): Pending | undefined
  /** Ends the entry of a commit that failed. */
  failed(entry: LogEntry, written: FailedCommit): void
  /** Compares the documents of a served index with their elements. */
  check(index: GraphIndex): DocumentCheck
  /**
   * Writes the documents of a served index from the newest state of their elements. Fails with EngineUnavailable if the engine does not
   * take one of them.
   */
  rewrite(index: GraphIndex, names: ReadonlyArray<string>): Promise<void>
  /** The number of documents that wait to be written. */
  readonly waiting: number
  /** Writes the documents that instances have left that ended early, now and from time to time. Reports a failure, and never fails. */
  recover(): Promise<void>
  /** Removes the entries of written documents from the log now. */
  flush(): Promise<void>
  /** Ends the writes of documents, before the graph is dropped. {@link close} then leaves the engines to the caller. */
  leave(): Promise<LeftIndexes>
  /** Ends the work. Documents that still wait are written by the next start. */
  close(): Promise<void>
}
