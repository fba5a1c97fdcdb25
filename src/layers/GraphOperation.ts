import { EvaluationCancelled, TraversalInvalid } from "../process/Errors.ts"
import type { Progress, ResultSink } from "../process/TraversalRun.ts"
import type { Session } from "../services/Sessions.ts"
import type { Transactions } from "../services/Transactions.ts"
import type { GraphStore } from "../structure/GraphStore.ts"
import { TransactionsNotSupported } from "../structure/StoreErrors.ts"
import type { Program } from "./Evaluation.ts"

/** `g.tx().commit()` or `rollback()` of a driver: ends the session's transaction. Gives no results. */
export class GraphOperation implements Program {
  readonly #operation: string
  readonly #store: GraphStore
  readonly #transactions: Transactions
  readonly #session: Session | null
  #state: "new" | "waiting" = "new"
  #cancelled: Error | null = null

  constructor(operation: string, store: GraphStore, transactions: Transactions, session: Session | null) {
    this.#operation = operation
    this.#store = store
    this.#transactions = transactions
    this.#session = session
  }

  get currentStep(): string {
    return `tx(${this.#operation})`
  }

  advance(_until: number, _sink: ResultSink): Progress {
    if (this.#cancelled !== null) throw this.#cancelled
    if (this.#state === "waiting") return "done"
    this.#state = "waiting"
    if (this.#session === null && !this.#store.features.transactions) {
      throw new TransactionsNotSupported(
        `Graph does not support transactions: each request to ${this.#store.name} commits by itself. Open a session for ` +
          "changes that belong together."
      )
    }
    switch (this.#operation) {
      case "commit": {
        const later = this.#transactions.commit((store) => store === this.#store)
        this.#session?.afterGraphOperation()
        return later ?? "done"
      }
      case "rollback":
        this.#transactions.rollback((store) => store === this.#store)
        this.#session?.afterGraphOperation()
        return "done"
      default:
        throw new TraversalInvalid(`Unknown operation tx().${this.#operation}(): there are commit() and rollback().`)
    }
  }

  cancel(error: Error = new EvaluationCancelled("The request was cancelled.")): void {
    this.#cancelled ??= error
  }

  close(): void {
    // A commit holds nothing.
  }
}
