import { Pending } from "../../scheduling/Pending.ts"
import { isInternal } from "../../services/Errors.ts"
import type { EvaluationRequest, ResponseSink } from "../../services/Evaluator.ts"
import type { MemoryHolder } from "../../services/MemoryBudget.ts"
import type { TaskState } from "../../services/RequestPool.ts"
import type { Sliced } from "../../services/RunQueue.ts"
import type { Session } from "../../services/Sessions.ts"
import { TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import type { EvaluationClock } from "./EvaluationClock.ts"
import type { EvaluationContext } from "./EvaluationContext.ts"
import { HeldMemory } from "./HeldMemory.ts"
import { errorAfterCommit, lateWarning } from "./Outcome.ts"
import { ProgramDriver } from "./ProgramDriver.ts"
import { RequestTransactions } from "./RequestTransactions.ts"

/** The evaluation whose program is run. */
interface EvaluationOwner extends MemoryHolder {
  readonly request: EvaluationRequest
  /** The answer is given. */
  ended(): void
}

/**
 * Runs the program of one request slice by slice, waits for storage and for the client, commits or rolls back, and runs the program
 * again after a conflict. A commit that has begun is never abandoned: if the request is cancelled during its commit, the outcome of the
 * commit is still awaited and is the answer.
 */
export class EvaluationSlices implements Sliced {
  readonly #owner: EvaluationOwner
  readonly #request: EvaluationRequest
  readonly #context: EvaluationContext
  readonly #sink: ResponseSink
  readonly #clock: EvaluationClock
  readonly #transactions: RequestTransactions
  readonly #driver: ProgramDriver
  /** Null until the request needs a second slice, or waits with many bytes. */
  #memory: HeldMemory | null = null
  #state: TaskState = "waiting"
  /** The record of the request for the primary process; 0 before its first slice, and in a server of one process. */
  #record = 0
  /** True if the request did not begin in the turn of the event loop in which it arrived. */
  #hasWaited = false
  #attempts = 0
  /** The error of the cancellation; null if the request was not cancelled. */
  #cancelled: Error | null = null
  #storageFailure: Error | undefined
  /**
   * True if a commit that the program itself requested has just ended. If the request was cancelled during this commit, the program
   * may still finish.
   */
  #isAfterCommit = false

  constructor(
    owner: EvaluationOwner,
    context: EvaluationContext,
    sink: ResponseSink,
    session: Session | null,
    clock: EvaluationClock
  ) {
    this.#owner = owner
    this.#request = owner.request
    this.#context = context
    this.#sink = sink
    this.#clock = clock
    this.#transactions = new RequestTransactions(owner.request, session)
    this.#driver = new ProgramDriver(context.programs, sink, clock, this.#transactions)
  }

  get state(): TaskState {
    return this.#state
  }

  get isEnded(): boolean {
    return this.#state === "ended"
  }

  /** The step at work; empty before the first and after the end. */
  get currentStep(): string {
    return this.isEnded ? "" : this.#driver.currentStep
  }

  /** Runs the first slice, if the run queue has time for it. Returns true when the request has ended. */
  begin(): boolean {
    if (!this.isEnded) this.#context.runQueue.start(this)
    return this.isEnded
  }

  slice(until: number): boolean {
    const { records } = this.#context
    if (records === null) return this.#slice(until)
    const outer = records.current()
    if (!this.isEnded) this.#record = records.enter(this.#request, this.#record)
    try {
      return this.#slice(until)
    } finally {
      records.leave(outer)
    }
  }

  #slice(until: number): boolean {
    // A request that was cancelled in the queue may be rolling its changes back.
    if (this.isEnded || this.#isSettling) return false
    this.#state = "running"
    // The request was cancelled during the program's own commit. The program may finish, but starts nothing new.
    const isEnding = this.#cancelled !== null && this.#isAfterCommit
    try {
      if (this.#storageFailure !== undefined) throw this.#storageFailure
      if (this.#cancelled !== null && !isEnding) throw this.#cancelled
      const hasMore = this.#advance(until)
      // A request whose commit or rollback has begun is not ended for the memory that it holds.
      if (this.isEnded || this.#isSettling) return false
      if (hasMore && isEnding) {
        this.#state = "queued"
        return true
      }
      this.#isAfterCommit = false
      this.#driver.weigh(this.#held)
      if (this.#cancelled !== null) throw this.#cancelled
      if (hasMore) {
        this.#state = "queued"
        if (performance.now() >= this.#clock.deadline) throw this.#clock.timeoutError()
      }
      return hasMore
    } catch (error) {
      this.#isAfterCommit = false
      return this.#failed(error)
    }
  }

  /** True: more work can be done now. False: the request has ended, or waits. */
  #advance(until: number): boolean {
    if (!this.#driver.hasProgram) {
      if (this.#hasWaited) this.#clock.start()
      this.#driver.prepare()
    }
    // Short plans are compiled without interruption, which may have used the whole slice.
    if (this.#clock.prepared > until) return true
    const progress = this.#driver.advance(until)
    if (progress === "done") return this.#finish(until)
    if (progress === "slice") return true
    return progress === "full" ? this.#waitForClient() : this.#waitForStorage(progress)
  }

  /** See {@link Evaluation.submitted}. Throws LimitExceeded. */
  submitted(): void {
    if (this.#state !== "waiting") return
    this.#hasWaited = true
    this.#held.weighWaiting(this.#request.heldBytes)
  }

  get #held(): HeldMemory {
    this.#memory ??= new HeldMemory(this.#context.memory, this.#context.requestMemoryLimit, this.#owner)
    return this.#memory
  }

  // ---- waiting

  #waitForClient(): false {
    this.#state = "client"
    this.#clock.wait("client")
    this.#sink.onRoom(() => this.#goOnFrom("client"))
    return false
  }

  /** Waits for what the program reads, or for its own commit. */
  #waitForStorage(later: Pending): false {
    const state = Pending.isCommit(later) ? "committing" : "storage"
    this.#state = state
    this.#clock.wait("storage")
    later.onDone((error) => {
      if (this.#state !== state) return
      this.#storageFailure = error
      this.#isAfterCommit = state === "committing"
      this.#goOnFrom(state)
    })
    return false
  }

  #goOnFrom(state: "client" | "storage" | "committing"): void {
    if (this.#state !== state) return
    this.#clock.resume()
    this.#state = "queued"
    this.#context.runQueue.resume(this)
  }

  // ---- the end

  /** True: more work can be done now. */
  #finish(until: number): boolean {
    const finished = this.#sink.finish(until)
    if (finished === "slice") return true
    if (finished === "full") return this.#waitForClient()
    if (!this.#transactions.isOfSession) this.#context.strict?.(this.#request, this.#transactions.open.changed())
    // The request was cancelled during the program's own commit. No other commit begins.
    if (this.#cancelled !== null && this.#transactions.hasChangesToCommit) throw this.#cancelled
    const later = this.#transactions.commit()
    if (later === undefined) {
      this.#complete()
      return false
    }
    this.#state = "committing"
    this.#clock.wait("storage")
    later.onDone((error) => {
      this.#clock.resume()
      if (error === undefined) this.#complete()
      else if (this.#failed(error)) this.#context.runQueue.resume(this)
    })
    return false
  }

  #complete(): void {
    this.#close()
    if (this.#cancelled !== null && this.#transactions.hasKept) this.#sink.warn(lateWarning(this.#cancelled))
    this.#sink.complete()
    this.#leave()
  }

  /** Ends the request with an error. Its transactions are rolled back. */
  fail(error: unknown): void {
    this.#close()
    if (isInternal(error)) this.#context.failed(`Request ${this.#request.requestId} failed`, error)
    if (this.#transactions.hasKept) this.#sink.fail(errorAfterCommit(error), this.#transactions.kept)
    else this.#sink.fail(error)
    this.#leave()
  }

  #close(): void {
    this.#state = "ended"
    this.#clock.disarm()
    this.#driver.close()
    this.#transactions.end()
    this.#memory?.close()
  }

  #leave(): void {
    this.#clock.end()
    this.#context.records?.end(this.#record)
    this.#owner.ended()
  }

  /** Rolls back. Returns true if the request runs again from the start, in a later slice. */
  #failed(error: unknown): boolean {
    this.#driver.close()
    try {
      const later = this.#transactions.rollback(error)
      if (later !== undefined) {
        // The next request of the session must not see half of the rollback.
        this.#state = "rolling back"
        later.onDone((cause) => this.fail(cause ?? error))
        return false
      }
    } catch (cause) {
      this.fail(cause)
      return false
    }
    const isRepeatable = this.#cancelled === null && this.#attempts < this.#context.conflictRetries
    if (error instanceof TransactionConflict && isRepeatable && this.#driver.isRepeatable) {
      this.#attempts++
      this.#storageFailure = undefined
      this.#driver.restart()
      this.#state = "queued"
      return true
    }
    this.fail(error)
    return false
  }

  get settles(): boolean {
    return this.#isSettling || this.#isAfterCommit
  }

  get #isSettling(): boolean {
    return this.#state === "committing" || this.#state === "rolling back"
  }

  /** Ends the request with this error as its answer, unless its outcome is already decided. */
  cancel(error: Error): void {
    switch (this.#state) {
      case "ended":
      case "rolling back":
        return
      case "committing":
      case "running":
        // A commit that has begun is not undone: its outcome is the answer. After a conflict the request is not run again.
        this.#cancelled ??= error
        this.#driver.cancel(error)
        return
      case "waiting":
        this.fail(error)
        return
      default:
        this.#cancelled ??= error
        if (this.#isAfterCommit) this.#driver.cancel(error)
        else this.#failed(error)
    }
  }
}
