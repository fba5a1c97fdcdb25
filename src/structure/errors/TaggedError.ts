/**
 * Base of the errors that a client may get from a request; `_tag` names the kind. They are thrown in plain code and are values of Effect.
 * The length of their message is limited. Failures of the start and of commands extend `Data.TaggedError` of Effect, which makes errors of
 * fields. An error without a tag never reaches a client: it would be reported as a defect of the server.
 */
export abstract class TaggedError extends Error {
  abstract readonly _tag: string
  constructor(message?: string, options?: ErrorOptions) {
    super(message === undefined || message.length <= MAX_MESSAGE_CHARS ? message : beginning(message), options)
  }
}

/** Maximum length of a message. Messages quote texts of clients, are sent in headers and frames, and are logged. */
const MAX_MESSAGE_CHARS = 8_192

/** The beginning of a text of any length that a client sent. */
export const beginning = (text: string, length = MAX_MESSAGE_CHARS): string =>
  text.length <= length ? text : `${text.slice(0, length)}...`
