import { TaggedError } from "../../structure/errors/TaggedError.ts"

/**
 * Errors of the language and the traversal machine. services/Errors.ts maps each tag to a status for clients, who see the
 * message.
 */

/** The traversal failed while it ran, for example because of a wrong type or a failed cast. */
export class TraversalError extends TaggedError {
  readonly _tag = "TraversalError"
}

/** The traversal cannot run: it has an unknown step, a wrong argument, or a modulator in the wrong place. */
export class TraversalInvalid extends TaggedError {
  readonly _tag = "TraversalInvalid"
}

/** A strategy of the request, such as ReadOnlyStrategy, forbids what the traversal does. */
export class VerificationFailed extends TaggedError {
  readonly _tag = "VerificationFailed"
}

/** A traverser reached fail(). */
export class FailStepReached extends TaggedError {
  readonly _tag = "FailStep"
  /** The failing traverser and traversal as text. */
  readonly details: string
  constructor(message: string, details: string) {
    super(message)
    this.details = details
  }
}

/** The request ran longer than evaluationTimeout. */
export class EvaluationTimeout extends TaggedError {
  readonly _tag = "EvaluationTimeout"
}

/** The request was cancelled by its client or an operator. */
export class EvaluationCancelled extends TaggedError {
  readonly _tag = "EvaluationCancelled"
}

/** The client has closed the connection before its answer was complete. Only metrics and logs have the status, as that of web servers. */
export class ConnectionClosed extends TaggedError {
  readonly _tag = "ConnectionClosed"
  constructor() {
    super("The connection of the client was closed.")
  }
}

/** The request exceeds a limit, for example of held bytes or of the size of a value. */
export class LimitExceeded extends TaggedError {
  readonly _tag = "LimitExceeded"
}

/** A closure cannot run: closures are off, or it is of another request, or its lambda is too long or in a language other than Groovy. */
export class LambdaNotSupported extends TaggedError {
  readonly _tag = "LambdaNotSupported"
}
