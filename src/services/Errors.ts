import type { GremlinSyntaxError, ScriptFailure } from "../gremlin/SyntaxErrors.ts"
import type {
  ConnectionClosed,
  EvaluationCancelled,
  EvaluationTimeout,
  FailStepReached,
  LambdaNotSupported,
  LimitExceeded,
  TraversalError,
  TraversalInvalid,
  VerificationFailed
} from "../process/language/Errors.ts"
import type { ProtocolError, SerializationError } from "../protocol/ProtocolError.ts"
import { StatusCode } from "../protocol/StatusCode.ts"
import {
  CommitOutcomeUnknown,
  type ElementExists,
  type ElementNotFound,
  FailedAfterCommit,
  type MemoryLimitExceeded,
  type ReadOnlyTransaction,
  StorageFailure,
  type TransactionConflict,
  type TransactionsNotSupported,
  type UnsupportedValue
} from "../structure/errors/StoreErrors.ts"
import { TaggedError } from "../structure/errors/TaggedError.ts"
import type { ArithmeticFailure, MalformedText, TypeMismatch, ValueTooLarge } from "../structure/errors/ValueErrors.ts"
import type { DynamicGraphError } from "./DynamicGraphs.ts"
import type { Loss } from "./TransactionRecords.ts"

/** The request pool and its queue are full, or another limit of concurrent work is reached. */
export class TooManyRequests extends TaggedError {
  readonly _tag = "TooManyRequests"
}

/** The server is shutting down: it refuses new requests, and ends those that run for too long. */
export class ServerStopping extends TaggedError {
  readonly _tag = "ServerStopping"
  constructor(request: "new" | "running") {
    const ended = "ended this request; what it did not commit is rolled back"
    const what = request === "new" ? "takes no new requests" : ended
    super(`The server is shutting down and ${what}. Send it to another server, or again in a moment.`)
  }
}

/** Workers of the server died of this request several times, so it is refused for some time. */
export class RequestBlocked extends TaggedError {
  readonly _tag = "RequestBlocked"
  constructor(until: Date) {
    super(
      "Two worker processes of the server died while they ran this request. It is refused until " +
        `${until.toISOString()}. An administrator can allow it with the command unblock.`
    )
  }
}

/** An argument of the request is missing, has the wrong type, or names something that does not exist. */
export class InvalidRequestArguments extends TaggedError {
  readonly _tag = "InvalidRequestArguments"
}

/** The message asks for an operation that does not exist. */
export class UnknownOperation extends TaggedError {
  readonly _tag = "UnknownOperation"
}

/** Another connection or another user opened the session. */
export class SessionNotBound extends TaggedError {
  readonly _tag = "SessionNotBound"
}

/** The limit of open sessions is reached. */
export class TooManySessions extends TaggedError {
  readonly _tag = "TooManySessions"
}

/** The session has ended: after its timeout, for the memory that it holds, by its client, or with the server. */
export class SessionEnded extends TaggedError {
  readonly _tag = "SessionEnded"
}

/** The transaction was rolled back because it was idle or open for too long. */
export class TransactionExpired extends TaggedError {
  readonly _tag = "TransactionExpired"
}

/**
 * The session of this name, its connection or its worker process ended before the client knew how its transaction ended. A commit in a
 * new session would succeed without the changes.
 */
export class TransactionLost extends TaggedError {
  readonly _tag = "TransactionLost"
  /** The transaction was being committed. */
  readonly isOutcomeUnknown: boolean

  constructor(session: string, loss: Loss) {
    super(
      loss !== "outcome"
        ? `The transaction of the session '${session}' has ended without a commit, because its connection was closed, its session ` +
            "ended, or its worker process ended. " +
            (loss === "state"
              ? "It had changed nothing. Send the request again: it begins a new one."
              : "None of its changes is kept. Roll it back, and repeat its requests in a new one.")
        : `The connection of the session '${session}' or its worker process ended while the transaction was being committed, so it is ` +
            "not known here whether the changes are kept. Roll it back, and read the changed elements in a new transaction."
    )
    this.isOutcomeUnknown = loss === "outcome"
  }
}

/** A part of the request is committed, and the rest is not. To send the whole request again would repeat the committed part. */
export class PartialCommit extends TaggedError {
  readonly _tag = "PartialCommit"
}

