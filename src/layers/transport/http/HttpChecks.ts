import type * as Effect from "effect/Effect"
import type { AuthenticationFailure, User } from "../../../services/Authenticator.ts"
import { longHeaders, longRequestLine } from "../shared/HeadLimits.ts"
import { comesFromElsewhere, isCalledByForeignName, isLoopback, isOwnPage, originAllowed } from "../shared/Origins.ts"
import { servesConsole } from "./ConsoleRoutes.ts"
import { ALLOWED_METHODS, closeAfter, countRefusal, type HttpExchange, refuseUnread } from "./HttpExchange.ts"
import { credentialsOf } from "./HttpIdentity.ts"
import { replyJson } from "./HttpReply.ts"

/** A check that refuses a request with its status. */
interface RefusingCheck {
  readonly name: string
  readonly status: number
  /** Whether the check is made of a request. */
  readonly applies: (exchange: HttpExchange) => boolean
  /** Why the request is refused; undefined when it passes. It may add headers to the answer. */
  readonly problem: (exchange: HttpExchange) => string | undefined
  /**
   * What becomes of the connection after a refusal: it serves the next request, or closes with the answer, or closes and
   * discards the body, which is still arriving.
   */
  readonly afterwards: "serves on" | "closes" | "discards"
}

/** The check that finds the user. A failure is answered with 401, or with 429 and 503 for too many attempts. */
interface IdentifyingCheck extends Pick<RefusingCheck, "name" | "status" | "applies"> {
  readonly identify: (exchange: HttpExchange) => User | Effect.Effect<User, AuthenticationFailure>
}

const every = (): boolean => true
const called = ({ kind }: HttpExchange): boolean => kind !== "preflight"
const evaluated = ({ kind }: HttpExchange): boolean => kind === "evaluation"
const answeredByHttp = ({ kind }: HttpExchange): boolean => kind === "evaluation" || kind === "token"
const posted = ({ kind, management, request }: HttpExchange): boolean =>
  kind === "evaluation" ? request.method === "POST" : kind === "management" && management?.readsBody === true
const acting = ({ kind, management }: HttpExchange): boolean =>
  kind === "evaluation" || (kind === "management" && management?.acts === true)
const closedToStrangers = ({ context, kind, management }: HttpExchange): boolean =>
  context.authenticator.required && (kind === "evaluation" || (kind === "management" && management?.open !== true))

/**
 * All checks of an HTTP request, in their order; the first that fails answers. node:http has parsed the header before
 * (`Listener.ts` has its statuses 408, 431 and 505). While a body arrives, `HttpBody.ts` counts it (413, 503).
 */
export const httpChecks: ReadonlyArray<RefusingCheck | IdentifyingCheck> = [
  { name: "expectation", status: 417, applies: every, problem: unknownExpectation, afterwards: "discards" },
  { name: "single headers", status: 400, applies: every, problem: repeatedHeader, afterwards: "closes" },
  { name: "framing", status: 400, applies: every, problem: ambiguousFraming, afterwards: "discards" },
  { name: "origin", status: 403, applies: every, problem: foreignOrigin, afterwards: "serves on" },
  { name: "request line", status: 414, applies: every, problem: lineLength, afterwards: "closes" },
  { name: "header lines", status: 431, applies: every, problem: headerSize, afterwards: "closes" },
  { name: "host name", status: 403, applies: called, problem: foreignHostName, afterwards: "serves on" },
  { name: "channelizer", status: 400, applies: answeredByHttp, problem: webSocketOnly, afterwards: "serves on" },
  { name: "credentials", status: 401, applies: closedToStrangers, identify },
  { name: "site", status: 403, applies: acting, problem: foreignSite, afterwards: "serves on" },
  { name: "method", status: 405, applies: evaluated, problem: unknownMethod, afterwards: "serves on" },
  { name: "content coding", status: 415, applies: posted, problem: codedContent, afterwards: "discards" },
  { name: "transfer coding", status: 501, applies: posted, problem: codedTransfer, afterwards: "discards" },
  { name: "content length", status: 413, applies: posted, problem: longContent, afterwards: "discards" }
]

/** Answers a request that a check refuses. */
export const refuseBy = ({ afterwards, status }: RefusingCheck, exchange: HttpExchange, message: string): void => {
  if (afterwards === "discards") {
    refuseUnread(exchange, status, message)
    return
  }
  if (afterwards === "closes") closeAfter(exchange)
  replyJson(exchange.response, status, exchange.headers, { message })
  countRefusal(exchange, status)
}

