import * as Effect from "effect/Effect"
import type { ScriptMemory } from "../../gremlin/script/ScriptMemory.ts"
import { EvaluationCancelled } from "../../process/language/Errors.ts"
import { integral } from "../../protocol/HttpRequest.ts"
import type { Pending } from "../../scheduling/Pending.ts"
import { isInternal, ServerStopping } from "../../services/Errors.ts"
import type { Evaluation, EvaluationRequest, EvaluationTimes, ResponseSink } from "../../services/Evaluator.ts"
import type { TaskDescription } from "../../services/RequestPool.ts"
import type { Sliced } from "../../services/RunQueue.ts"
import type { Session } from "../../services/Sessions.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { TransactionConflict } from "../../structure/StoreErrors.ts"
import { EvaluationClock } from "./EvaluationClock.ts"
import type { EvaluationContext } from "./EvaluationContext.ts"
import { HeldMemory } from "./HeldMemory.ts"
import { errorAfterCommit, lateWarning } from "./Outcome.ts"
import type { ProgramHost } from "./Program.ts"
import { ProgramDriver } from "./ProgramDriver.ts"
import { RequestTransactions } from "./RequestTransactions.ts"

/** What an evaluation does, or what it waits for. */
type State = "waiting" | "running" | "queued" | "storage" | "client" | "committing" | "rolling back" | "ended"

/**
 * One request from its arrival to its answer. It creates the program, runs it slice by slice, waits for storage and for the client,
 * commits or rolls back, and runs the program again after a conflict. It is plain code under one fiber. A commit that has begun is
 * never abandoned: if the request is cancelled during its commit, the outcome of the commit is still awaited and is the answer.
 */
export class TraversalEvaluation implements Evaluation, ProgramHost, Sliced {
  readonly requestId: string
  readonly request: EvaluationRequest
  abandoned = false
  waitsIn: { forget(): void } | null = null
  readonly #context: EvaluationContext
  readonly #sink: ResponseSink
  readonly #session: Session | null
  readonly #onEnd: (evaluation: Evaluation) => void
  readonly #clock: EvaluationClock
  readonly #transactions: RequestTransactions
  readonly #driver: ProgramDriver
  /** Null until the request needs a second slice, or waits with many bytes. */
  #memory: HeldMemory | null = null
  /** What the scripts of the request hold; null without a script. */
  #scripts: ScriptMemory | null = null
  #state: State = "waiting"
  /** True if the request did not begin in the turn of the event loop in which it arrived. */
  #hasWaited = false
  #attempts = 0
  /** Why the request ends after its commit; null if it was not cancelled. */
  #cancelled: Error | null = null
  #storageFailure: Error | undefined
  /**
   * True if a commit that the program itself requested has just ended. If the request was cancelled during this commit, the program
   * may still finish.
   */
  #isAfterCommit = false
  /** Resumes the fiber, which then ends; null during the first slice. */
  #resumeFiber: (() => void) | null = null

  constructor(
    context: EvaluationContext,
    request: EvaluationRequest,
    sink: ResponseSink,
    session: Session | null,
    onEnd: (evaluation: Evaluation) => void
  ) {
    this.#context = context
    this.#sink = sink
    this.#session = session
    this.#onEnd = onEnd
    this.requestId = request.requestId
    this.request = request
    this.#transactions = new RequestTransactions(request, session)
    this.#clock = new EvaluationClock(request.evaluationTimeout ?? context.evaluationTimeout)
    this.#driver = new ProgramDriver(sink)
  }

  get deadline(): number {
    return this.#clock.deadline
  }

  get elapsed(): number {
    return this.#clock.elapsed
  }

  // ---- the fiber

