import type { Value } from "../Value.ts"

/** One response message of the server, decoded. */
export interface Answer {
  readonly requestId: string | undefined
  /** Status code of the Gremlin protocol: 200, 204, 206, 500 ... */
  readonly code: number
  readonly message: string
  readonly data: Value
}

/** An error response of the server, or an error of the driver before it sends the request. */
export class GremlinError extends Error {
  /** Status code, or 0 if the driver did not send the request. */
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
