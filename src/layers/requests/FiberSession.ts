import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { ScriptVariables } from "../../gremlin/Scope.ts"
import type { User } from "../../services/Authenticator.ts"
import { SessionEnded, type TooManyRequests, TransactionExpired } from "../../services/Errors.ts"
import type { MemoryAccount, MemoryBudget } from "../../services/MemoryBudget.ts"
import type { Metrics } from "../../services/Metrics.ts"
import type { FiberStatus, PoolTask, RequestPool } from "../../services/RequestPool.ts"
import type { LossAnswer, Session, SessionOwner } from "../../services/Sessions.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import type { Loss, TransactionRecord } from "../../services/TransactionRecords.ts"
import { detach } from "../../structure/graph/Detach.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { thoroughBytesOf } from "../../structure/memory/HeldBytes.ts"
import { OpenTransactions } from "../evaluation/OpenTransactions.ts"
import { ClosingTask } from "./ClosingTask.ts"
import { refersTo } from "./Handles.ts"
import { PooledRequests } from "./PooledRequests.ts"
import { SessionTimers } from "./SessionTimers.ts"
import { SessionTransaction } from "./SessionTransaction.ts"
import { WaitingTasks } from "./WaitingTasks.ts"

/** A session that holds less is not counted against the memory budget. */
const MIN_COUNTED_BYTES = 65_536

/** Whose session it is. */
type SessionNames = Pick<FiberSession, "id" | "owner" | "user">

/** What all sessions share: settings, and the services that they use. */
export interface SessionContext {
  readonly settings: Pick<
    ServerSettings,
    | "closeSessionPostGraphOp"
    | "idleTransactionTimeout"
    | "maxSessionTaskQueueSize"
    | "maxTransactionLifetime"
    | "requestMemoryLimit"
    | "sessionTimeout"
  >
  /** Starts a fiber whose yields let sockets be served. */
  readonly fork: (effect: Effect.Effect<void>) => Fiber.RuntimeFiber<void>
  /** Where requests run when sessions have no fibers of their own (UnifiedChannelizer); null otherwise. */
  readonly pool: typeof RequestPool.Service | null
  /** One error for all requests that the pool refuses. */
  readonly poolFull: TooManyRequests
  readonly memory: typeof MemoryBudget.Service
  readonly metrics: Pick<typeof Metrics.Service, "refused">
  /** The session has ended. `reason`: what its client is told when it uses the name again; null when the client ended it. */
  readonly ended: (session: FiberSession, reason: Error | null) => void
}

/** One session: its requests in order, its variables, its transactions, and their limits in time. */
export class FiberSession implements Session {
  readonly id: string
  readonly owner: SessionOwner
  readonly user: User
  readonly variables = new ScriptVariables()
  readonly transactions: OpenTransactions
  readonly #transaction: SessionTransaction
  readonly #context: SessionContext
  readonly #waiting = new WaitingTasks()
  #task: PoolTask | null = null
  #fiber: Fiber.RuntimeFiber<void> | null = null
  #since = performance.now()
  #open = true
  /** The session ends with the current request. */
  #closing = false
  /** A request has run. */
  #isUsed = false
  /** Null when the session has a fiber of its own. */
  readonly #pooled: PooledRequests | null
  /** Null while the session holds little. */
  #account: MemoryAccount | null = null
  readonly #timers: SessionTimers

