import { EvaluationCancelled, EvaluationTimeout, LimitExceeded } from "../../process/language/Errors.ts"
import { PartialCommit, ServerStopping, SessionEnded, TransactionExpired, Unauthorized } from "../../services/Errors.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { TransactionConflict } from "../../structure/StoreErrors.ts"

/** What a commit of a graph's transaction is called where a request names what is kept. */
export const changesOf = ({ name }: GraphStore): string => `the changes of the graph '${name}'`

/**
 * The error of a request of which something is committed. Errors that ask the client to send the request again become
 * PartialCommit, because the part that is kept would be done twice.
 */
export const errorAfterCommit = (error: unknown): unknown => {
  if (error instanceof TransactionConflict) {
    return new PartialCommit(
      `The request is committed in part. The rest conflicts with a transaction that was committed meanwhile (${error.what}) ` +
        "and was rolled back. Do not send the whole request again.",
      { cause: error }
    )
  }
  if (error instanceof ServerStopping) {
    return new PartialCommit(
      "The request is committed in part: the server is shutting down and ended it; what it had not committed is rolled back. " +
        "Do not send the whole request again.",
      { cause: error }
    )
  }
  return error
}

const interruption = (error: Error): string => {
  if (error instanceof EvaluationTimeout) return "the evaluationTimeout of the request passed"
  if (error instanceof TransactionExpired) return "the maxTransactionLifetime of the session's transaction passed"
  if (error instanceof SessionEnded) return "the session was ended"
  if (error instanceof ServerStopping) return "the server began to shut down"
  if (error instanceof Unauthorized) return "the user's name or password lost its validity"
  if (error instanceof LimitExceeded) return "the request was to be ended, because the server's memory is short"
  if (error instanceof EvaluationCancelled) return "the request was cancelled"
  return `the request was to be ended (${error.message})`
}

/** What the client of a successful request is told that was to be ended while its commit was under way. */
export const lateWarning = (error: Error): string =>
  `While the commit was under way ${interruption(error)}. The outcome of the commit was waited for: the changes are committed.`
