import * as Effect from "effect/Effect"
import { EvaluationCancelled } from "../../process/language/Errors.ts"
import { integral } from "../../protocol/HttpRequest.ts"
import type { Pending } from "../../scheduling/Pending.ts"
import { isInternal, ServerStopping } from "../../services/Errors.ts"
import type { Evaluation, EvaluationRequest, EvaluationTimes, ResponseSink } from "../../services/Evaluator.ts"
import type { MemoryBudget } from "../../services/MemoryBudget.ts"
import type { TaskDescription } from "../../services/RequestPool.ts"
import type { RunQueue, Sliced } from "../../services/RunQueue.ts"
import type { Session } from "../../services/Sessions.ts"
import type { CommitListener, Transactions } from "../../services/Transactions.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { TransactionConflict } from "../../structure/StoreErrors.ts"
import { EvaluationClock } from "./EvaluationClock.ts"
import { HeldMemory } from "./HeldMemory.ts"
import { OpenTransactions } from "./OpenTransactions.ts"
import { changesOf, errorAfterCommit, lateWarning } from "./Outcome.ts"
import type { Program, ProgramHost, Programs } from "./Program.ts"

/** What all evaluations share. */
export interface EvaluationContext {
  readonly programs: Programs
  readonly runQueue: typeof RunQueue.Service
  /** ms; 0 = none. */
  readonly evaluationTimeout: number
  readonly conflictRetries: number
  readonly memory: typeof MemoryBudget.Service
  /** Bytes that a request may hold; 0 = no limit. */
  readonly requestMemoryLimit: number
  /** With strictTransactionManagement: throws when a request changed a graph that its aliases do not name. Null without. */
  readonly strict: ((request: EvaluationRequest, changed: ReadonlyArray<GraphStore>) => void) | null
  /** Is told of internal errors. */
  readonly failed: (what: string, error: unknown) => void
}

/** Where an evaluation is. */
type State = "waiting" | "running" | "queued" | "storage" | "client" | "committing" | "rolling back" | "ended"

/**
 * One request from its arrival to its answer: makes the program, drives it slice by slice, waits for storage and for
 * the client, commits or rolls back, and runs it again after a conflict. Plain code under one fiber. A commit that has begun
 * is never given up: whatever ends the request meanwhile, its outcome is waited for and is the answer.
 */
