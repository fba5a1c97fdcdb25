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
}

type TimeSettings = Pick<ServerSettings, "idleTransactionTimeout" | "maxTransactionLifetime" | "sessionTimeout">

/** The limits in time of one session. A setting of 0 means no limit. */
export class SessionTimers {
  readonly #settings: TimeSettings
  readonly #limits: TimeLimits
  #session: NodeJS.Timeout | undefined
  #transaction: NodeJS.Timeout | undefined
  #lifetime: NodeJS.Timeout | undefined

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

  /** Starts or stops the lifetime of the transaction. It counts from the first call with `isOpen`. */
  transaction(isOpen: boolean): void {
    const { maxTransactionLifetime } = this.#settings
    if (!isOpen) {
      clearTimeout(this.#lifetime)
      this.#lifetime = undefined
    } else if (maxTransactionLifetime > 0 && this.#lifetime === undefined) {
      this.#lifetime = timer(maxTransactionLifetime, (limit) => {
        this.#lifetime = undefined
        this.#limits.transactionOld(limit)
      })
    }
  }

  /** The session has ended. */
  stop(): void {
    this.busy()
    clearTimeout(this.#lifetime)
  }
}

const timer = (limit: number, passed: (limit: number) => void): NodeJS.Timeout => startTimer(limit, () => passed(limit))