/** `100-continue` is answered when the body is read, because the user is known by then. */
function unknownExpectation({ hasUnknownExpectation }: HttpExchange): string | undefined {
  return hasUnknownExpectation ? "The only accepted value of Expect is 100-continue." : undefined
}

/** A proxy in front of this server may have read the other of two headers. */
function repeatedHeader({ request: { rawHeaders } }: HttpExchange): string | undefined {
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
  }
  if (hosts <= 1 && authorizations <= 1) return undefined
  return `The request has more than one ${hosts > 1 ? "Host" : "Authorization"} header: send it once.`
}

/** A proxy in front of this server may have taken the body for another request. */
function ambiguousFraming({ request }: HttpExchange): string | undefined {
  if (request.httpVersionMinor !== 0 || request.headers["transfer-encoding"] === undefined) return undefined
  return "A request of HTTP/1.0 cannot have a Transfer-Encoding: send a Content-Length instead."
}

/** CORS. For an allowed origin the answer tells the browser that the page may read it. */
function foreignOrigin({ context, headers, request }: HttpExchange): string | undefined {
  const { origin } = request.headers
  if (origin === undefined) return undefined
  if (originAllowed(origin, context.settings.allowedOrigins)) {
    headers.push("access-control-allow-origin", origin, "vary", "Origin")
    return undefined
  }
  if (servesConsole(context) && isOwnPage(request, context.authenticator.required)) return undefined
  context.metrics.refused("origin")
  return `Pages of the origin ${origin} may not use this server: its allowedOrigins does not list it.`
}

function lineLength({ context, request }: HttpExchange): string | undefined {
  return longRequestLine(request, context.settings)
}

function headerSize({ context, request }: HttpExchange): string | undefined {
  return longHeaders(request, context.settings)
}

/** DNS rebinding. A browser has no password for a foreign name, so requests that need one are safe. */
function foreignHostName({ context, kind, management, request }: HttpExchange): string | undefined {
  const { authenticator, settings } = context
  const asksForPassword = authenticator.required && !(kind === "management" && management?.open === true)
  if (asksForPassword || management?.harmless === true) return undefined
  if (!isCalledByForeignName(request, settings.allowedOrigins, isLoopback(settings.host))) return undefined
  context.metrics.refused("origin")
  return (
    "Browsers may not use this server by this host name, because its owner can point the name to any server. Use the " +
    "server's address, list the origin (http://name:port) in allowedOrigins, or turn on authentication."
  )
}

function webSocketOnly({ context }: HttpExchange): string | undefined {
  if (context.evaluates) return undefined
  return (
    "This server takes requests by WebSocket only. Connect a driver to ws://host:port/gremlin, or set the channelizer " +
    "to WsAndHttpChannelizer for both."
  )
}

function identify({ context, request }: HttpExchange) {
  return context.authenticator.http(credentialsOf(request))
}

/** A page of another site that sends no Origin, such as an image or a link. */
function foreignSite({ context, request }: HttpExchange): string | undefined {
  return comesFromElsewhere(request, context.settings.allowedOrigins) ? refusedPage(context) : undefined
}

const refusedPage = ({ metrics }: HttpExchange["context"]): string => {
  metrics.refused("origin")
  return "Pages of other sites may not send requests to this server: its allowedOrigins does not list them."
}

function unknownMethod({ headers, request: { method } }: HttpExchange): string | undefined {
  if (method === "POST" || method === "GET") return undefined
  headers.push("allow", ALLOWED_METHODS)
  return `${method} is not allowed: send the script by POST, or by GET in the query string.`
}

function codedContent({ headers, request }: HttpExchange): string | undefined {
  const coding = request.headers["content-encoding"]
  if (coding === undefined || coding === "" || coding.toLowerCase() === "identity") return undefined
  headers.push("accept-encoding", "identity")
  return `A body with Content-Encoding ${coding} is not accepted: send it without a coding.`
}

function codedTransfer({ headers, request }: HttpExchange): string | undefined {
  const coding = request.headers["transfer-encoding"]
  if (coding === undefined || coding.toLowerCase() === "chunked") return undefined
  headers.push("accept-encoding", "identity")
  return `A body with Transfer-Encoding ${coding} is not accepted: use chunked or a Content-Length.`
}

function longContent({ context, request }: HttpExchange): string | undefined {
  const declared = request.headers["content-length"]
  const { maxContentLength } = context.settings
  return declared !== undefined && Number(declared) > maxContentLength ? tooLarge(maxContentLength) : undefined
}

/** Why a body of more than `limit` bytes is refused. */
export const tooLarge = (limit: number): string =>
  `The request body is larger than ${limit} bytes, the server's maxContentLength. Send less at once, or raise the setting.`
