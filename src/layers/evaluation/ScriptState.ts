import { Pending, type PendingCommit } from "../../scheduling/Pending.ts"
import type { CommitListener, MadeGraph, SeparateTransaction, Transactions } from "../../services/Transactions.ts"
import { TransactionsNotSupported } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/** The transactions of a separate transaction. */
interface SeparateTransactions extends Transactions {
  /** True for one of the open transactions. */
  includes(source: object): boolean
}

/** Estimated memory of a graph without elements. */
const EMPTY_GRAPH_BYTES = 65_536

/** Keeps transactions in a set until their commit ends. */
export const whileCommitting = (
  set: Set<object>,
  transactions: ReadonlyArray<object>,
  commit: Pending
): PendingCommit => {
  for (const transaction of transactions) set.add(transaction)
  const done = (): undefined => {
    for (const transaction of transactions) set.delete(transaction)
  }
  return Pending.asCommit(Pending.then(commit, done, done))
}

/** The graphs that scripts of a request or session made, and the transactions that they began besides those of the request. */
export class ScriptState {
  /** Each with what ends its use. */
  readonly #graphs = new Map<GraphStore, { readonly graph: MadeGraph; readonly close: () => void }>()
  readonly #separate = new Set<Separate>()
  /** Separate transactions that are being committed. */
  readonly #committing = new Set<object>()

  /** Keeps a graph. `close` is called once: when its use ends, or at once if the graph is already kept. */
  add(graph: MadeGraph, close: () => void): void {
    if (this.#graphs.has(graph)) close()
    else this.#graphs.set(graph, { graph, close })
  }

  has(store: GraphStore): boolean {
    return this.#graphs.has(store)
  }

  /** Closes a graph whose transactions have ended. */
  close(graph: GraphStore): void {
    const kept = this.#graphs.get(graph)
    this.#graphs.delete(graph)
    kept?.close()
  }

  separate(store: GraphStore, transactions: SeparateTransactions): SeparateTransaction {
    const begun: Separate = new Separate(store, transactions, {
      onEnd: () => this.#separate.delete(begun),
      onCommit: (commit) => whileCommitting(this.#committing, [begun], commit)
    })
    this.#separate.add(begun)
    return begun
  }

  separateOf(source: object): SeparateTransaction | undefined {
    for (const each of this.#separate) if (each.transactions.includes(source)) return each
    return undefined
  }

  get heldBytes(): number {
    let bytes = 0
    for (const { graph } of this.#graphs.values()) bytes += EMPTY_GRAPH_BYTES + (graph.usedBytes ?? 0)
    for (const { transactions } of this.#separate) bytes += transactions.heldBytes
    return bytes
  }

  /** The separate transactions that keep a snapshot, or are being committed. */
  get snapshots(): ReadonlyArray<object> {
    return [...[...this.#separate].filter(({ transactions }) => transactions.isOpen), ...this.#committing]
  }

  get holdsSnapshot(): boolean {
    for (const { transactions } of this.#separate) if (transactions.isOpen) return true
    return false
  }

  /** See {@link Transactions}, for the separate transactions. */
  get dirty(): boolean {
    for (const { transactions } of this.#separate) if (transactions.dirty) return true
    return false
  }

  get changed(): ReadonlyArray<GraphStore> {
    return [...this.#separate].flatMap(({ transactions }) => transactions.changed())
  }

  savepoint(): void {
    for (const { transactions } of this.#separate) transactions.savepoint()
  }

  rollbackToSavepoint(): Pending | undefined {
    return Pending.all([...this.#separate].flatMap(({ transactions }) => transactions.rollbackToSavepoint() ?? []))
  }

  rollback(): void {
    for (const each of this.#separate) each.rollback()
  }

  end(): void {
    this.rollback()
    for (const graph of this.#graphs.keys()) this.close(graph)
  }
}

interface SeparateEvents {
  readonly onEnd: () => void
  /** A commit waits. Returns what waits for it, too. */
  readonly onCommit: (commit: PendingCommit) => PendingCommit
}

class Separate implements SeparateTransaction {
  readonly store: GraphStore
  readonly transactions: SeparateTransactions
  readonly #events: SeparateEvents
  isOpen = true

  constructor(store: GraphStore, transactions: SeparateTransactions, events: SeparateEvents) {
    this.store = store
    this.transactions = transactions
    this.#events = events
  }

  commit(listener: CommitListener): PendingCommit | undefined {
    this.#close()
    const commit = this.transactions.commit(null, listener)
    return commit === undefined ? undefined : this.#events.onCommit(commit)
  }

  rollback(): void {
    this.#close()
    this.transactions.rollback(null)
  }

  #close(): void {
    if (!this.isOpen) throw new TransactionsNotSupported("The transaction has already been closed")
    this.isOpen = false
    this.#events.onEnd()
  }
}
