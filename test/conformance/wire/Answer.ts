import type { Value } from "../Value.ts"

/** One response message of the server, decoded. */
export interface Answer {
  readonly requestId: string | undefined
  /** status code of the Gremlin protocol: 200, 204, 206, 500 ... */
  readonly code: number
  readonly message: string
  readonly data: Value
}

/** A request that the server, or the driver before it, answered with an error. */
export class GremlinError extends Error {
  /** status code, or 0 when the driver refused to send the request */
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
