import cassandra, { type types as DriverTypes } from "cassandra-driver"

/** Nodes that are asked one after another. */
const MAX_ATTEMPTS = 3
/** Time without an answer after which another node is asked for a few rows as well. */
export const READ_DELAY_MS = 400
/** Time without an answer after which another node gets a write as well: a cluster that writes slowly must not get all writes twice. */
export const WRITE_DELAY_MS = 2_000

/** The longest {@link scanDelayMs}: a cluster that is slow must not read every page of a scan twice. */
const SCAN_DELAY_MS = 2_000
/** The share of a request's time that {@link scanDelayMs} is at most: two more nodes must have time, too. */
const DELAY_SHARE = 4

/** Time without an answer after which another node is asked for a page of a scan as well, ms. `timeout`: that of a request, ms. */
export const scanDelayMs = (timeout: number): number => Math.min(SCAN_DELAY_MS, timeout / DELAY_SHARE)

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

/** The retries of a page of a scan that other nodes are late with: a node that fails is replaced, one that is silent is not. */
export class LatePageRetries extends LimitedRetries {
  override onRequestError(info: Attempt, consistency: DriverTypes.consistencies, error?: unknown) {
    const isSilent = (error as Partial<Error> | undefined)?.name === "OperationTimedOutError"
    return isSilent ? this.rethrowResult() : super.onRequestError(info, consistency)
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

  /**
   * True if another node than that of the error may have applied the write: it failed in another way, or the driver took so long that it
   * may have given one up. The error of a driver that finds no node has the reasons of all nodes.
   */
  mayHide(error: unknown): boolean {
    if ((error as Partial<Error> | undefined)?.name === "NoHostAvailableError") return false
    // A timer may be early by a millisecond or two.
    return this.#isDoubtful || performance.now() - this.#start >= WRITE_DELAY_MS - 10
  }
}
