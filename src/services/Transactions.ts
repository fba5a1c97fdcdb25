import type { Pending } from "../scheduling/Pending.ts"
import type { GraphStore, GraphTransaction } from "../structure/GraphStore.ts"

/** Is notified of commits. */
export interface CommitListener {
  /** The changes of a graph are committed. Not called for a transaction without changes. */
  committed(store: GraphStore): void
}

/**
 * The open transactions of a request or of a session, one for each graph that is used. A transaction begins, with its
 * snapshot, with the first operation on its graph. After a commit or rollback the next operation begins another one.
 */
export interface Transactions {
  /** The open transaction of a graph; begins one when there is none. */
  open(store: GraphStore): GraphTransaction
  /** Whether any transaction has changes. */
  readonly dirty: boolean
  /** The graphs with changes among those that `picks` accepts (null or absent: all). */
  changed(picks?: ((store: GraphStore) => boolean) | null): ReadonlyArray<GraphStore>
  readonly isOpen: boolean
  /** Bytes of uncommitted changes, about. */
  readonly heldBytes: number
  /**
   * Commits the open transactions of the graphs that `picks` accepts (null: all), in the order in which they were opened.
   * Undefined when it is done. When a commit fails, throws or fails with its error: the transactions after it are rolled
   * back, and those before it stay committed.
   */
  commit(picks: ((store: GraphStore) => boolean) | null, listener: CommitListener): Pending | undefined
  /** Marks the begin of a request of a session: its changes can be rolled back alone. */
  savepoint(): void
  /** Rolls back the changes since the savepoint, in the open transactions. Undefined when it is done. */
  rollbackToSavepoint(): Pending | undefined
  /** Rolls back and ends the open transactions of the graphs that `picks` accepts (null or absent: all). */
  rollback(picks?: ((store: GraphStore) => boolean) | null): void
}
