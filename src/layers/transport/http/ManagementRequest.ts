import type { IncomingMessage, ServerResponse } from "node:http"
import type { User } from "../../../services/Authenticator.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { type FlatHeaders, replyJson } from "./HttpReply.ts"

/** A request to a reserved path. */
export interface ManagementRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: FlatHeaders
  readonly path: string
  readonly query: string
  /** Null when a setting opens the path to everybody. */
  readonly user: User | null
  /** The body of a route that reads it; empty for all other requests. */
  readonly body: string
}

/** Serves a reserved path. */
export type Handler = (request: ManagementRequest, context: TransportContext) => void

/** What tools for Amazon Neptune expect as `code` for a status. */
const codes: Readonly<Record<number, string>> = {
  400: "BadRequestException",
  403: "AccessDeniedException",
  404: "InvalidParameterException",
  405: "MethodNotAllowedException",
  413: "RequestTooLargeException",
  500: "InternalFailureException",
  501: "UnsupportedOperationException",
  504: "TimeLimitExceededException"
}

/** Refuses a request. Tools for Amazon Neptune read `code` and `detailedMessage`. */
export const refuseManagement = (
  { headers, response }: Pick<ManagementRequest, "headers" | "response">,
  status: number,
  message: string
): void => {
  replyJson(response, status, headers, {
    message,
    code: codes[status] ?? "BadRequestException",
    detailedMessage: message
  })
}

/** The parameters of the query string and of the form in the body, which come in this order. */
export const formOf = ({ body, query }: Pick<ManagementRequest, "body" | "query">): URLSearchParams =>
  new URLSearchParams(query === "" || body === "" ? query + body : `${query}&${body}`)
