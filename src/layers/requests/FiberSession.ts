import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { ScriptVariables } from "../../gremlin/Scope.ts"
import { LimitExceeded } from "../../process/language/Errors.ts"
import type { User } from "../../services/Authenticator.ts"
import { SessionEnded, TooManyRequests, TransactionExpired } from "../../services/Errors.ts"
import type { MemoryAccount, MemoryBudget } from "../../services/MemoryBudget.ts"
import type { Metrics } from "../../services/Metrics.ts"
import type { FiberStatus, PoolTask, RequestPool } from "../../services/RequestPool.ts"
import type { Session, SessionOwner } from "../../services/Sessions.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { detach } from "../../structure/Detach.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"
import { bytesOf } from "../../structure/HeldBytes.ts"
import { OpenTransactions } from "../evaluation/OpenTransactions.ts"
import { refersTo } from "./Handles.ts"
import { SessionTimers } from "./SessionTimers.ts"
import { WaitingTasks } from "./WaitingTasks.ts"

/** A session that holds less than this is no matter for the budget, bytes. */
const NOTEWORTHY = 65_536

/** What all sessions share. */
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
  readonly memory: typeof MemoryBudget.Service
  readonly metrics: Pick<typeof Metrics.Service, "refused">
  /** The session has ended. `reason`: what its client is told when it uses the name again; null when it knows. */
  readonly ended: (session: FiberSession, reason: Error | null) => void
}

/** One session: its requests in order, its variables, its transactions and their limits in time. */
export class FiberSession implements Session {
  readonly id: string
  readonly owner: SessionOwner
  readonly user: User
  readonly variables = new ScriptVariables()
  readonly transactions: OpenTransactions
  explicitTransaction = false
  /** The current request began the explicit transaction. */
  #begunByRequest = false
  readonly #context: SessionContext
  readonly #waiting = new WaitingTasks()
  #task: PoolTask | null = null
  #fiber: Fiber.RuntimeFiber<void> | null = null
  #since = performance.now()
  #open = true
  /** Ends with the current request. */
  #closing = false
  #failure: Error | undefined
  /** Null while it holds little. */
  #account: MemoryAccount | null = null
  readonly #timers: SessionTimers

