/** Status codes of the Gremlin protocol, by TinkerPop's names (ResponseStatusCode). */
export const StatusCode = {
  /** The request is done; carries the last results. */
  SUCCESS: 200,
  /** The request is done and gave nothing. */
  NO_CONTENT: 204,
  /** Results, and more will follow. */
  PARTIAL_CONTENT: 206,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  /** The client must authenticate first (SASL challenge); not the last answer. */
  AUTHENTICATE: 407,
  TOO_MANY_REQUESTS: 429,
  REQUEST_ERROR_SERIALIZATION: 497,
  REQUEST_ERROR_MALFORMED_REQUEST: 498,
  REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS: 499,
  SERVER_ERROR: 500,
  /** The traversal ran into its own fail() step. */
  SERVER_ERROR_FAIL_STEP: 595,
  /** The same request may succeed when it is sent again. */
  SERVER_ERROR_TEMPORARY: 596,
  SERVER_ERROR_EVALUATION: 597,
  SERVER_ERROR_TIMEOUT: 598,
  SERVER_ERROR_SERIALIZATION: 599
} as const

export type StatusCode = (typeof StatusCode)[keyof typeof StatusCode]
