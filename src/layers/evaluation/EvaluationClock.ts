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
  /** When it was planned last; 0 before that. */
  prepared = 0
  readonly #arrived = performance.now()
  /** When its first slice began; 0 when that was at once. */
  #started = 0
  #timeout: number
  #timer: NodeJS.Timeout | undefined
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
    this.#started = performance.now()
  }

  wait(): void {
    this.#waitingSince = performance.now()
  }

  /** What it waited for is there. */
  resume(whom: "client" | "storage"): void {
    const waited = performance.now() - this.#waitingSince
    if (whom === "client") this.#client += waited
    else this.#storage += waited
  }

  end(): void {
    this.elapsed = performance.now() - this.#arrived
  }

  times(): EvaluationTimes {
    const now = this.elapsed > 0 ? this.#arrived + this.elapsed : performance.now()
    const started = this.#started > 0 ? this.#started : this.prepared > 0 ? this.#arrived : now
    const prepared = this.prepared > 0 ? this.prepared : now
    return {
      total: now - this.#arrived,
      queued: started - this.#arrived,
      prepare: prepared - started,
      evaluate: now - prepared - this.#client - this.#storage,
      storage: this.#storage,
      client: this.#client
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