/** Another request that runs has the id that the client chose. */
export class RequestIdInUse extends TaggedError {
  readonly _tag = "RequestIdInUse"
  constructor(requestId: string) {
    super(`A request with the id ${requestId} is being evaluated. Choose a new queryId for each request.`)
  }
}

/** The client sent no credentials, or wrong ones. */
export class Unauthorized extends TaggedError {
  readonly _tag = "Unauthorized"
}

/** The user is not allowed to do this. */
export class Forbidden extends TaggedError {
  readonly _tag = "Forbidden"
  constructor(reason: string) {
    super(`Failed to authorize: ${reason}`)
  }
}

/** A defect of the server. The log has the cause. */
export class InternalError extends TaggedError {
  readonly _tag = "InternalError"
  constructor(cause: unknown) {
    super(`The server failed on this request (${String(cause)}). This is a defect; the server's log has the details.`, {
      cause
    })
  }
}

/** All errors that a client can receive. */
export type ServerError =
  | TooManyRequests
  | ServerStopping
  | RequestBlocked
  | ConnectionClosed
  | InvalidRequestArguments
  | RequestIdInUse
  | UnknownOperation
  | ProtocolError
  | SessionNotBound
  | TooManySessions
  | SessionEnded
  | TransactionExpired
  | TransactionLost
  | PartialCommit
  | CommitOutcomeUnknown
  | FailedAfterCommit
  | Unauthorized
  | Forbidden
  | SerializationError
  | ArithmeticFailure
  | MalformedText
  | TypeMismatch
  | ValueTooLarge
  | GremlinSyntaxError
  | ScriptFailure
  | MemoryLimitExceeded
  | InternalError
  | TraversalError
  | TraversalInvalid
  | VerificationFailed
  | FailStepReached
  | EvaluationTimeout
  | EvaluationCancelled
  | LimitExceeded
  | LambdaNotSupported
  | TransactionConflict
  | ElementExists
  | ElementNotFound
  | UnsupportedValue
  | ReadOnlyTransaction
  | TransactionsNotSupported
  | StorageFailure
  | DynamicGraphError

/** The status codes of an error on each transport. */
export interface ErrorStatus {
  /** Response status code for a script. */
  readonly eval: StatusCode
  /** Response status code for bytecode; Gremlin Server has another one for some errors. */
  readonly bytecode: StatusCode
  /** HTTP status. Gremlin Server answers 500 to every failed evaluation. */
  readonly http: number
}

const same = (code: StatusCode, http: number): ErrorStatus => ({ eval: code, bytecode: code, http })
const failed = same(StatusCode.SERVER_ERROR_EVALUATION, 500)
const evaluation = (bytecode: StatusCode): ErrorStatus => ({ ...failed, bytecode })

