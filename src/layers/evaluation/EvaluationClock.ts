import { EvaluationTimeout } from "../../process/language/Errors.ts"
import type { EvaluationTimes } from "../../services/Evaluator.ts"
import { startTimer } from "./Timers.ts"

/** The deadline of one request, which counts from its arrival without excused time, and the times of its phases. */
export class EvaluationClock {
  /** When the request must have ended, `performance.now()` ms; Infinity = no limit. */
  deadline: number
  /** From arrival to answer, ms; 0 before the answer. */
  elapsed = 0
  /** When the request was last planned, `performance.now()` ms; 0 before. A request that is run again is planned again. */
  prepared = 0
  #firstPrepared = 0
  readonly #arrived = performance.now()
  /** When the first slice began; 0 when it began on arrival. */
  #started = 0
  #timeout: number
  /** Time that does not count so far, ms, and since when it does not; 0 while time counts. */
  #excused = 0
  #excusedSince = 0
  #timer: NodeJS.Timeout | undefined
  #onDeadline: (() => void) | undefined
  /** What the request waits for now, and since when. */
  #waitingFor: "client" | "storage" | undefined
  #waitingSince = 0
  /** Total waits so far, ms. */
  #client = 0
  #storage = 0

  /** `timeout`: ms, 0 = no limit. */
  constructor(timeout: number) {
    this.#timeout = timeout
    this.deadline = this.#deadlineOf(timeout)
  }

  #deadlineOf(timeout: number): number {
    return timeout > 0 && this.#excusedSince === 0 ? this.#arrived + timeout + this.#excused : Number.POSITIVE_INFINITY
  }

  /** From now on no time counts, until {@link count}. */
  excuse(): void {
    this.#excusedSince = performance.now()
    this.limit(this.#timeout)
  }

  /** Time counts again. */
  count(): void {
    this.#excused += performance.now() - this.#excusedSince
    this.#excusedSince = 0
    this.limit(this.#timeout)
  }

  /** The traversal has its own limit, ms; 0 = no limit. */
  limit(timeout: number): void {
    this.#timeout = timeout
    this.deadline = this.#deadlineOf(timeout)
    if (this.#onDeadline !== undefined) this.arm(this.#onDeadline)
  }

  /** Calls back at the deadline, also when it changes. */
  arm(onDeadline: () => void): void {
    this.#onDeadline = onDeadline
    clearTimeout(this.#timer)
    if (this.deadline === Number.POSITIVE_INFINITY) return
    this.#timer = startTimer(this.deadline - performance.now(), onDeadline)
  }

  disarm(): void {
    this.#onDeadline = undefined
    clearTimeout(this.#timer)
  }

  /** A slice begins, in a later turn than the arrival. It is the first one, or one in which the request is run again. */
  start(): void {
    if (this.#started === 0 && this.#firstPrepared === 0) this.#started = performance.now()
  }

  /** The request is planned. */
  plan(): void {
    this.prepared = performance.now()
    if (this.#firstPrepared === 0) this.#firstPrepared = this.prepared
  }

  wait(whom: "client" | "storage"): void {
    this.#waitingFor = whom
    this.#waitingSince = performance.now()
  }

  /** The request waits no longer. */
  resume(): void {
    if (this.#waitingFor === undefined) return
    const waited = performance.now() - this.#waitingSince
    if (this.#waitingFor === "client") this.#client += waited
    else this.#storage += waited
    this.#waitingFor = undefined
  }

  /** The request is answered. It may still have waited, such as at its deadline. */
  end(): void {
    this.resume()
    this.elapsed = performance.now() - this.#arrived
  }

  /** The phases add up to the total, and none is negative. A request that is run again counts as evaluated all the time. */
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

  /** The error of a request whose deadline has passed. Tests of drivers know its first two words, which are Gremlin Server's. */
  timeoutError(): EvaluationTimeout {
    return new EvaluationTimeout(
      `Evaluation exceeded the evaluationTimeout of ${this.#timeout} ms and was stopped; what it ` +
        "had not committed is rolled back. Narrow the traversal, or raise the limit with g.with('evaluationTimeout', ms), the request's " +
        "evaluationTimeout, or the server's setting."
    )
  }
}
