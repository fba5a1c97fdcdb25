import type { LossAnswer } from "../../services/Sessions.ts"
import type { Loss, TransactionRecord } from "../../services/TransactionRecords.ts"
import type { Transactions } from "../../services/Transactions.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/**
 * The transaction of a session, and what its client would lose of it without its knowledge if the session ended now. The record has this
 * {@link Loss} at any time, so that the server can refuse a client that continues with the name of the session, also after this worker has
 * died. "Commits" in docs/reference/protocol.md has the rules.
 */
export class SessionTransaction {
  readonly #transactions: Transactions
  readonly #record: TransactionRecord
  /** The loss that the record has. */
  #held: Loss | undefined
  /** The graphs whose transactions the current request began. */
  #begunByRequest: ReadonlyArray<GraphStore> = []
  #isRunning = false
  /** A transaction of earlier requests was open when the current request began. */
  #isContinued = false
  /** The current request commits changes. */
  #commits = false
  /** What the current request has lost of the transaction, if it has failed. */
  #failedWith: Loss | undefined
  /** The last answer says that the transaction of earlier requests was lost. Nobody knows yet whether it has arrived. */
  #untold: Loss | undefined
  /** Why the transaction was rolled back without a request; the next requests are answered with it. */
  #failure: { readonly error: Error; readonly loss: Loss } | undefined
  #isOver = false
  /** The session has ended during a commit, whose outcome its client does not know. */
  #owesOutcome = false
  /** Changes of other graphs were lost meanwhile. */
  #hasLostMore = false

  constructor(transactions: Transactions, record: TransactionRecord) {
    this.#transactions = transactions
    this.#record = record
  }

  /** Whether there are uncommitted changes, or a transaction that the client began. */
  get isOpen(): boolean {
    return this.#transactions.isBegun() || this.#transactions.dirty
  }

  /** Whether a request runs that has no outcome yet. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  // ---- what requests do

  requestBegins(): void {
    this.#begunByRequest = []
    this.#isRunning = true
    this.#isContinued = this.isOpen
    this.#commits = false
    this.#failedWith = undefined
    this.#untold = undefined
  }

  begin(store: GraphStore): void {
    if (this.#transactions.isBegun(store)) return
    this.#transactions.markBegun(store)
    this.#begunByRequest = [...this.#begunByRequest, store]
  }

  /** A commit of changes begins next. */
  commitBegins(): void {
    this.#commits = true
    if (this.#isContinued) this.#hold("outcome")
  }

  /** `loss`: what the request has lost of the transaction; undefined if it has committed. */
  requestFailed(loss: Loss | undefined): void {
    for (const store of this.#begunByRequest) this.#transactions.unmarkBegun(store)
    this.#failedWith = loss
  }

  /** The current request has its outcome. Call it before the answer: the process may end as soon as the client has the answer. */
  requestEnds(): void {
    this.#commits = false
    this.#isRunning = false
    this.#untold = this.#isContinued && !this.isOpen ? this.#failedWith : undefined
    if (!this.#isOver) this.#update()
    else if (this.#owesOutcome) this.#settle()
  }

  /** The outcome of the commit is known during which the session ended. */
  #settle(): void {
    this.#owesOutcome = false
    const loss = this.#failedWith ?? (this.#hasLostMore ? "changes" : undefined)
    // The client has rolled back meanwhile, or a later session of this name has lost its changes.
    if (this.#record.loss() !== "outcome" || loss === "outcome") return
    if (loss === undefined) this.#record.takeLoss()
    else this.#record.lose(loss)
  }

  /** No request runs. Also called for a request that was cancelled before its evaluation: {@link requestEnds} is not. */
  requestIsDone(): void {
    this.#isRunning = false
  }

  // ---- what the server does

  /** Rolls back. `tellsNext`: the next request is answered with the error, if the client loses something; else only the current one is. */
  expire(error: Error, tellsNext: boolean): void {
    const loss = this.#openLoss
    this.#transactions.rollback()
    if (loss !== undefined && tellsNext) this.#failure = { error, loss }
    else this.#untold ??= loss
    this.#update()
  }

  /** The error of the current request. */
  takeFailure(answer: () => LossAnswer): Error | undefined {
    const failure = this.#failure
    if (failure === undefined) return undefined
    const told = answer()
    if (told === "refuse" && failure.loss !== "state") return failure.error
    this.#failure = undefined
    this.#update()
    return told === "succeed" ? undefined : failure.error
  }

  /** The session ends; call it before the rollback. `isAsked`: its client closes it. */
  sessionEnds(isAsked: boolean): void {
    const loss = isAsked ? undefined : this.#loss
    this.#isOver = true
    this.#owesOutcome = loss === "outcome" && this.#commits
    this.#hasLostMore = this.#transactions.dirty
    if (loss === undefined) this.#record.forget()
    else this.#record.lose(loss)
  }

  /** What the client would lose without its knowledge if the session ended now. */
  get #loss(): Loss | undefined {
    if (this.#failure !== undefined) return this.#failure.loss
    // A client that gets no answer to a request knows that all that this request did is lost.
    if (this.#isRunning && !this.#isContinued) return undefined
    if (this.#commits) return "outcome"
    return this.#openLoss ?? this.#untold
  }

  /** What the open transaction would lose. */
  get #openLoss(): Loss | undefined {
    if (this.#transactions.dirty) return "changes"
    return this.#transactions.isBegun() ? "state" : undefined
  }

  #update(): void {
    if (!this.#isOver) this.#hold(this.#loss)
  }

  #hold(loss: Loss | undefined): void {
    if (loss === this.#held) return
    this.#held = loss
    if (loss === undefined) this.#record.forget()
    else this.#record.hold(loss)
  }
}
