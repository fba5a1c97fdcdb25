import type { LossAnswer } from "../../services/Sessions.ts"
import type { Loss, TransactionMark } from "../../services/SharedBounds.ts"
import type { Transactions } from "../../services/Transactions.ts"

/** The transaction of a session, and what its client knows of it. */
export class SessionTransaction {
  /** True while a transaction is open that the client began. */
  isExplicit = false
  readonly #transactions: Transactions
  /** What is known of the transaction when the session has ended. */
  readonly #mark: TransactionMark
  #held: Loss | undefined
  /** The current request began the explicit transaction. */
  #begunByRequest = false
  #isRunning = false
  /** A transaction of earlier requests was open when the current request began. */
  #isContinued = false
  /** The current request commits changes. */
  #commits = false
  #hasFailed = false
  /** The last request failed, and it alone had changed something: a transaction stays dirty when changes are taken back. */
  #isTakenBack = false
  /** The last answer says that the transaction of earlier requests was rolled back. Nobody knows yet whether it has arrived. */
  #isUntold = false
  /** Why the transaction was rolled back without a request; the next requests are answered with it. */
  #failure: Error | undefined
  #isOver = false

  constructor(transactions: Transactions, mark: TransactionMark) {
    this.#transactions = transactions
    this.#mark = mark
  }

  /** Whether there are uncommitted changes, or a transaction that the client began. */
  get isOpen(): boolean {
    return this.isExplicit || (this.#transactions.dirty && !this.#isTakenBack)
  }

  // ---- what requests do

  requestBegins(): void {
    this.#begunByRequest = false
    this.#isRunning = true
    this.#isContinued = this.isOpen
    this.#commits = false
    this.#hasFailed = false
    this.#isUntold = false
  }

  begin(): void {
    if (this.isExplicit) return
    this.isExplicit = true
    this.#begunByRequest = true
  }

  /** The transaction that the client began has ended. */
  end(): void {
    this.isExplicit = false
    this.#begunByRequest = false
  }

  /** A commit of changes begins next. */
  commitBegins(): void {
    this.#commits = true
    if (this.#isContinued) this.#hold("outcome")
  }

  requestFailed(isCommitted: boolean): void {
    if (this.#begunByRequest) this.end()
    this.#hasFailed = !isCommitted
  }

  /** The current request has its outcome. Call it before the answer: the process may end as soon as the client has the answer. */
  requestEnds(): void {
    const wasCommitting = this.#commits
    this.#commits = false
    this.#isRunning = false
    this.#isTakenBack = this.#hasFailed && !this.#isContinued
    this.#isUntold = this.#hasFailed && this.#isContinued && !this.isOpen
    if (!this.#isOver) this.#update()
    else if (wasCommitting && this.#mark.takeLoss() === "outcome" && this.#hasFailed) this.#mark.lose("changes")
  }

  /** No request runs, whether or not the last one was evaluated. */
  requestIsDone(): void {
    this.#isRunning = false
  }

  // ---- what the server does

  /** Rolls back. `tellsNext`: the next request is answered with the error, if the client loses something; otherwise the current one is. */
  expire(error: Error, tellsNext: boolean): void {
    const isLoss = this.isOpen
    this.#transactions.rollback()
    this.end()
    if (isLoss && tellsNext) this.#failure = error
    else if (isLoss) this.#isUntold = true
    this.#update()
  }

  /** The error of the next request. */
  takeFailure(answer: LossAnswer): Error | undefined {
    const failure = this.#failure
    if (failure === undefined || answer === "refuse") return failure
    this.#failure = undefined
    this.#update()
    return answer === "succeed" ? undefined : failure
  }

  /** The session ends; call it before the rollback. `isAsked`: its client closes it. */
  sessionEnds(isAsked: boolean): void {
    const loss = isAsked ? undefined : this.#loss
    this.#isOver = true
    if (loss === undefined) this.#mark.forget()
    else this.#mark.lose(loss)
  }

  /** What the client would lose without its knowledge if the session ended now. */
  get #loss(): Loss | undefined {
    // A client that gets no answer to a request knows that all that this request did is lost.
    if (this.#isRunning && !this.#isContinued) return undefined
    if (this.isOpen || this.#isUntold || this.#failure !== undefined) return "changes"
    return this.#commits ? "outcome" : undefined
  }

  #update(): void {
    if (!this.#isOver) this.#hold(this.#loss)
  }

  #hold(loss: Loss | undefined): void {
    if (loss === this.#held) return
    this.#held = loss
    if (loss === undefined) this.#mark.forget()
    else this.#mark.hold(loss)
  }
}