export class TraversalEvaluation implements Evaluation, ProgramHost, CommitListener, Sliced {
  readonly requestId: string
  readonly request: EvaluationRequest
  abandoned = false
  waitsIn: { forget(): void } | null = null
  readonly #context: EvaluationContext
  readonly #sink: ResponseSink
  readonly #session: Session | null
  readonly #onEnd: (evaluation: Evaluation) => void
  readonly #clock: EvaluationClock
  readonly #memory: HeldMemory
  /** It was not begun in the turn in which it came. */
  #waited = false
  readonly #transactions: Transactions
  #state: State = "waiting"
  #program: Program | null = null
  /** The sink said it had enough; it is pumped before the program goes on. */
  #pumping = false
  /** The program gave its last result. */
  #exhausted = false
  #attempts = 0
  #cancelled: Error | null = null
  #storageFailure: Error | undefined
  /** The commit of a program has just ended: a program that was cancelled meanwhile may be at its end. */
  #afterCommit = false
  /** What is committed and stays when the request fails; null while nothing is. */
  #kept: Array<GraphStore | string> | null = null
  /** Ends the fiber; null while it runs its first slice. */
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
    this.#transactions = session === null ? new OpenTransactions() : session.transactions
    this.#clock = new EvaluationClock(request.evaluationTimeout ?? context.evaluationTimeout)
    this.#memory = new HeldMemory(context.memory, context.requestMemoryLimit, this)
  }

  get deadline(): number {
    return this.#clock.deadline
  }

  get elapsed(): number {
    return this.#clock.elapsed
  }

  // ---- the fiber

  begin(): boolean {
    if (this.#ended) return true
    this.#context.runQueue.start(this)
    if (this.#ended) return true
    this.#waited = true
    return false
  }

  get #ended(): boolean {
    return this.#state === "ended"
  }

  /** The part of a request that outlives its first slice: only here is there a fiber and a timer. */
  get rest(): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      this.#resumeFiber = () => resume(Effect.void)
      this.#armTimer()
      return Effect.suspend(() => {
        this.cancel(new ServerStopping())
        return this.#ended ? Effect.void : this.#end
      })
    })
  }

  /** Done when the answer is given. */
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
    // One that was cancelled in the queue may be taking its changes back.
    if (this.#ended || this.#isSettling) return false
    this.#state = "running"
    // It was to be ended while its program's commit was under way: the program may come to its end, and begins nothing more.
    const isEnding = this.#cancelled !== null && this.#afterCommit
    try {
      if (this.#storageFailure !== undefined) throw this.#storageFailure
      if (this.#cancelled !== null && !isEnding) throw this.#cancelled
      const more = this.#advance(until)
      // What is committed, or taken back, is not ended for what it holds.
      if (this.#ended || this.#isSettling) return false
      if (more && isEnding) {
        this.#state = "queued"
        return true
      }
      this.#afterCommit = false
      this.#weigh()
      if (this.#cancelled !== null) throw this.#cancelled
      if (more) {
        this.#state = "queued"
        if (performance.now() >= this.#clock.deadline) throw this.#clock.timeoutError()
      }
      return more
    } catch (error) {
      this.#afterCommit = false
      return this.#failed(error)
    }
  }

  /** True: more to do at once. False: ended or waiting. */
  #advance(until: number): boolean {
    const program = this.#program ?? this.#prepare()
    // Planning is done at once, and may have taken all of the slice and more.
    if (this.#clock.prepared > until) return true
    for (;;) {
      if (this.#pumping) {
        const pumped = this.#sink.pump(until)
        if (pumped === "slice") return true
        if (pumped === "full") return this.#waitForClient()
        this.#pumping = false
      }
      if (this.#exhausted) return this.#finish(until)
      const progress = program.advance(until, this.#sink)
      if (progress === "done") {
        this.#exhausted = true
        this.#pumping = true
      } else if (progress === "slice") return true
      else if (progress === "full") this.#pumping = true
      else return this.#waitForStorage(progress)
    }
  }

  /** Looks at what the request holds: it has outlived a slice. */
  #weigh(): void {
    this.#memory.weigh(
      this.request.heldBytes + (this.#program?.heldBytes ?? 0) + this.#sink.heldBytes + this.#transactions.heldBytes
    )
  }

  weighWaiting(): void {
    if (this.#state !== "waiting") return
    try {
      this.#memory.weighWaiting(this.request.heldBytes)
    } catch (error) {
      this.cancel(error as Error)
    }
  }

  #prepare(): Program {
    if (this.#waited) this.#clock.start()
    if (this.#session !== null) this.#transactions.savepoint()
    const program = this.#context.programs.make(this.request, this.#transactions, this.#session, this)
    this.#program = program
    this.#clock.plan()
    return program
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
    if (writes && this.#commits()) this.#sink.hold()
  }

  #waitForClient(): false {
    this.#state = "client"
    this.#clock.wait("client")
    this.#sink.onRoom(this.#hasRoom)
    return false
  }

  readonly #hasRoom = (): void => this.#goOnFrom("client")

  /** Waits for what a program reads, or for its own commit. */
  #waitForStorage(later: Pending): false {
    const state = later.isCommit === true ? "committing" : "storage"
    this.#state = state
    this.#clock.wait("storage")
    later.onDone((error) => {
      if (this.#state !== state) return
      this.#storageFailure = error
      this.#afterCommit = state === "committing"
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

  /** Whether any graph's changes are committed with this request. */
  #commits(): boolean {
    return this.#session === null || this.request.manageTransaction || !this.#session.explicitTransaction
  }

  /** The graphs whose transactions end with this request; null = all of them. */
  #ending(): ((store: GraphStore) => boolean) | null {
    const session = this.#session
    if (session === null || this.request.manageTransaction) return null
    return (store) => !session.explicitTransaction && !store.features.transactions
  }

  committed(store: GraphStore): void {
    this.keeps(store)
  }

  keeps(what: GraphStore | string): void {
    this.#kept ??= []
    this.#kept.push(what)
  }

  /** True: more to do at once. */
  #finish(until: number): boolean {
    const finished = this.#sink.finish(until)
    if (finished === "slice") return true
    if (finished === "full") return this.#waitForClient()
    if (this.#session === null) this.#context.strict?.(this.request, this.#transactions.changed())
    const ending = this.#ending()
    // It was to be ended during its program's own commit: no other commit begins.
    if (this.#cancelled !== null && this.#transactions.changed(ending).length > 0) throw this.#cancelled
    const later = this.#transactions.commit(ending, this)
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
    if (this.#cancelled !== null && this.#kept !== null) this.#sink.warn(lateWarning(this.#cancelled))
    this.#sink.complete()
    this.#leave()
  }

  #fail(error: unknown): void {
    this.#close()
    if (isInternal(error)) this.#context.failed(`Request ${this.requestId} failed`, error)
    if (this.#kept === null) this.#sink.fail(error)
    else {
      const kept = this.#kept.map((each) => (typeof each === "string" ? each : changesOf(each)))
      this.#sink.fail(errorAfterCommit(error), kept)
    }
    this.#leave()
  }

  #close(): void {
    this.#state = "ended"
    this.#clock.disarm()
    this.#program?.close()
    this.#memory.close()
  }

  #leave(): void {
    this.#clock.end()
    this.#onEnd(this)
    this.#resumeFiber?.()
  }

  /** True when the request is run again, from the start, in a later slice. */
  #failed(error: unknown): boolean {
    this.#program?.close()
    this.#session?.takeBackBegin()
    try {
      this.#transactions.rollback(this.#ending())
      if (this.#session !== null && this.#clock.prepared > 0) {
        const later = this.#transactions.rollbackToSavepoint()
        if (later !== undefined) {
          // The next request of the session must not see half of it.
          this.#state = "rolling back"
          later.onDone((cause) => this.#fail(cause ?? error))
          return false
        }
      }
    } catch (cause) {
      this.#fail(cause)
      return false
    }
    if (error instanceof TransactionConflict && this.#mayRepeat()) {
      this.#attempts++
      this.#program = null
      this.#pumping = false
      this.#exhausted = false
      this.#storageFailure = undefined
      this.#sink.restart()
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
      this.#kept === null &&
      this.#program?.repeatable !== false
    )
  }

  get settles(): boolean {
    return this.#isSettling || this.#afterCommit
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
        this.#program?.cancel(error)
        return
      case "waiting":
        this.#leaveQueue()
        this.#fail(error)
        return
      default:
        this.#cancelled ??= error
        if (this.#afterCommit) this.#program?.cancel(error)
        else this.#failed(error)
    }
  }

  abandon(): void {
    const error = new EvaluationCancelled("The connection of the client was closed.")
    this.cancel(error)
  }

  expire(): void {
    this.#fail(this.#clock.timeoutError())
  }

  #leaveQueue(): void {
    this.abandoned = true
    this.waitsIn?.forget()
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
      step: this.#state === "ended" ? "" : (this.#program?.currentStep ?? ""),
      state: this.#state,
      user: this.request.user.name
    }
  }
}
