import { TaggedError } from "../structure/errors/TaggedError.ts"

/** The error of a message or request body that does not follow its format. The text names the problem and its place. */
export class ProtocolError extends TaggedError {
  readonly _tag = "ProtocolError"
  /** The id of the request, when the message has a readable one. Drivers need it in the answer. */
  requestId: string | null
  constructor(message: string, requestId: string | null = null) {
    super(message)
    this.requestId = requestId
  }
}

/** The error of a message in a driver's format that the server does not read, such as Gryo. */
export class UnservedFormat extends ProtocolError {
  /** Whether servers of another version read the format, so that the client has no other: Gryo, and the formats of TinkerPop 4. */
  readonly ofOtherServers: boolean
  /** @param mime the MIME type that the message names */
  constructor(mime: string) {
    super(
      `Messages in the format ${mime} are not read here. Set the serializer of the client to GraphBinary 1.0 ` +
        "(GraphBinaryMessageSerializerV1) or to GraphSON 1, 2 or 3 (GraphSONMessageSerializerV3)."
    )
    this.ofOtherServers = /gryo|-v4\./.test(mime)
  }
}

/** The error of a message whose values would take more memory than a request may have. */
export class MessageTooLarge extends TaggedError {
  readonly _tag = "LimitExceeded"
  /** See {@link ProtocolError.requestId}. */
  requestId: string | null = null
}

/** The id of the request whose message could not be read; null when the error does not have it. */
export const requestIdOfFailure = (error: unknown): string | null =>
  error instanceof ProtocolError || error instanceof MessageTooLarge ? error.requestId : null

/** The error of a result that the requested format cannot represent. */
export class SerializationError extends TaggedError {
  readonly _tag = "SerializationError"
}

/**
 * The ProtocolError for an error of reading a message. Value types have error classes of their own, and a text that nests too
 * deep for the stack causes a RangeError. All other errors are returned unchanged.
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
 * The SerializationError for a RangeError of writing a result: the value nests too deep for the stack, or the message is larger
 * than a string or buffer can be. All other errors are returned unchanged.
 */
export const asSerializationError = (error: unknown): unknown =>
  error instanceof RangeError
    ? new SerializationError(`A result is too large or nests too deep to be sent: ${error.message}.`)
    : error
