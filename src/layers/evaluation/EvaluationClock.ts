import { EvaluationTimeout } from "../../process/language/Errors.ts"
import type { EvaluationTimes } from "../../services/Evaluator.ts"

/** Longest time that a timer of Node's takes, ms. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The deadline of one request, counted from its arrival, and where its time went. */
export class EvaluationClock {
  /** When the request has to be over, `performance.now()` ms; Infinity = whenever it likes. */
  deadline: number
  /** From arrival to answer, ms; 0 before the answer. */
  elapsed = 0
  /** When it was planned last, `performance.now()` ms; 0 before that. A request that is run again is planned again. */
  prepared = 0
  #firstPrepared = 0
  readonly #arrived = performance.now()
  /** When its first slice began; 0 when that was at once. */
  #started = 0
  #timeout: number
  #timer: NodeJS.Timeout | undefined
  /** Whom it waits for now, and since when. */
  #waitingFor: "client" | "storage" | undefined
  #waitingSince = 0
  #client = 0
  #storage = 0

  /** `timeout`: ms, 0 = none. */
  constructor(timeout: number) {
    this.#timeout = timeout
    this.deadline = this.#deadlineOf(timeout)
  }

  #deadlineOf(timeout: number): number {
    return timeout > 0 ? this.#arrived + timeout : Number.POSITIVE_INFINITY
  }

  /** The request has its own limit, ms, 0 = none. */
  limit(timeout: number): void {
    this.#timeout = timeout
    this.deadline = this.#deadlineOf(timeout)
  }

  /** Calls back at the deadline, which may have changed. */
  arm(onDeadline: () => void): void {
    clearTimeout(this.#timer)
    if (this.deadline === Number.POSITIVE_INFINITY) return
    const remaining = Math.ceil(this.deadline - performance.now())
    this.#timer = setTimeout(onDeadline, Math.max(1, Math.min(remaining, LONGEST_TIMER)))
  }

  disarm(): void {
    clearTimeout(this.#timer)
  }

  /** Its first slice begins, not in the turn in which it came. */
  start(): void {
    if (this.#started === 0) this.#started = performance.now()
  }

  /** It is planned. */
  plan(): void {
    this.prepared = performance.now()
    if (this.#firstPrepared === 0) this.#firstPrepared = this.prepared
  }

  wait(whom: "client" | "storage"): void {
    this.#waitingFor = whom
    this.#waitingSince = performance.now()
  }

  /** What it waited for is there, or it waits no longer. */
  resume(): void {
    if (this.#waitingFor === undefined) return
    const waited = performance.now() - this.#waitingSince
    if (this.#waitingFor === "client") this.#client += waited
    else this.#storage += waited
    this.#waitingFor = undefined
  }

  /** It is answered: also one that was waiting, such as at its deadline. */
  end(): void {
    this.resume()
    this.elapsed = performance.now() - this.#arrived
  }

  /** The parts, none of which is negative, make up the total: a request that is run again is evaluated all that time. */
  times(): EvaluationTimes {
    const now = this.elapsed > 0 ? this.#arrived + this.elapsed : performance.now()
    const waiting = this.#waitingFor === undefined ? 0 : now - this.#waitingSince
    const client = this.#client + (this.#waitingFor === "client" ? waiting : 0)
    const storage = this.#storage + (this.#waitingFor === "storage" ? waiting : 0)
    const started = this.#started > 0 ? this.#started : this.#firstPrepared > 0 ? this.#arrived : now
    const prepared = this.#firstPrepared > 0 ? this.#firstPrepared : now
    return {
      total: now - this.#arrived,
      queued: started - this.#arrived,
      prepare: prepared - started,
      evaluate: now - prepared - client - storage,
      storage,
      client
    }
  }

  /** What the client is told when the deadline has passed. */
  timeoutError(): EvaluationTimeout {
    return new EvaluationTimeout(
      `The evaluation took longer than the evaluationTimeout of ${this.#timeout} ms and was stopped; what it ` +
        "had not committed is rolled back. Narrow the traversal, or raise the limit with g.with('evaluationTimeout', ms), the request's " +
        "evaluationTimeout, or the server's setting."
    )
  }
}
