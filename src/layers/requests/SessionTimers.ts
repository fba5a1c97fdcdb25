import type { ServerSettings } from "../../services/Settings.ts"
import { startTimer } from "../evaluation/Timers.ts"

/** What a session does when a limit in time has passed. */
interface TimeLimits {
  /** The session had no request for `sessionTimeout`, ms. */
  readonly sessionIdle: (limit: number) => void
  /** Its transaction was open without a running request for `idleTransactionTimeout`, ms. */
  readonly transactionIdle: (limit: number) => void
  /** Its transaction was open for `maxTransactionLifetime`, ms. */
  readonly transactionOld: (limit: number) => void
  /** The transactions of the session that are open or being committed. */
  readonly snapshots: () => ReadonlyArray<object>
}

type TimeSettings = Pick<ServerSettings, "idleTransactionTimeout" | "maxTransactionLifetime" | "sessionTimeout">

/** The limits in time of one session. A setting of 0 means no limit. */
export class SessionTimers {
  readonly #settings: TimeSettings
  readonly #limits: TimeLimits
  #session: NodeJS.Timeout | undefined
  #transaction: NodeJS.Timeout | undefined
  #lifetime: NodeJS.Timeout | undefined
  /** Since when each open transaction is known, ms of `performance.now()`. */
  #since: ReadonlyMap<object, number> = new Map()
  /** The time from which {@link #lifetime} counts. */
  #oldest: number | undefined

  constructor(settings: TimeSettings, limits: TimeLimits) {
    this.#settings = settings
    this.#limits = limits
  }

  /** A request runs. */
  busy(): void {
    clearTimeout(this.#session)
    clearTimeout(this.#transaction)
  }

  /** No request runs. */
  idle(hasTransaction: boolean): void {
    this.busy()
    const { idleTransactionTimeout, sessionTimeout } = this.#settings
    const { sessionIdle, transactionIdle } = this.#limits
    if (sessionTimeout > 0) this.#session = timer(sessionTimeout, sessionIdle)
    if (idleTransactionTimeout > 0 && hasTransaction) this.#transaction = timer(idleTransactionTimeout, transactionIdle)
  }

  /** Starts or stops the lifetime of the oldest open transaction. It counts from the first call that finds the transaction. */
  transactions(): void {
    const { maxTransactionLifetime } = this.#settings
    if (maxTransactionLifetime === 0) return
    const oldest = this.#look()
    if (oldest === this.#oldest) return
    clearTimeout(this.#lifetime)
    this.#oldest = oldest
    if (oldest === undefined) return
    const left = oldest + maxTransactionLifetime - performance.now()
    this.#lifetime = startTimer(left, () => this.#passed(oldest))
  }

  /** Since when the oldest transaction is known; undefined if there is none. */
  #look(): number | undefined {
    const open = this.#limits.snapshots()
    if (open.length === 0 && this.#since.size === 0) return undefined
    const now = performance.now()
    this.#since = new Map(open.map((transaction) => [transaction, this.#since.get(transaction) ?? now]))
    return open.length === 0 ? undefined : Math.min(...this.#since.values())
  }

  /** The running request may have ended the transaction and begun another one. */
  #passed(oldest: number): void {
    if (this.#look() !== oldest) {
      this.transactions()
      return
    }
    this.#oldest = undefined
    this.#since = new Map()
    this.#limits.transactionOld(this.#settings.maxTransactionLifetime)
  }

  /** The session has ended. */
  stop(): void {
    this.busy()
    clearTimeout(this.#lifetime)
  }
}

const timer = (limit: number, passed: (limit: number) => void): NodeJS.Timeout => startTimer(limit, () => passed(limit))
