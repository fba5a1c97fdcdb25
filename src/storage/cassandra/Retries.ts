import cassandra, { type types as DriverTypes } from "cassandra-driver"

/** Nodes that are asked one after another. */
const MAX_ATTEMPTS = 3
/** Time without an answer after which the driver asks a second node as well. */
export const SPECULATION_DELAY_MS = 400

interface Attempt {
  readonly nbRetry: number
}

/**
 * Retries on the next node, on a limited number of nodes. Every request is idempotent, because writes carry their own time
 * stamp.
 */
export class LimitedRetries extends cassandra.policies.retry.RetryPolicy {
  override onRequestError(info: Attempt, consistency: DriverTypes.consistencies) {
    return info.nbRetry < MAX_ATTEMPTS - 1 ? this.retryResult(consistency, false) : this.rethrowResult()
  }

  override onWriteTimeout(info: Attempt, consistency: DriverTypes.consistencies) {
    return info.nbRetry === 0 ? this.retryResult(consistency, false) : this.rethrowResult()
  }
}

/**
 * The retries of one write. The driver's error is that of the last node, so this policy notes whether an earlier node may have applied
 * the write.
 */
export class WriteRetries extends LimitedRetries {
  readonly #start = performance.now()
  #isDoubtful = false

  override onRequestError(info: Attempt, consistency: DriverTypes.consistencies) {
    this.#isDoubtful = true
    return super.onRequestError(info, consistency)
  }

  override onWriteTimeout(info: Attempt, consistency: DriverTypes.consistencies) {
    this.#isDoubtful = true
    return super.onWriteTimeout(info, consistency)
  }

  /** True if no node has failed in another way than by the last error, and no second node was asked beside the first. */
  get isClear(): boolean {
    // A timer may be early by a millisecond or two.
    return !this.#isDoubtful && performance.now() - this.#start < SPECULATION_DELAY_MS - 10
  }
}
