import type { IncomingMessage, ServerResponse } from "node:http"
import { linger } from "../shared/Refusal.ts"
import type { HttpConnection } from "./HttpConnection.ts"
import { type FlatHeaders, replyJson } from "./HttpReply.ts"

/** Methods of requests that are evaluated, or ask what may be. */
export const ALLOWED_METHODS = "GET, HEAD, OPTIONS, POST"

/** One HTTP request, and the one answer that it gets. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Headers of the answer, as far as they are known. */
  readonly headers: FlatHeaders
  readonly connection: HttpConnection
}

/** The connection ends with the answer under way. */
export const closeAfter = ({ connection, headers }: HttpExchange): void => {
  connection.ended = true
  connection.closing = true
  if (!headers.includes("connection")) headers.push("connection", "close")
}

/**
 * Refuses a request whose body is not read. It is the last one of its connection, and what goes on coming is discarded for
 * a moment: an answer to a client that still sends would be lost with a reset.
 */
export const refuseUnread = (exchange: HttpExchange, status: number, message: string): void => {
  const { headers, request, response } = exchange
  closeAfter(exchange)
  replyJson(response, status, headers, { message })
  request.resume()
  linger(request.socket)
}
