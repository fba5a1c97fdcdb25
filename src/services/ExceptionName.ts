import type { ServerError } from "./Errors.ts"

/**
 * What clients are told of the kind of an error, such as Java's `getRemoteExceptionHierarchy()`: the class of an exception of a script, as
 * in Gremlin Server, and the tag of another error.
 */
export const exceptionName = (error: ServerError): string =>
  ("exceptionClass" in error ? error.exceptionClass : undefined) ?? error._tag
