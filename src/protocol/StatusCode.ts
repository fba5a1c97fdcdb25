/** The status codes of the Gremlin protocol that the server sends, by TinkerPop's names (ResponseStatusCode). */
export const StatusCode = {
  /** The request succeeded; the response has the last results. */
  SUCCESS: 200,
  /** The request succeeded without results. */
  NO_CONTENT: 204,
  /** The response has results, and another response follows. */
  PARTIAL_CONTENT: 206,
  UNAUTHORIZED: 401,
  /** The client must authenticate (SASL challenge). Another response follows. */
  AUTHENTICATE: 407,
  TOO_MANY_REQUESTS: 429,
  REQUEST_ERROR_MALFORMED_REQUEST: 498,
  REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS: 499,
  SERVER_ERROR: 500,
  /** The traversal reached a fail() step. */
  SERVER_ERROR_FAIL_STEP: 595,
  /** The request may succeed when the client repeats it. */
  SERVER_ERROR_TEMPORARY: 596,
  SERVER_ERROR_EVALUATION: 597,
  SERVER_ERROR_TIMEOUT: 598,
  SERVER_ERROR_SERIALIZATION: 599
} as const

/** A status code. */
export type StatusCode = (typeof StatusCode)[keyof typeof StatusCode]
