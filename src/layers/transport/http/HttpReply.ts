import type { ServerResponse } from "node:http"
import {
  type FailureReport,
  failureReport,
  type ServerError,
  statuses,
  TooManyRequests
} from "../../../services/Errors.ts"

/** Header names and values in turn, as writeHead takes them without making an object. */
export type FlatHeaders = Array<string | number>

/** One whole answer. */
export const reply = (
  response: ServerResponse,
  status: number,
  headers: FlatHeaders,
  body: string | Uint8Array
): void => {
  // A request has one answer: what goes wrong after it has begun can only cut it.
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  // 204 has no body, and by RFC 9110 no length of it either.
  if (status !== 204) headers.push("content-length", typeof body === "string" ? Buffer.byteLength(body) : body.length)
  response.writeHead(status, headers as Array<string>)
  response.end(body)
}

export const replyJson = (response: ServerResponse, status: number, headers: FlatHeaders, body: unknown): void => {
  headers.push("content-type", "application/json")
  reply(response, status, headers, JSON.stringify(body))
}

/** Seconds after which a refused client may try again. */
export const RETRY_AFTER = "1"

/** The HTTP status of an error; that of a full pool is a setting. */
const httpStatus = (error: ServerError, poolFullStatus: number): number =>
  error instanceof TooManyRequests ? poolFullStatus : statuses[error._tag].http

/**
 * The error body of Gremlin Server. `message` is for people, `Exception-Class` and `exceptions` name the kind of error,
 * `commitOutcome` is there where something is committed or may be.
 */
const errorBody = ({ commitOutcome, error, message }: FailureReport, requestId: string | null): unknown => ({
  message,
  "Exception-Class": error._tag,
  exceptions: [error._tag],
  ...(commitOutcome === undefined ? {} : { commitOutcome }),
  ...(requestId === null ? {} : { requestId })
})

/** Answers with an error; whatever the client accepts, errors are JSON. Returns the status. */
export const replyError = (
  response: ServerResponse,
  error: unknown,
  requestId: string | null,
  headers: FlatHeaders,
  poolFullStatus: number
): number => replyFailure(response, failureReport(error, []), requestId, headers, poolFullStatus)

/** The same with what became of the request's changes. */
export const replyFailure = (
  response: ServerResponse,
  report: FailureReport,
  requestId: string | null,
  headers: FlatHeaders,
  poolFullStatus: number
): number => {
  const status = httpStatus(report.error, poolFullStatus)
  if (status === 429 || status === 503) headers.push("retry-after", RETRY_AFTER)
  if (status === 401) headers.push("www-authenticate", 'Basic realm="engine-server", charset="UTF-8"')
  replyJson(response, status, headers, errorBody(report, requestId))
  return status
}