/** The status codes of all errors. A missing tag does not compile. */
export const statuses: { readonly [Tag in ServerError["_tag"]]: ErrorStatus } = {
  TooManyRequests: same(StatusCode.TOO_MANY_REQUESTS, 500),
  ServerStopping: same(StatusCode.SERVER_ERROR, 503),
  RequestBlocked: same(StatusCode.SERVER_ERROR, 503),
  ConnectionClosed: same(StatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, 499),
  InvalidRequestArguments: same(StatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, 400),
  RequestIdInUse: same(StatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, 409),
  UnknownOperation: same(StatusCode.REQUEST_ERROR_MALFORMED_REQUEST, 400),
  ProtocolError: same(StatusCode.REQUEST_ERROR_MALFORMED_REQUEST, 400),
  SessionNotBound: same(StatusCode.SERVER_ERROR, 500),
  TooManySessions: same(StatusCode.TOO_MANY_REQUESTS, 429),
  SessionEnded: same(StatusCode.SERVER_ERROR, 500),
  TransactionExpired: same(StatusCode.SERVER_ERROR, 500),
  TransactionLost: same(StatusCode.SERVER_ERROR, 500),
  // Not 596, which asks the client to send the request again.
  PartialCommit: same(StatusCode.SERVER_ERROR, 500),
  CommitOutcomeUnknown: same(StatusCode.SERVER_ERROR, 500),
  FailedAfterCommit: same(StatusCode.SERVER_ERROR, 500),
  Unauthorized: same(StatusCode.UNAUTHORIZED, 401),
  /** Gremlin Server has 401. Over HTTP, a browser would ask for another password then. */
  Forbidden: same(StatusCode.UNAUTHORIZED, 403),
  SerializationError: same(StatusCode.SERVER_ERROR_SERIALIZATION, 500),
  ArithmeticFailure: evaluation(StatusCode.SERVER_ERROR),
  MalformedText: evaluation(StatusCode.SERVER_ERROR),
  TypeMismatch: evaluation(StatusCode.SERVER_ERROR),
  ValueTooLarge: evaluation(StatusCode.SERVER_ERROR),
  /** With bytecode, the text of a lambda. */
  GremlinSyntaxError: evaluation(StatusCode.SERVER_ERROR_EVALUATION),
  ScriptFailure: evaluation(StatusCode.SERVER_ERROR),
  MemoryLimitExceeded: evaluation(StatusCode.SERVER_ERROR),
  InternalError: same(StatusCode.SERVER_ERROR, 500),
  TraversalError: evaluation(StatusCode.SERVER_ERROR),
  TraversalInvalid: evaluation(StatusCode.SERVER_ERROR_SERIALIZATION),
  VerificationFailed: evaluation(StatusCode.SERVER_ERROR),
  FailStep: same(StatusCode.SERVER_ERROR_FAIL_STEP, 500),
  EvaluationTimeout: same(StatusCode.SERVER_ERROR_TIMEOUT, 500),
  EvaluationCancelled: same(StatusCode.SERVER_ERROR_TIMEOUT, 500),
  LimitExceeded: evaluation(StatusCode.SERVER_ERROR),
  LambdaNotSupported: evaluation(StatusCode.SERVER_ERROR_SERIALIZATION),
  TransactionConflict: same(StatusCode.SERVER_ERROR_TEMPORARY, 500),
  ElementExists: evaluation(StatusCode.SERVER_ERROR),
  ElementNotFound: evaluation(StatusCode.SERVER_ERROR),
  UnsupportedValue: evaluation(StatusCode.SERVER_ERROR),
  ReadOnlyTransaction: evaluation(StatusCode.SERVER_ERROR),
  TransactionsNotSupported: evaluation(StatusCode.SERVER_ERROR),
  StorageFailure: evaluation(StatusCode.SERVER_ERROR),
  DynamicGraphError: evaluation(StatusCode.SERVER_ERROR)
}

/** Whether an error is a defect: it is not in the table. */
export const isDefect = (error: unknown): boolean =>
  !(error instanceof TaggedError && Object.hasOwn(statuses, error._tag)) || error instanceof InternalError

/** Whether the operator must know of an error: a defect, or a store that cannot be read or written. */
export const isInternal = (error: unknown): boolean =>
  isDefect(error) ||
  error instanceof StorageFailure ||
  error instanceof CommitOutcomeUnknown ||
  error instanceof FailedAfterCommit

/** The error as one of the table: a defect becomes InternalError. */
export const asServerError = (error: unknown): ServerError =>
  isDefect(error) && !(error instanceof InternalError) ? new InternalError(error) : (error as ServerError)

/** The status attribute `commitOutcome` of a failed request. */
export type CommitOutcome = "unknown" | "committed" | "partial"

/** The error of a request and the outcome of its changes, for both transports. */
export interface FailureReport {
  readonly error: ServerError
  /** For people. It names what is committed. */
  readonly message: string
  /** Undefined when nothing of the request is committed. */
  readonly commitOutcome: CommitOutcome | undefined
}

/**
 * The report of a failed request.
 *
 * @param kept what the request had committed before it failed, such as `the changes of the graph 'g'`
 */
export const failureReport = (cause: unknown, kept: ReadonlyArray<string>): FailureReport => {
  const error = asServerError(cause)
  // Not every message ends with a full stop.
  const sentences = /[.?!]$/.test(error.message) ? error.message : `${error.message}.`
  const message =
    kept.length === 0 ? error.message : `${sentences} Committed before that, and kept: ${kept.join(", ")}.`
  const isUnknown = error instanceof TransactionLost && error.isOutcomeUnknown
  if (isUnknown || error instanceof CommitOutcomeUnknown) return { error, message, commitOutcome: "unknown" }
  if (error instanceof FailedAfterCommit) return { error, message, commitOutcome: "committed" }
  return { error, message, commitOutcome: kept.length === 0 ? undefined : "partial" }
}
