import { EvaluationCancelled, TraversalInvalid } from "../../process/language/Errors.ts"
import type { Progress } from "../../process/machine/ResultSink.ts"
import type { PendingCommit } from "../../scheduling/Pending.ts"
import type { Session } from "../../services/Sessions.ts"
import type { CommitListener, Transactions } from "../../services/Transactions.ts"
import { TransactionsNotSupported } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { Program } from "./Program.ts"

/** Commits or rolls back the transaction of one graph. Undefined when it is done. Throws TransactionsNotSupported. */
export const endTransaction = (
  operation: "commit" | "rollback",
  store: GraphStore,
  transactions: Transactions,
  session: Session | null,
  listener: CommitListener
): PendingCommit | undefined => {
  if (session === null && !store.features.transactions) {
    throw new TransactionsNotSupported(
      `Graph does not support transactions: each request to ${store.name} commits by itself. Open a session for changes ` +
        "that belong together."
    )
  }
  const picked = (one: GraphStore): boolean => one === store
  session?.afterGraphOperation()
  if (operation === "commit") {
    if (session !== null && transactions.changed(picked).length > 0) session.commitBegins()
    return transactions.commit(picked, listener)
  }
  transactions.rollback(picked)
  return undefined
}

/** `g.tx().commit()` or `g.tx().rollback()` of a driver. It ends the transaction of the session, and returns no results. */
export class GraphOperation implements Program {
  readonly #operation: string
  readonly #store: GraphStore
  readonly #transactions: Transactions
  readonly #session: Session | null
  readonly #listener: CommitListener
  readonly repeatable = false
  #begun = false
  #cancelled: Error | null = null

  constructor(
    operation: string,
    store: GraphStore,
    transactions: Transactions,
    session: Session | null,
    listener: CommitListener
  ) {
    this.#operation = operation
    this.#store = store
    this.#transactions = transactions
    this.#session = session
    this.#listener = listener
  }

  get currentStep(): string {
    return `tx(${this.#operation})`
  }

  advance(): Progress {
    if (this.#begun) return "done"
    if (this.#cancelled !== null) throw this.#cancelled
    this.#begun = true
    const operation = this.#operation
    if (operation !== "commit" && operation !== "rollback") {
      throw new TraversalInvalid(`Unknown operation tx().${operation}(). Use tx().commit() or tx().rollback().`)
    }
    return endTransaction(operation, this.#store, this.#transactions, this.#session, this.#listener) ?? "done"
  }

  cancel(error: Error = new EvaluationCancelled("The request was cancelled.")): void {
    this.#cancelled ??= error
  }

  close(): void {
    // An operation holds nothing.
  }
}
