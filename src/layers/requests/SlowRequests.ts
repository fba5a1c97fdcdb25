import type { SlowRequest } from "../../services/Dispatcher.ts"
import type { Evaluation } from "../../services/Evaluator.ts"
import type { RequestLog } from "../../services/RequestLog.ts"

/** How long a request is listed after its answer, ms. */
const LISTED_MS = 600_000
const MAX_LISTED_REQUESTS = 100
const MAX_TEXT_CHARACTERS = 500
/** The threshold where the log has none, ms. */
const DEFAULT_THRESHOLD_MS = 1_000

/** A copy that does not keep the message in memory from which the text was cut. */
const copied = (text: string): string => Buffer.from(text).toString()

/** Logs slow requests, and lists those of the last ten minutes, also those that failed or were cancelled. Bindings are not kept. */
export class SlowRequests {
  /** Requests that take at least this long are listed, ms. */
  readonly threshold: number
  readonly #log: typeof RequestLog.Service | undefined
  #listed: ReadonlyArray<SlowRequest> = []

  /** @param threshold the setting `slowQueryThreshold`, ms; 0 = the log has no slow requests, and the list those of a second */
  constructor(threshold: number, log: typeof RequestLog.Service) {
    this.threshold = threshold > 0 ? threshold : DEFAULT_THRESHOLD_MS
    this.#log = threshold > 0 ? log : undefined
  }

  /**
   * Logs and lists a request that was answered.
   *
   * @param now ms since 1970
   */
  add(evaluation: Evaluation, status: number, now: number): void {
    this.#log?.slow(evaluation, status)
    const { request, user } = evaluation.describe()
    const added = {
      requestId: copied(evaluation.requestId),
      user,
      endedAt: now,
      elapsed: Math.round(evaluation.elapsed),
      status,
      rows: evaluation.rows,
      request: copied(request.slice(0, MAX_TEXT_CHARACTERS))
    }
    this.#listed = [...this.list(now).slice(1 - MAX_LISTED_REQUESTS), added]
  }

  /** The listed requests, the oldest first. */
  list(now: number): ReadonlyArray<SlowRequest> {
    if (this.#listed.some(({ endedAt }) => now - endedAt > LISTED_MS))
      this.#listed = this.#listed.filter(({ endedAt }) => now - endedAt <= LISTED_MS)
    return this.#listed
  }
}
