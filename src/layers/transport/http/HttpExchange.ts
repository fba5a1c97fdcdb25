import type { IncomingMessage, ServerResponse } from "node:http"
import { InternalError } from "../../../services/Errors.ts"
import { linger } from "../shared/Refusal.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { HttpConnection } from "./HttpConnection.ts"
import { type FlatHeaders, replyError, replyJson } from "./HttpReply.ts"

/** Methods of requests that are evaluated, or ask what may be. */
export const ALLOWED_METHODS = "GET, OPTIONS, POST"

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

/** Runs a part of the work on a request; when that throws, the server itself has failed: 500, and the log has the error. */
export const attempt = (exchange: HttpExchange, context: TransportContext, work: () => void): void => {
  try {
    work()
  } catch (error) {
    failExchange(exchange, context, error)
  }
}

/** An answer that has begun is cut. Headers that belong to another answer are left out. */
const failExchange = (exchange: HttpExchange, { failed, settings }: TransportContext, error: unknown): void => {
  const { request, response } = exchange
  failed(`${request.method} ${pathOf(request.url)} failed`, error)
  closeAfter(exchange)
  replyError(response, new InternalError(error), null, ["connection", "close"], settings.poolFullStatus)
}

/** The path of a request target as the log may have it: no query, which may hold a script. */
const pathOf = (url = ""): string => url.split("?", 1)[0]!.slice(0, 100)
