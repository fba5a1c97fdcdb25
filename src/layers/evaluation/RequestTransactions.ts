import type { Pending, PendingCommit } from "../../scheduling/Pending.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Loss } from "../../services/TransactionRecords.ts"
import type { CommitListener, Transactions } from "../../services/Transactions.ts"
import { CommitOutcomeUnknown, FailedAfterCommit } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { answerToLoss } from "./LossAnswers.ts"
import { OpenTransactions } from "./OpenTransactions.ts"
import { changesOf } from "./Outcome.ts"

/**
 * The transactions of one request. Outside a session all of them end with the request. In a session they end with it when
 * the request manages its transaction, or when their graph has no transactions and the client began none.
 */
export class RequestTransactions implements CommitListener {
  /** Of the session, or of the request alone. */
  readonly open: Transactions
  readonly request: EvaluationRequest
  /** Null outside a session. */
  readonly session: Session | null
  /** What is committed and stays even if the request fails; null while nothing is committed. */
  #kept: Array<GraphStore | string> | null = null
  #isBegun = false

  constructor(request: EvaluationRequest, session: Session | null) {
    this.request = request
    this.session = session
    this.open = session === null ? new OpenTransactions() : session.transactions
  }

  /**
   * The request begins: in a session its changes can be rolled back without those of earlier requests. Throws the reason why these were
   * rolled back after the request was sent.
   */
  begin(): void {
    const failure = this.session?.takeFailure(() => answerToLoss(this.request))
    if (failure !== undefined) throw failure
    this.#isBegun = true
    if (this.session !== null) this.open.savepoint()
  }

  /** Whether changes of a graph are committed with this request. */
  commitsWithRequest(store: GraphStore): boolean {
    return this.session === null || this.request.manageTransaction || !this.open.isBegun(store)
  }

  /** The graphs whose transactions end with this request; null = all. */
  #ending(): ((store: GraphStore) => boolean) | null {
    if (this.session === null || this.request.manageTransaction) return null
    return (store) => !store.features.transactions && !this.open.isBegun(store)
  }

  /** Whether the commit at the end of the request would write changes. */
  get hasChangesToCommit(): boolean {
    return this.open.changed(this.#ending()).length > 0
  }

  /** Commits what ends with the request. Undefined when it is done. */
  commit(): PendingCommit | undefined {
    if (this.session !== null && this.open.dirty && this.hasChangesToCommit) this.session.commitBegins()
    return this.open.commit(this.#ending(), this)
  }

  /** Rolls back what the request changed, which has failed with this error. Undefined when it is done. */
  rollback(error: unknown): Pending | undefined {
    if (this.#isBegun) this.session?.requestFailed(this.#lossOf(error))
    this.open.rollback(this.#ending())
    return this.session !== null && this.#isBegun ? this.open.rollbackToSavepoint() : undefined
  }

  #lossOf(error: unknown): Loss | undefined {
    if (error instanceof CommitOutcomeUnknown) return "outcome"
    return this.hasKept || error instanceof FailedAfterCommit ? undefined : "changes"
  }

  get isOfSession(): boolean {
    return this.session !== null
  }

  /** The request is answered next. The transactions of a session stay open. */
  end(): void {
    if (this.session === null) this.open.end()
    else if (this.#isBegun) this.session.requestEnds()
  }

  // ---- what stays

  committed(store: GraphStore): void {
    this.keeps(store)
  }

  /** A graph whose changes are committed, or a text such as `the schema of the graph 'g'`. */
  keeps(what: GraphStore | string): void {
    this.#kept ??= []
    this.#kept.push(what)
  }

  /** Whether something is committed, which stays when the request fails. */
  get hasKept(): boolean {
    return this.#kept !== null
  }

  /** What is committed, in words. */
  get kept(): ReadonlyArray<string> {
    return this.#kept === null ? [] : this.#kept.map((each) => (typeof each === "string" ? each : changesOf(each)))
  }
}
