import type { Pending, PendingCommit } from "../scheduling/Pending.ts"
import type { BeginOptions, GraphStore, GraphTransaction } from "../structure/graph/GraphStore.ts"

/** Is notified of commits. */
export interface CommitListener {
  /** Called after the changes of a graph were committed. Not called for a transaction without changes. */
  committed(store: GraphStore): void
}

/** A graph that a script made or opened, such as the result of `TinkerGraph.open()`. */
export interface MadeGraph extends GraphStore {
  /** Estimated size in bytes of a graph in memory. Absent for a graph in files or in a database. */
  readonly usedBytes?: number
}

/** A transaction that a script began besides those of its request, such as the result of `graph.newTransaction()`. */
export interface SeparateTransaction {
  readonly store: GraphStore
  /** Contains only this transaction. */
  readonly transactions: Transactions
  /** True until the script commits or rolls back. */
  readonly isOpen: boolean
  /** Commits. Returns undefined if the commit is already complete. */
  commit(listener: CommitListener): PendingCommit | undefined
  rollback(): void
}

/**
 * The open transactions of a request or of a session, one for each graph in use. The first operation on a graph begins its
 * transaction and takes the snapshot. After a commit or rollback, the next operation begins another transaction.
 */
export interface Transactions {
  /** The open transaction of a graph; begins one when there is none. */
  open(store: GraphStore): GraphTransaction
  /** Whether any transaction has changes, or a separate one. */
  readonly dirty: boolean
  /** The graphs with changes among those that `picks` accepts (null or absent: all). */
  changed(picks?: ((store: GraphStore) => boolean) | null): ReadonlyArray<GraphStore>
  /** The graphs with changes in separate transactions. */
  changedSeparately(): ReadonlyArray<GraphStore>
  readonly isOpen: boolean
  /** Whether the transaction of a graph is open. */
  has(store: GraphStore): boolean
  /** Marks the transaction of a graph as begun by the client until it ends. */
  markBegun(store: GraphStore): void
  /** Takes the mark of {@link markBegun} back. */
  unmarkBegun(store: GraphStore): void
  /** Whether the client began the transaction of a graph; without an argument, of any graph. */
  isBegun(store?: GraphStore): boolean
  /** Estimated bytes of uncommitted changes. */
  readonly heldBytes: number
  /**
   * Commits the open transactions of the graphs that `picks` accepts (null: all), in the order in which they were opened.
   * Returns undefined if all commits are already complete. If a commit fails, later transactions are rolled back, and earlier
   * ones stay committed. The call then throws the error, or the returned Pending fails with it.
   */
  commit(picks: ((store: GraphStore) => boolean) | null, listener: CommitListener): PendingCommit | undefined
  /** Marks the start of a request of a session, so that the changes of this request can be rolled back separately. */
  savepoint(): void
  /** Rolls back the changes since the savepoint, also in separate transactions. Returns undefined if this is already complete. */
  rollbackToSavepoint(): Pending | undefined
  /**
   * Rolls back and ends the open transactions of the graphs that `picks` accepts (null or absent: all). Without `picks`,
   * the separate transactions end as well.
   */
  rollback(picks?: ((store: GraphStore) => boolean) | null): void
  /**
   * Keeps a graph that a script made. {@link end} calls `close`. For a graph that is already kept, it is called at once. Default:
   * closes the graph, which only these transactions use.
   */
  own(graph: MadeGraph, close?: () => void): void
  /** True for a graph that a script made. */
  owns(store: GraphStore): boolean
  /** Ends the transaction of a graph that a script made, and closes the graph. */
  disown(graph: GraphStore): void
  /** Begins a transaction that the script commits or rolls back by itself. */
  separate(store: GraphStore, options?: BeginOptions): SeparateTransaction
  /** The separate transaction that an element reads from; undefined for none. */
  separateOf(source: object): SeparateTransaction | undefined
  /** True while a transaction or a separate transaction keeps a snapshot. */
  readonly holdsSnapshot: boolean
  /** The request or session has ended: rolls everything back, and closes the graphs that its scripts made. */
  end(): void
}