  begin(): boolean {
    if (this.#isEnded) return true
    this.#context.runQueue.start(this)
    if (this.#isEnded) return true
    this.#hasWaited = true
    return false
  }

  get #isEnded(): boolean {
    return this.#state === "ended"
  }

  /** The part of a request that outlives its first slice. Only this part has a fiber and a timer. */
  get rest(): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      this.#resumeFiber = () => resume(Effect.void)
      this.#armTimer()
      return Effect.suspend(() => {
        this.cancel(new ServerStopping())
        return this.#isEnded ? Effect.void : this.#end
      })
    })
  }

  /** Completes when the answer is given. */
  get #end(): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      this.#resumeFiber = () => resume(Effect.void)
    })
  }

  #armTimer(): void {
    this.#clock.arm(() => this.cancel(this.#clock.timeoutError()))
  }

  // ---- slices

  slice(until: number): boolean {
    // A request that was cancelled in the queue may be rolling its changes back.
    if (this.#isEnded || this.#isSettling) return false
    this.#state = "running"
    // The request was cancelled during the program's own commit. The program may finish, but starts nothing new.
    const isEnding = this.#cancelled !== null && this.#isAfterCommit
    try {
      if (this.#storageFailure !== undefined) throw this.#storageFailure
      if (this.#cancelled !== null && !isEnding) throw this.#cancelled
      const hasMore = this.#advance(until)
      // A request whose commit or rollback has begun is not ended for the memory that it holds.
      if (this.#isEnded || this.#isSettling) return false
      if (hasMore && isEnding) {
        this.#state = "queued"
        return true
      }
      this.#isAfterCommit = false
      this.#weigh()
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
    if (!this.#driver.hasProgram) this.#prepare()
    // Short plans are compiled without interruption, which may have used the whole slice.
    if (this.#clock.prepared > until) return true
    const progress = this.#driver.advance(until)
    if (progress === "done") return this.#finish(until)
    if (progress === "slice") return true
    return progress === "full" ? this.#waitForClient() : this.#waitForStorage(progress)
  }

  #prepare(): void {
    if (this.#hasWaited) this.#clock.start()
    this.#transactions.begin()
    this.#driver.begin(this.#context.programs.make(this.request, this.#transactions.open, this.#session, this))
    this.#clock.plan()
  }

  prepared(options: ReadonlyMap<string, unknown>, writes: boolean): void {
    if (options.size > 0) {
      this.#sink.configure(options)
      const timeout = integral(options.get("evaluationTimeout"))
      if (timeout !== undefined) {
        this.#clock.limit(timeout)
        if (this.#resumeFiber !== null) this.#armTimer()
      }
    }
    if (writes && this.#transactions.commitsWithRequest) this.#sink.hold()
  }

  // ---- memory

  scripting(memory: ScriptMemory): void {
    this.#scripts = memory
  }

  /** Counts what the request holds after a slice. Throws LimitExceeded. */
  #weigh(): void {
    const scripts = this.#scripts
    const held = this.request.heldBytes + this.#driver.heldBytes + this.#sink.heldBytes
    this.#held.weigh(
      held + this.#transactions.open.heldBytes + (scripts?.heldBytes ?? 0),
      held + (scripts?.madeBytes ?? 0)
    )
  }

  weighWaiting(): void {
    if (this.#state !== "waiting") return
    try {
      this.#held.weighWaiting(this.request.heldBytes)
    } catch (error) {
      this.cancel(error as Error)
    }
  }

  get #held(): HeldMemory {
    this.#memory ??= new HeldMemory(this.#context.memory, this.#context.requestMemoryLimit, this)
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
    const state = later.isCommit === true ? "committing" : "storage"
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

  committed(store: GraphStore): void {
    this.#transactions.committed(store)
  }

  keeps(what: string): void {
    this.#transactions.keeps(what)
  }

  /** True: more work can be done now. */
  #finish(until: number): boolean {
    const finished = this.#sink.finish(until)
    if (finished === "slice") return true
    if (finished === "full") return this.#waitForClient()
    if (this.#session === null) this.#context.strict?.(this.request, this.#transactions.open.changed())
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

  #fail(error: unknown): void {
    this.#close()
    if (isInternal(error)) this.#context.failed(`Request ${this.requestId} failed`, error)
    if (this.#transactions.hasKept) this.#sink.fail(errorAfterCommit(error), this.#transactions.kept)
    else this.#sink.fail(error)
    this.#leave()
  }

  #close(): void {
    this.#state = "ended"
    this.#clock.disarm()
    this.#driver.close()
    if (this.#session === null) this.#transactions.open.end()
    this.#memory?.close()
  }

  #leave(): void {
    this.#clock.end()
    this.#onEnd(this)
    this.#resumeFiber?.()
  }

  /** Rolls back. Returns true if the request runs again from the start, in a later slice. */
  #failed(error: unknown): boolean {
    this.#driver.close()
    this.#session?.takeBackBegin()
    try {
      const later = this.#transactions.rollback(this.#clock.prepared > 0)
      if (later !== undefined) {
        // The next request of the session must not see half of the rollback.
        this.#state = "rolling back"
        later.onDone((cause) => this.#fail(cause ?? error))
        return false
      }
    } catch (cause) {
      this.#fail(cause)
      return false
    }
    if (error instanceof TransactionConflict && this.#mayRepeat()) {
      this.#attempts++
      this.#storageFailure = undefined
      this.#driver.restart()
      this.#state = "queued"
      return true
    }
    this.#fail(error)
    return false
  }

  #mayRepeat(): boolean {
    return (
      this.#session === null &&
      this.#attempts < this.#context.conflictRetries &&
      !this.#sink.sent &&
      this.#cancelled === null &&
      !this.#transactions.hasKept &&
      this.#driver.isRepeatable
    )
  }

  get settles(): boolean {
    return this.#isSettling || this.#isAfterCommit
  }

  get #isSettling(): boolean {
    return this.#state === "committing" || this.#state === "rolling back"
  }

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
        this.abandoned = true
        this.waitsIn?.forget()
        this.#fail(error)
        return
      default:
        this.#cancelled ??= error
        if (this.#isAfterCommit) this.#driver.cancel(error)
        else this.#failed(error)
    }
  }

  abandon(): void {
    this.cancel(new EvaluationCancelled("The connection of the client was closed."))
  }

  expire(): void {
    this.#fail(this.#clock.timeoutError())
  }

  get rows(): number {
    return this.#sink.rows
  }

  times(): EvaluationTimes {
    return this.#clock.times()
  }

  describe(): TaskDescription {
    return {
      request: this.#context.programs.describe(this.request),
      step: this.#isEnded ? "" : this.#driver.currentStep,
      state: this.#state,
      user: this.request.user.name
    }
  }
}
