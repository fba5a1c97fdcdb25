import * as Effect from "effect/Effect"
import { EvaluationCancelled } from "../../process/language/Errors.ts"
import type { Progress } from "../../process/machine/TraversalRun.ts"
import { integral } from "../../protocol/HttpRequest.ts"
import { isInternal, ServerStopping } from "../../services/Errors.ts"
import type { Evaluation, EvaluationRequest, EvaluationTimes, ResponseSink } from "../../services/Evaluator.ts"
import type { MemoryBudget } from "../../services/MemoryBudget.ts"
import type { TaskDescription } from "../../services/RequestPool.ts"
import type { RunQueue, Sliced } from "../../services/RunQueue.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Transactions } from "../../services/Transactions.ts"
import type { GraphStore, Later } from "../../structure/GraphStore.ts"
import { TransactionConflict } from "../../structure/StoreErrors.ts"
import { EvaluationClock } from "./EvaluationClock.ts"
import { HeldMemory } from "./HeldMemory.ts"
import { OpenTransactions } from "./OpenTransactions.ts"

/** What an evaluation runs: one traversal (a TraversalRun is a program), a script, or an operation on a transaction. */
export interface Program {
  /** As TraversalRun.advance. */
  advance(until: number, sink: ResponseSink): Progress
  cancel(error: Error): void
  close(): void
  readonly currentStep: string
  /** Bytes it holds, about; it may be slow to say. Absent: none worth counting. */
  readonly heldBytes?: number
  /** False once it did what a rollback does not undo: it is not run again after a conflict. Absent: always true. */
  readonly repeatable?: boolean
}

/** What a program tells the evaluation about each traversal it is about to run. */
export interface ProgramHost {
  /** `options` are those of `g.with(...)`; a traversal that writes has its results kept back until the commit. */
  prepared(options: ReadonlyMap<string, unknown>, writes: boolean): void
}

/** Makes programs of requests. Throws what parsing and compiling throw. */
export interface Programs {
  readonly make: (
    request: EvaluationRequest,
    transactions: Transactions,
    session: Session | null,
    host: ProgramHost
  ) => Program
  /** The request as text for people, cut. */
  readonly describe: (request: EvaluationRequest) => string
}

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
type State = "waiting" | "running" | "queued" | "storage" | "client" | "committing" | "ended"

/**
 * One request from its arrival to its answer: makes the program, drives it slice by slice, waits for storage and for
 * the client, commits or rolls back, and runs it again after a conflict. Plain code under one fiber.
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
      return Effect.sync(() => this.cancel(new ServerStopping()))
    })
  }

  #armTimer(): void {
    this.#clock.arm(() => this.cancel(this.#clock.timeoutError()))
  }

  // ---- slices

  slice(until: number): boolean {
    // One that was cancelled in the queue may be taking its changes back: then its answer is on its way.
    if (this.#ended || this.#state === "committing") return false
    this.#state = "running"
    try {
      if (this.#cancelled !== null) throw this.#cancelled
      if (this.#storageFailure !== undefined) throw this.#storageFailure
      const more = this.#advance(until)
      if (!this.#ended) this.#weigh()
      if (more) {
        this.#state = "queued"
        if (performance.now() >= this.#clock.deadline) throw this.#clock.timeoutError()
      }
      return more
    } catch (error) {
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
    this.#clock.prepared = performance.now()
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
    this.#clock.wait()
    this.#sink.onRoom(this.#wake)
    return false
  }

  #waitForStorage(later: Later): false {
    this.#state = "storage"
    this.#clock.wait()
    later.onDone((error) => {
      this.#storageFailure = error
      this.#wake()
    })
    return false
  }

  readonly #wake = (): void => {
    if (this.#state !== "client" && this.#state !== "storage") return
    this.#clock.resume(this.#state)
    this.#state = "queued"
    this.#context.runQueue.resume(this)
  }

  // ---- the end

  /** Whether any graph's changes are committed with this request. */
  #commits(): boolean {
    return this.#session === null || this.request.manageTransaction || !this.#session.explicitTransaction
  }

  /** The graphs whose transactions end with this request; undefined = all of them. */
  readonly #ending = (): ((store: GraphStore) => boolean) | undefined => {
    const session = this.#session
    if (session === null || this.request.manageTransaction) return undefined
    return (store) => !session.explicitTransaction && !store.features.transactions
  }

  /** True: more to do at once. */
  #finish(until: number): boolean {
    const finished = this.#sink.finish(until)
    if (finished === "slice") return true
    if (finished === "full") return this.#waitForClient()
    if (this.#session === null) this.#context.strict?.(this.request, this.#transactions.changed())
    const later = this.#transactions.commit(this.#ending())
    if (later === undefined) {
      this.#complete()
      return false
    }
    this.#state = "committing"
    this.#clock.wait()
    later.onDone((error) => {
      this.#clock.resume("storage")
      if (error === undefined) this.#complete()
      else if (this.#failed(error)) this.#context.runQueue.resume(this)
    })
    return false
  }

  #complete(): void {
    this.#close()
    this.#sink.complete()
    this.#leave()
  }

  #fail(error: unknown): void {
    this.#close()
    if (isInternal(error)) this.#context.failed(`Request ${this.requestId} failed`, error)
    this.#sink.fail(error)
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
          // As with a commit, nobody comes between: the next request of the session must not see half of it.
          this.#state = "committing"
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
      this.#program?.repeatable !== false
    )
  }

  cancel(error: Error): void {
    switch (this.#state) {
      case "ended":
        return
      case "committing":
        // A commit on its way is not taken back: its outcome is the answer. After a conflict it is not run again.
        this.#cancelled ??= error
        return
      case "running":
        this.#cancelled ??= error
        this.#program?.cancel(error)
        return
      case "waiting":
        this.#leaveQueue()
        this.#fail(error)
        return
      default:
        this.#cancelled ??= error
        this.#failed(error)
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
