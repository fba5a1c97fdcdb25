import {
  ConnectionClosed,
  EvaluationCancelled,
  EvaluationTimeout,
  LimitExceeded
} from "../../process/language/Errors.ts"
import { PartialCommit, ServerStopping, SessionEnded, TransactionExpired, Unauthorized } from "../../services/Errors.ts"
import { TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/** The committed changes of a graph, in the words of an error message. */
export const changesOf = ({ name }: GraphStore): string => `the changes of the graph '${name}'`

/**
 * The error of a request that failed after a part was committed. An error that asks the client to send the request again
 * becomes PartialCommit: a second request would repeat the committed part.
 */
export const errorAfterCommit = (error: unknown): unknown => {
  if (error instanceof TransactionConflict) {
    return new PartialCommit(
      `The request is committed in part. The rest conflicts with a transaction that committed first (${error.what}) ` +
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
  if (error instanceof Unauthorized) return "the user was removed or the password was changed"
  if (error instanceof LimitExceeded) return "the request was to end because the server is short of memory"
  if (error instanceof ConnectionClosed) return "the connection of the client was closed"
  if (error instanceof EvaluationCancelled) return "the request was cancelled"
  return `the request was to end (${error.message})`
}

/** The warning in the answer of a successful request that was cancelled while its commit was under way. */
export const lateWarning = (error: Error): string =>
  `While the commit was under way ${interruption(error)}. The outcome of the commit was waited for: the changes are committed.`
