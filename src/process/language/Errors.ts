import { TaggedError } from "../../structure/StoreErrors.ts"

/**
 * Errors of the language and the traversal machine. services/Errors.ts turns each tag into a status for clients; the
 * message is what they see.
 */

/** The traversal failed while it ran: a wrong type, a failed cast, an illegal state of the data. */
export class TraversalError extends TaggedError {
  readonly _tag = "TraversalError"
}

/** The traversal cannot run at all: unknown step, wrong argument, a modulator in the wrong place. */
export class TraversalInvalid extends TaggedError {
  readonly _tag = "TraversalInvalid"
}

/** A strategy of the request forbids what the traversal does (ReadOnlyStrategy, ReservedKeysVerificationStrategy...). */
export class VerificationFailed extends TaggedError {
  readonly _tag = "VerificationFailed"
}

/** fail() was reached. */
export class FailStep extends TaggedError {
  readonly _tag = "FailStep"
  /** What fail() was given beside its message: the failing traverser and traversal, as text for people. */
  readonly details: string
  constructor(message: string, details: string) {
    super(message)
    this.details = details
  }
}

/** evaluationTimeout passed. */
export class EvaluationTimeout extends TaggedError {
  readonly _tag = "EvaluationTimeout"
}

/** The request was cancelled: by its client, by an operator, or because its connection is gone. */
export class EvaluationCancelled extends TaggedError {
  readonly _tag = "EvaluationCancelled"
}

/** The request needs more than its configured share: results, bytes held, sizes of single values. */
export class LimitExceeded extends TaggedError {
  readonly _tag = "LimitExceeded"
}

/** A closure or other code was sent; this server evaluates the Gremlin language only. */
export class LambdaNotSupported extends TaggedError {
  readonly _tag = "LambdaNotSupported"
}
