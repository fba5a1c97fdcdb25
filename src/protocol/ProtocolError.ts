import { TaggedError } from "../structure/StoreErrors.ts"

/** A message or request body that does not follow its format; the text says what was wrong and where. */
export class ProtocolError extends TaggedError {
  readonly _tag = "ProtocolError"
  /** Id of the request in canonical text, when it could be found in what arrived: drivers need it in the answer. */
  requestId: string | null
  constructor(message: string, requestId: string | null = null) {
    super(message)
    this.requestId = requestId
  }
}

/** A message whose values would take more memory than a request may have. */
export class MessageTooLarge extends TaggedError {
  readonly _tag = "LimitExceeded"
  /** As that of a ProtocolError. */
  requestId: string | null = null
}

/** The id of the request whose message could not be read, as far as the error knows it. */
export const requestIdOfFailure = (error: unknown): string | null =>
  error instanceof ProtocolError || error instanceof MessageTooLarge ? error.requestId : null

/** A result that the asked-for format has no form for. */
export class SerializationError extends TaggedError {
  readonly _tag = "SerializationError"
}

/**
 * The error of reading something malformed as a ProtocolError of this request: failures of the value types have their
 * own classes, and a text that nests too deep for the stack is a RangeError.
 */
export const asProtocolError = (error: unknown, requestId: string | null): unknown => {
  if (error instanceof ProtocolError || error instanceof MessageTooLarge) {
    error.requestId ??= requestId
    return error
  }
  if (error instanceof TaggedError) return new ProtocolError(error.message, requestId)
  if (error instanceof RangeError) return new ProtocolError("The message nests too deep or is too large.", requestId)
  return error
}

/**
 * The error of writing a result as one that names the reason: a value that nests deeper than the stack, and a message
 * larger than a string or buffer can be, are RangeErrors. Others stay what they are.
 */
export const asSerializationError = (error: unknown): unknown =>
  error instanceof RangeError
    ? new SerializationError(`A result is too large or nests too deep to be sent: ${error.message}.`)
    : error
