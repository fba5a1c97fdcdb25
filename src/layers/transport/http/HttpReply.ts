import type { ServerResponse } from "node:http"
import {
  type FailureReport,
  failureReport,
  type ServerError,
  statuses,
  TooManyRequests
} from "../../../services/Errors.ts"
import { exceptionName } from "../../../services/ExceptionName.ts"

import { bodyOutput, MIN_COMPRESSED_BYTES } from "./Compression.ts"

/** Header names and values in turn. writeHead() takes them without an object. */
export type FlatHeaders = Array<string | number>

/** Sends a whole answer. */
export const reply = (
  response: ServerResponse,
  status: number,
  headers: FlatHeaders,
  body: string | Uint8Array
): void => {
  // A request has one answer. If an error occurs after its first bytes were sent, the answer is cut.
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  if (body.length > MIN_COMPRESSED_BYTES) {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length
    bodyOutput(response, status, headers, length).stream.end(body)
    return
  }
  // RFC 9110, section 8.6: a 204 has no Content-Length.
  if (status !== 204) headers.push("content-length", typeof body === "string" ? Buffer.byteLength(body) : body.length)
  response.writeHead(status, headers as Array<string>)
  response.end(body)
}

/** Sends a whole answer in JSON. */
export const replyJson = (response: ServerResponse, status: number, headers: FlatHeaders, body: unknown): void => {
  headers.push("content-type", "application/json")
  reply(response, status, headers, JSON.stringify(body))
}

/** `Retry-After` of refusals: seconds. */
export const RETRY_AFTER_SECONDS = "1"

/** The HTTP status of an error; that of a full pool is a setting. */
export const httpStatus = (error: ServerError, poolFullStatus: number): number =>
  error instanceof TooManyRequests ? poolFullStatus : statuses[error._tag].http

/**
 * The error body of Gremlin Server. `message` is for people; `Exception-Class` and `exceptions` name the kind of error. `stackTrace` is
 * its text without places in the server, as over a WebSocket. `commitOutcome` is present when changes are committed or may be.
 */
const errorBody = ({ commitOutcome, error, message }: FailureReport, requestId: string | null): unknown => {
  const name = exceptionName(error)
  return {
    message,
    "Exception-Class": name,
    exceptions: [name],
    stackTrace: `${name}: ${message}`,
    ...(commitOutcome === undefined ? {} : { commitOutcome }),
    ...(requestId === null ? {} : { requestId })
  }
}

/** Answers with an error, in JSON for every client. Returns the status. */
export const replyError = (
  response: ServerResponse,
  error: unknown,
  requestId: string | null,
  headers: FlatHeaders,
  poolFullStatus: number
): number => replyFailure(response, failureReport(error, []), requestId, headers, poolFullStatus)

/** Answers with an error, and with the outcome of the request's changes. Returns the status. */
export const replyFailure = (
  response: ServerResponse,
  report: FailureReport,
  requestId: string | null,
  headers: FlatHeaders,
  poolFullStatus: number
): number => {
  const status = httpStatus(report.error, poolFullStatus)
  if (status === 429 || status === 503) headers.push("retry-after", RETRY_AFTER_SECONDS)
  if (status === 401) headers.push("www-authenticate", 'Basic realm="engine-server", charset="UTF-8"')
  replyJson(response, status, headers, errorBody(report, requestId))
  return status
}

/** A quoted string of RFC 9110, section 5.6.4. Characters other than ASCII become question marks. */
export const quoted = (text: string): string => JSON.stringify(text.replace(/[^ -~]/g, "?"))
