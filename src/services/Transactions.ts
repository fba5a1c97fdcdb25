import type { Pending } from "../scheduling/Pending.ts"
import type { GraphStore, GraphTransaction } from "../structure/GraphStore.ts"

/** Is told of commits. */
export interface CommitListener {
  /** The changes of a graph's transaction, which had some, are committed. */
  committed(store: GraphStore): void
}

/**
 * The open transactions of a request or of a session, one for each graph that was touched. A transaction takes its
 * snapshot with the first operation on its graph, and after a commit or rollback with the next one.
 */
export interface Transactions {
  /** The open transaction of a graph; begins one where there is none. */
  open(store: GraphStore): GraphTransaction
  /** Whether any has changes. */
  readonly dirty: boolean
  /** The graphs that have changes, of those that the test picks (null or absent: all). */
  changed(picks?: ((store: GraphStore) => boolean) | null): ReadonlyArray<GraphStore>
  readonly isOpen: boolean
  /** Bytes that changes which are not yet committed take, about. */
  readonly heldBytes: number
  /**
   * Commits and ends the open transactions of the graphs that the test picks (null: all), one after the other in the order
   * in which they were opened. Undefined when it is done. Throws or
   * fails with what the first commit fails with; the transactions after that one are rolled back, those before it are kept.
   */
  commit(picks: ((store: GraphStore) => boolean) | null, listener: CommitListener): Pending | undefined
  /** From here on a request of a session begins: what it changes can be taken back alone. */
  savepoint(): void
  /** Takes back what was changed since, in the transactions that are open. Undefined when it is done. */
  rollbackToSavepoint(): Pending | undefined
  /** Rolls back and ends the open transactions of the graphs that the test picks (null or absent: all). */
  rollback(picks?: ((store: GraphStore) => boolean) | null): void
}
