import type { PoolTask, RequestPool } from "../../services/RequestPool.ts"
import { ClosingTask } from "./ClosingTask.ts"
import { SessionRequest } from "./SessionRequest.ts"

/** How long a session refuses waiting requests in one turn of the event loop. */
const REFUSING_MS = 2

/** The session whose requests run in the pool. */
interface PooledSession {
  /** Whether a request of the session is in the pool. */
  readonly isBusy: () => boolean
  /** Takes the first waiting request; null if none waits. */
  readonly take: () => PoolTask | null
  /** Answers a request for which the pool has no room. */
  readonly refuse: (task: PoolTask) => void
  /** The request that was taken has ended. `isRefused`: it has not begun. */
  readonly done: (isRefused: boolean) => void
  /** No request waits. */
  readonly idle: () => void
}

/** Hands the requests of a session to the request pool, one at a time. */
export class PooledRequests {
  readonly #pool: typeof RequestPool.Service
  readonly #session: PooledSession
  #isRefusing = false

  constructor(pool: typeof RequestPool.Service, session: PooledSession) {
    this.#pool = pool
    this.#session = session
  }

  /** Whether the session goes on with refusing its waiting requests in the next turn of the event loop. */
  get isRefusing(): boolean {
    return this.#isRefusing
  }

  /** Hands over the next request. Those for which the pool has no room are refused in slices: there may be thousands. */
  next(): void {
    // After the end of a request this call comes in a later turn of the event loop. A request that arrives in between starts at once.
    if (this.#session.isBusy()) return
    const until = performance.now() + REFUSING_MS
    for (let task = this.#session.take(); task !== null; task = this.#session.take()) {
      if (this.#enter(task)) return
      if (performance.now() >= until) {
        this.#refuseLater()
        return
      }
    }
    this.#session.idle()
  }

  /** False when the task has ended: the next one can follow. */
  #enter(task: PoolTask): boolean {
    // A close does no work in a lane: a full pool must not refuse it.
    if (task instanceof ClosingTask) {
      task.begin()
      this.#session.done(false)
      return false
    }
    const turn = new SessionRequest(task, (isRefused) => {
      this.#session.done(isRefused)
      if (isRefused) this.next()
      else setImmediate(() => this.next())
    })
    if (this.#pool.submit(turn)) return true
    this.#session.refuse(task)
    this.#session.done(true)
    return false
  }

  #refuseLater(): void {
    this.#isRefusing = true
    setImmediate(() => {
      this.#isRefusing = false
      this.next()
    })
  }
}