  constructor(id: string, owner: SessionOwner, user: User, context: SessionContext) {
    this.id = id
    this.owner = owner
    this.user = user
    this.#context = context
    this.transactions = new OpenTransactions((transaction) => this.#keepReadable(transaction))
    this.#timers = new SessionTimers(context.settings, {
      sessionIdle: (limit) =>
        this.end(
          new SessionEnded(
            `The session '${this.id}' had no request for sessionTimeout (${limit} ms) and has ended; what was ` +
              "not committed is rolled back. The next request with this name opens a new session."
          )
        ),
      transactionIdle: (limit) => this.#expire(`was idle for idleTransactionTimeout (${limit} ms)`),
      transactionOld: (limit) => this.#expire(`was open for maxTransactionLifetime (${limit} ms)`)
    })
  }

  // ---- requests

  submit(task: PoolTask): boolean {
    if (this.#waiting.length >= this.#context.settings.maxSessionTaskQueueSize) return false
    this.#waiting.push(task)
    if (this.#task === null && this.#fiber === null) this.#work()
    return true
  }

  /** Runs what waits, in order; a request that outlives its first slice is the session's fiber until it ends. */
  #work(): void {
    this.#timers.busy()
    if (this.#context.pool !== null) {
      this.#next()
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
    this.#begunByRequest = false
    if (task !== null) {
      this.#since = performance.now()
      this.#timers.transaction(this.transactions.isOpen)
    }
    return task
  }

  #done(): void {
    this.#task = null
    this.#since = performance.now()
    this.#timers.transaction(this.transactions.isOpen)
    if (this.#closing) this.end(null)
    else this.#weigh()
  }

  /** What stays in memory until the next request: variables, and changes that are not committed. */
  #weigh(): void {
    if (!this.#open) return
    let bytes = this.transactions.heldBytes
    for (const value of this.variables.values()) bytes += bytesOf(value)
    const limit = this.#context.settings.requestMemoryLimit
    if (limit > 0 && bytes > limit) {
      this.cancel(
        new LimitExceeded(
          `The session '${this.id}' holds more than ${limit} bytes in its variables and its transaction, which is the server's ` +
            "requestMemoryLimit: it has ended, and what was not committed is rolled back."
        )
      )
      return
    }
    if (this.#account === null && bytes < NOTEWORTHY) return
    this.#account ??= this.#context.memory.open(this)
    try {
      this.#account.set(bytes)
    } catch (error) {
      this.cancel(error as Error)
    }
  }

  /** Ends the session for what it holds; its client is told with its next request. */
  cancel(error: Error): void {
    this.end(error)
  }

  /** Through the pool: one request at a time all the same. */
  #next(): void {
    // Its turn may have come before: a request that arrives between two others starts at once.
    if (this.#task !== null) return
    const task = this.#take()
    if (task === null) {
      this.#idle()
      return
    }
    const ended = (): void => {
      this.#done()
      setImmediate(() => this.#next())
    }
    // A request that is abandoned while it waits for a lane is never begun: the next one takes its turn.
    const leaving = (place: { forget(): void }) => ({
      forget: () => {
        place.forget()
        ended()
      }
    })
    const inOrder: PoolTask = {
      requestId: task.requestId,
      begin: () => {
        if (!task.begin()) return false
        ended()
        return true
      },
      get rest() {
        return Effect.ensuring(task.rest, Effect.sync(ended))
      },
      deadline: task.deadline,
      expire: () => {
        task.expire()
        this.#done()
        this.#next()
      },
      cancel: (error) => {
        task.cancel(error)
        this.#done()
        this.#next()
      },
      get abandoned() {
        return task.abandoned
      },
      get settles() {
        return task.settles
      },
      get waitsIn() {
        return task.waitsIn
      },
      set waitsIn(place) {
        task.waitsIn = place === null ? null : leaving(place)
      },
      describe: () => task.describe()
    }
    if (!this.#context.pool!.submit(inOrder)) {
      this.#context.metrics.refused("pool")
      task.cancel(new TooManyRequests("The request pool and its queue are full: send the request again later."))
      this.#done()
      this.#next()
    }
  }

  beginTransaction(): void {
    if (this.explicitTransaction) return
    this.explicitTransaction = true
    this.#begunByRequest = true
  }

  endTransaction(): void {
    this.explicitTransaction = false
    this.#begunByRequest = false
  }

  takeBackBegin(): void {
    if (this.#begunByRequest) this.endTransaction()
  }

  afterGraphOperation(): void {
    this.endTransaction()
    if (this.#context.settings.closeSessionPostGraphOp) this.#closing = true
  }

  takeFailure(): Error | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }

  #idle(): void {
    if (this.#open) this.#timers.idle(this.transactions.isOpen)
  }

  /**
   * The transaction ends behind the client's back. One without changes that nobody began was only a snapshot: nothing is
   * lost with it. One that the client began is over all the same: it takes what it sends next for a part of it.
   */
  #expire(reason: string): void {
    const error = new TransactionExpired(
      `The transaction of the session '${this.id}' ${reason} and was rolled back: none of its changes is kept. ` +
        "Begin again."
    )
    const task = this.#task
    // A request whose commit is under way, or that is taken back, is answered with its own outcome.
    const tellsNext = task === null || task.settles
    task?.cancel(error)
    const isLoss = this.transactions.dirty || this.explicitTransaction
    this.transactions.rollback()
    this.endTransaction()
    if (tellsNext && isLoss) this.#failure = error
  }

  // ---- the end

  /** `reason`: what the client is told when it sends another request; null when it knows. */
  end(reason: Error | null): void {
    if (!this.#open) return
    this.#open = false
    this.#timers.stop()
    this.#account?.close()
    this.#context.ended(this, reason)
    const name = `The session '${this.id}' has ended`
    this.#waiting.cancel(reason ?? new SessionEnded(`${name}; this request was not evaluated.`))
    this.#task?.cancel(
      reason ?? new SessionEnded(`${name}, and this request with it: what it had not committed is rolled back.`)
    )
    this.transactions.rollback()
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

  /** Variables that hold elements of a transaction that ends get copies that outlive it, as long as the session does. */
  #keepReadable(transaction: GraphTransaction): void {
    if (!this.#open) return
    for (const [name, value] of this.variables) {
      if (refersTo(value, transaction)) this.variables.set(name, detach(value))
    }
  }
}
