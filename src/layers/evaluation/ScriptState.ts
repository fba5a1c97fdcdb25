import type { Pending } from "../../scheduling/Pending.ts"
import type { CommitListener, MadeGraph, SeparateTransaction, Transactions } from "../../services/Transactions.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { TransactionsNotSupported } from "../../structure/StoreErrors.ts"

/** The transactions of a separate transaction. */
interface SeparateTransactions extends Transactions {
  /** True for one of the open transactions. */
  includes(source: object): boolean
}

/** Estimated memory of a graph without elements. */
const EMPTY_GRAPH_BYTES = 65_536

/** The graphs that scripts of a request or session made, and the transactions that they began besides those of the request. */
export class ScriptState {
  readonly #graphs = new Set<MadeGraph>()
  readonly #separate = new Set<Separate>()

  add(graph: MadeGraph): void {
    this.#graphs.add(graph)
  }

  has(store: GraphStore): boolean {
    return this.#graphs.has(store as MadeGraph)
  }

  /** Closes a graph whose transactions have ended. */
  close(graph: MadeGraph): void {
    if (this.#graphs.delete(graph)) void graph.close()
  }

  separate(store: GraphStore, transactions: SeparateTransactions): SeparateTransaction {
    const begun = new Separate(store, transactions, () => this.#separate.delete(begun))
    this.#separate.add(begun)
    return begun
  }

  separateOf(source: object): SeparateTransaction | undefined {
    for (const each of this.#separate) if (each.transactions.includes(source)) return each
    return undefined
  }

  get heldBytes(): number {
    let bytes = 0
    for (const graph of this.#graphs) bytes += EMPTY_GRAPH_BYTES + graph.usedBytes
    for (const { transactions } of this.#separate) bytes += transactions.heldBytes
    return bytes
  }

  get holdsSnapshot(): boolean {
    for (const { transactions } of this.#separate) if (transactions.isOpen) return true
    return false
  }

  rollback(): void {
    for (const each of this.#separate) each.rollback()
  }

  end(): void {
    this.rollback()
    for (const graph of this.#graphs) this.close(graph)
  }
}

class Separate implements SeparateTransaction {
  readonly store: GraphStore
  readonly transactions: SeparateTransactions
  readonly #onEnd: () => void
  isOpen = true

  constructor(store: GraphStore, transactions: SeparateTransactions, onEnd: () => void) {
    this.store = store
    this.transactions = transactions
    this.#onEnd = onEnd
  }

  commit(listener: CommitListener): Pending | undefined {
    this.#close()
    return this.transactions.commit(null, listener)
  }

  rollback(): void {
    this.#close()
    this.transactions.rollback(null)
  }

  #close(): void {
    if (!this.isOpen) throw new TransactionsNotSupported("The transaction has already been closed")
    this.isOpen = false
    this.#onEnd()
  }
}
