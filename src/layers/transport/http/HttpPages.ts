import type { IncomingMessage } from "node:http"
import type { ServerSettings } from "../../../services/Settings.ts"
import { isCalledByForeignName, originAllowed } from "../shared/Origins.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { ALLOWED_METHODS, type HttpExchange } from "./HttpExchange.ts"
import { reply, replyJson } from "./HttpReply.ts"

/** CORS: tells the browser that the page may read the answer; false when it may not, and has its answer. */
export const allowPage = (
  { headers, response }: HttpExchange,
  origin: string,
  { metrics, settings }: TransportContext
): boolean => {
  if (!originAllowed(origin, settings.allowedOrigins)) {
    metrics.refused("origin")
    replyJson(response, 403, headers, {
      message: `Pages of the origin ${origin} may not use this server: its allowedOrigins does not list it.`
    })
    return false
  }
  headers.push("access-control-allow-origin", origin, "vary", "Origin")
  return true
}

/** Whether a page that lets its own name point to this machine sends the request. */
export const isOfBorrowedName = (request: IncomingMessage, { allowedOrigins, host }: ServerSettings): boolean =>
  isLoopback(host) && isCalledByForeignName(request, allowedOrigins)

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

/** The answer to a page that has no Origin and comes from elsewhere all the same. */
export const refusePage = ({ headers, response }: HttpExchange, { metrics }: TransportContext): void => {
  metrics.refused("origin")
  replyJson(response, 403, headers, {
    message: "Pages of other sites may not send requests to this server: its allowedOrigins does not list them."
  })
}

/** What browsers ask before they send a page's request: `methods` are those of its path. */
export const preflight = ({ headers, request, response }: HttpExchange, methods = ALLOWED_METHODS): void => {
  headers.push("allow", methods)
  if (request.headers.origin !== undefined) {
    headers.push(
      "access-control-allow-methods",
      methods,
      "access-control-allow-headers",
      request.headers["access-control-request-headers"] ?? "content-type, accept, authorization",
      "access-control-max-age",
      "86400"
    )
  }
  reply(response, 204, headers, "")
}
