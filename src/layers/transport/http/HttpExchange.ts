import type { IncomingMessage, ServerResponse } from "node:http"
import { anonymous, type User } from "../../../services/Authenticator.ts"
import { InternalError } from "../../../services/Errors.ts"
import type { OperationName } from "../../../services/Metrics.ts"
import { linger } from "../shared/Refusal.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { type Report, reports } from "./EvaluationReports.ts"
import type { HttpConnection } from "./HttpConnection.ts"
import { type FlatHeaders, replyError, replyJson } from "./HttpReply.ts"
import { consoleRoute, type ManagementRoute, managementRoute } from "./ManagementRoutes.ts"
import { readTarget } from "./RequestTarget.ts"

/** Methods of the paths where scripts are evaluated. */
export const ALLOWED_METHODS = "GET, OPTIONS, POST"

/** The context of a server for HTTP requests. */
export interface HttpContext extends TransportContext {
  /** Whether scripts are evaluated. False for a channelizer that speaks WebSocket only. */
  readonly evaluates: boolean
}

/**
 * What a request asks for: `preflight` is the OPTIONS of a browser, `management` a reserved path, `token` the session token
 * of `GET /session`, and `evaluation` a script.
 */
type HttpKind = "preflight" | "management" | "token" | "evaluation"

/** One HTTP request and its one answer. */
export class HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: HttpConnection
  readonly context: HttpContext
  /** Headers of the answer, as far as they are known. */
  readonly headers: FlatHeaders = []
  /** Node.js does not know the `Expect` of the request. */
  readonly hasUnknownExpectation: boolean
  /** Null until the user is known, and on paths that a setting opens to everybody. */
  user: User | null
  /** Path, query and route of the request. Read {@link kind} first. */
  path = ""
  query = ""
  management: ManagementRoute | undefined = undefined
  /** What the path asks for instead of results; null for results. */
  report: Report | null = null
  /** The body of a management request that reads it; empty before. */
  body = ""
  #kind: HttpKind | null = null

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: HttpConnection,
    context: HttpContext,
    hasUnknownExpectation: boolean
  ) {
    this.request = request
    this.response = response
    this.connection = connection
    this.context = context
    this.hasUnknownExpectation = hasUnknownExpectation
    this.user = context.authenticator.required ? null : anonymous
  }

  /** The first call parses the request target. The caller has checked the length of the target. */
  get kind(): HttpKind {
    this.#kind ??= this.#locate()
    return this.#kind
  }

  /** Who shares limits with all its connections: a user, or an address where there are no users. */
  get client(): string {
    return this.user === null || this.user === anonymous
      ? `address ${this.connection.remoteAddress}`
      : `user ${this.user.name}`
  }

  #locate(): HttpKind {
    const { authenticator } = this.context
    const { method, url = "/" } = this.request
    const { path, query } = readTarget(url)
    this.path = path
    this.query = query
    this.management = consoleRoute(this.request, path, query, this.context)
    if (path.length > 1 && this.management === undefined) {
      this.report = reports.get(path) ?? null
      this.management = this.report === null ? managementRoute({ method, path, query }, this.context) : undefined
    }
    if (method === "OPTIONS" && this.management?.methods !== "") return "preflight"
    if (this.management !== undefined) return "management"
    const isSession = method === "GET" && path === "/session" && query === ""
    return isSession && authenticator.required && authenticator.token !== undefined ? "token" : "evaluation"
  }
}

/** The connection ends with the answer of this exchange. */
export const closeAfter = ({ connection, headers }: HttpExchange): void => {
  connection.closesAfterAnswer()
  if (!headers.includes("connection")) headers.push("connection", "close")
}

/** Counts the answer of a request that ends before it has an operation. */
export const countRefusal = ({ context }: HttpExchange, status: number, op: OperationName = "other"): void =>
  context.metrics.answered("http", op, status, 0)

/**
 * Refuses a request whose body is not read. Its answer is the last one of the connection, and the rest of the body is
 * discarded for a moment: a reset would lose the answer for a client that still sends.
 */
export const refuseUnread = (exchange: HttpExchange, status: number, message: string): void => {
  const { headers, request, response } = exchange
  closeAfter(exchange)
  replyJson(response, status, headers, { message })
  countRefusal(exchange, status)
  request.resume()
  linger(request.socket)
}

/** Runs a part of the work on a request. When it throws, the answer is 500, and the error is in the log. */
export const attempt = (exchange: HttpExchange, work: () => void): void => {
  try {
    work()
  } catch (error) {
    failExchange(exchange, error)
  }
}

/** An answer that has begun is cut. The headers so far are dropped: they may belong to another answer. */
const failExchange = (exchange: HttpExchange, error: unknown): void => {
  const { context, request, response } = exchange
  context.failed(`${request.method} ${loggedPath(request.url)} failed`, error)
  closeAfter(exchange)
  const { poolFullStatus } = context.settings
  countRefusal(exchange, replyError(response, new InternalError(error), null, ["connection", "close"], poolFullStatus))
}

/** Characters of a path in the log. */
const MAX_LOGGED_PATH_CHARS = 100

/** The path of a request target for the log, without the query, which may contain a script. */
const loggedPath = (url = ""): string => url.split("?", 1)[0]!.slice(0, MAX_LOGGED_PATH_CHARS)