  constructor(names: SessionNames, record: TransactionRecord, context: SessionContext) {
    this.id = names.id
    this.owner = names.owner
    this.user = names.user
    this.#context = context
    this.#pooled = context.pool === null ? null : this.#inPool(context.pool)
    this.transactions = new OpenTransactions((transaction) => this.#keepReadable(transaction))
    this.#transaction = new SessionTransaction(this.transactions, record)
    this.#timers = new SessionTimers(context.settings, {
      sessionIdle: (limit) =>
        this.end(
          new SessionEnded(
            `The session '${this.id}' had no request for sessionTimeout (${limit} ms) and has ended; what was ` +
              "not committed is rolled back. The next request with this name opens a new session."
          )
        ),
      transactionIdle: (limit) => this.#expire(`was idle for idleTransactionTimeout (${limit} ms)`),
      transactionOld: (limit) => this.#expire(`was open for maxTransactionLifetime (${limit} ms)`),
      snapshots: () => this.transactions.snapshots
    })
  }

  // ---- requests

  #inPool(pool: typeof RequestPool.Service): PooledRequests {
    const { metrics, poolFull } = this.#context
    return new PooledRequests(pool, {
      isBusy: () => this.#task !== null,
      take: () => this.#take(),
      refuse: (task) => {
        metrics.refused("pool")
        task.cancel(poolFull)
      },
      done: (isRefused) => this.#done(isRefused),
      idle: () => {
        // The client of a session whose first requests were refused may not come back: its name would stay taken.
        if (this.#isUsed) this.#idle()
        else this.end(null)
      }
    })
  }

  submit(task: PoolTask): boolean {
    // A close has one place more: otherwise a client could not end a session whose queue is full.
    const places = this.#context.settings.maxSessionTaskQueueSize + (task instanceof ClosingTask ? 1 : 0)
    if (this.#waiting.length >= places) return false
    this.#waiting.push(task)
    if (this.#task === null && this.#fiber === null && this.#pooled?.isRefusing !== true) this.#work()
    return true
  }

  /** Runs the waiting requests in order. A request that outlives its first slice is the session's fiber until it ends. */
  #work(): void {
    this.#timers.busy()
    if (this.#pooled !== null) {
      this.#pooled.next()
      return
    }
    for (let task = this.#take(); task !== null; task = this.#take()) {
      if (!task.begin()) {
        this.#goOn(task)
        return
      }
      this.#done()
    }
    this.#idle()
  }

  #goOn(task: PoolTask): void {
    const fiber = this.#context.fork(task.rest)
    this.#fiber = fiber
    fiber.addObserver(() => {
      this.#fiber = null
      this.#done()
      this.#work()
    })
  }

  #take(): PoolTask | null {
    const task = this.#waiting.shift() ?? null
    this.#task = task
    if (task !== null) {
      this.#transaction.requestBegins()
      this.#since = performance.now()
      this.#timers.transactions()
    }
    return task
  }

  /** A refused request has changed nothing that would have to be weighed. */
  #done(isRefused = false): void {
    this.#task = null
    if (!isRefused) this.#isUsed = true
    this.#transaction.requestIsDone()
    this.#since = performance.now()
    this.#timers.transactions()
    if (this.#closing) this.end(null)
    else if (!isRefused) this.#weigh()
  }

  /** Counts what stays in memory until the next request: variables, and changes that are not committed. */
  #weigh(): void {
    if (!this.#open) return
    const bytes = this.transactions.heldBytes + thoroughBytesOf(this.variables.values())
    const limit = this.#context.settings.requestMemoryLimit
    if (limit > 0 && bytes > limit) {
      this.end(
        new SessionEnded(
          `The session '${this.id}' holds more than ${limit} bytes in its variables and its transaction, which is the server's ` +
            "requestMemoryLimit: it has ended, and what was not committed is rolled back. Open a new session, commit more often, " +
            "and keep fewer values in variables; or raise the setting."
        )
      )
      return
    }
    if (this.#account === null && bytes < MIN_COUNTED_BYTES) return
    this.#account ??= this.#context.memory.open(this)
    try {
      this.#account.set(bytes)
    } catch (error) {
      this.cancel(error as Error)
    }
  }

  /** Ends the session because of the memory that it holds. The answer to the next request of its client says so. */
  cancel(error: Error): void {
    // The name of the error says that the session is over: that of a limit could mean its current request only.
    const ended = `The session '${this.id}' has ended, and what was not committed is rolled back.`
    this.end(new SessionEnded(`${ended} ${error.message}`))
  }

  /** Whether there are uncommitted changes, or a transaction that the client began. */
  get inTransaction(): boolean {
    return this.#transaction.isOpen
  }

  beginTransaction(store: GraphStore): void {
    this.#transaction.begin(store)
  }

  requestFailed(loss: Loss | undefined): void {
    this.#transaction.requestFailed(loss)
  }

  requestEnds(): void {
    this.#transaction.requestEnds()
  }

  commitBegins(): void {
    this.#transaction.commitBegins()
  }

  afterGraphOperation(): void {
    if (this.#context.settings.closeSessionPostGraphOp) this.#closing = true
  }

  takeFailure(answer: () => LossAnswer): Error | undefined {
    return this.#transaction.takeFailure(answer)
  }

  #idle(): void {
    if (this.#open) this.#timers.idle(this.transactions.holdsSnapshot)
  }

  /**
   * Rolls the transaction back without a request of the client. The client is told when it loses something: changes, or a
   * transaction that it began itself, because it takes its next request for a part of it. Any other transaction was only
   * a snapshot.
   */
  #expire(reason: string): void {
    const error = new TransactionExpired(
      `The transaction of the session '${this.id}' ${reason} and was rolled back: none of its changes is kept. ` +
        "Begin again."
    )
    // Between the answer of a request and the end of its fiber, timers run.
    const task = this.#transaction.isRunning ? this.#task : null
    // A request whose commit or rollback is under way is answered with its own outcome. Those that wait were sent before this.
    const tellsNext = task === null || task.settles || this.#waiting.length > 0
    task?.cancel(error)
    this.#transaction.expire(error, tellsNext)
  }

  // ---- the end

  /** `reason`: what the client is told when it sends another request; null for nothing. `isAsked`: the client closes the session. */
  end(reason: Error | null, isAsked = false): void {
    if (!this.#open) return
    this.#open = false
    // Before the name is free, and before the rollback: the next session of this name must know of the loss.
    this.#transaction.sessionEnds(isAsked)
    this.#timers.stop()
    this.#account?.close()
    this.#context.ended(this, reason)
    const name = `The session '${this.id}' has ended`
    this.#waiting.cancel(reason ?? new SessionEnded(`${name}; this request was not evaluated.`))
    this.#task?.cancel(
      reason ?? new SessionEnded(`${name}, and this request with it: what it had not committed is rolled back.`)
    )
    this.transactions.end()
    this.variables.clear()
  }

  status(): FiberStatus {
    const description = this.#task?.describe()
    return {
      name: `session-${this.id}`,
      state: description?.state ?? (this.transactions.isOpen ? "idle in transaction" : "idle"),
      requestId: this.#task?.requestId ?? "",
      request: description?.request ?? "",
      step: description?.step ?? "",
      user: this.user.name,
      elapsed: performance.now() - this.#since
    }
  }

  /** Variables that hold elements of an ending transaction get copies, which stay readable. */
  #keepReadable(transaction: GraphTransaction): void {
    if (!this.#open) return
    for (const [name, value] of this.variables) {
      if (refersTo(value, transaction)) this.variables.set(name, detach(value))
    }
  }
}
