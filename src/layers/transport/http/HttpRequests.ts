import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { anonymous, type User } from "../../../services/Authenticator.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { HttpConnection } from "./HttpConnection.ts"
import { HttpEvaluations } from "./HttpEvaluations.ts"
import { attempt, closeAfter, type HttpExchange, refuseUnread } from "./HttpExchange.ts"
import { giveToken, identify } from "./HttpIdentity.ts"
import { allowPage, isOfBorrowedName, preflight, refusePage } from "./HttpPages.ts"
import { replyJson } from "./HttpReply.ts"
import { managementRoute } from "./ManagementRoutes.ts"
import { type RequestTarget, readTarget } from "./RequestTarget.ts"

/** Which requests are evaluated: none where the channelizer speaks WebSocket only. */
interface HttpOptions {
  readonly evaluates: boolean
}

/** Handles the HTTP requests of all connections. Each gets exactly one answer. */
export class HttpRequests {
  readonly #context: TransportContext
  readonly #evaluations: HttpEvaluations | null

  constructor(context: TransportContext, options: HttpOptions) {
    this.#context = context
    this.#evaluations = options.evaluates ? new HttpEvaluations(context) : null
  }

  /** A new connection, or one that was handed back after an upgrade that is not for us. */
  connected(socket: Socket): HttpConnection {
    const { connections, dispatcher, reading, settings } = this.#context
    const connection = new HttpConnection(socket, settings.writeBufferHighWaterMark, settings, reading)
    connections.add(connection)
    socket.once("close", () => {
      connections.remove(connection)
      connection.forget()
      dispatcher.release(connection)
    })
    return connection
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = this.#begin(request, response)
    if (exchange === undefined) return
    if (exchange.connection.mustWait()) exchange.connection.wait(() => this.#serve(exchange))
    else this.#serve(exchange)
  }

  #serve(exchange: HttpExchange): void {
    attempt(exchange, this.#context, () => this.#answer(exchange))
  }

  #answer(exchange: HttpExchange): void {
    const { connection, headers, request, response } = exchange
    connection.outflow.cork()
    const repeated = twice(request.rawHeaders)
    if (repeated !== undefined) {
      closeAfter(exchange)
      replyJson(response, 400, headers, { message: `The request has more than one ${repeated} header.` })
      return
    }
    if (request.httpVersionMinor === 0 && request.headers["transfer-encoding"] !== undefined) {
      // Whoever stands before this server may have taken the body for another request.
      refuseUnread(exchange, 400, "A request of HTTP/1.0 has no Transfer-Encoding: give its body a Content-Length.")
      return
    }
    const origin = request.headers.origin
    if (origin !== undefined && !allowPage(exchange, origin, this.#context)) return
    if (this.#context.dispatcher.stopping()) closeAfter(exchange)
    const url = request.url ?? "/"
    if (url.length > this.#context.settings.maxInitialLineLength) {
      closeAfter(exchange)
      replyJson(response, 414, headers, {
        message:
          `The request line is longer than ${this.#context.settings.maxInitialLineLength} bytes, the server's ` +
          "maxInitialLineLength. Send the script by POST."
      })
      return
    }
    this.#route(exchange, readTarget(url))
  }

  /** Undefined for what follows the last request of a connection, and for one that was refused and goes on sending. */
  #begin(request: IncomingMessage, response: ServerResponse): HttpExchange | undefined {
    const connection = this.#context.connections.get(request.socket)
    if (!(connection instanceof HttpConnection) || connection.ended) return undefined
    connection.ended = !response.shouldKeepAlive
    if (connection.requestBegins() && request.headers.upgrade === undefined) {
      this.#context.metrics.userAgent(request.headers["user-agent"] ?? "")
    }
    if (hasBody(request)) connection.unread = request
    response.on("close", connection.responseEnds)
    response.sendDate = false
    return { request, response, headers: [], connection }
  }

  #route(exchange: HttpExchange, { path, query }: RequestTarget): void {
    const { headers, request, response } = exchange
    const { authenticator, settings } = this.#context
    const management = path.length > 1 ? managementRoute(path, request.method, this.#context) : undefined
    if (request.method === "OPTIONS" && management?.methods !== "") {
      preflight(exchange, management?.methods)
      return
    }
    // A browser has no password for a foreign name.
    const asksForPassword = authenticator.required && management?.open !== true
    if (!asksForPassword && management?.harmless !== true && isOfBorrowedName(request, settings)) {
      refusePage(exchange, this.#context)
      return
    }
    if (management !== undefined) {
      const serve = (user: User | null): void =>
        attempt(exchange, this.#context, () => management.serve({ request, response, headers, path, query, user }))
      if (!authenticator.required) serve(anonymous)
      else if (management.open) serve(null)
      else identify(exchange, this.#context, serve)
      return
    }
    const evaluations = this.#evaluations
    if (evaluations === null) {
      replyJson(response, 400, headers, {
        message:
          "This server takes requests by WebSocket only. Connect a driver to ws://host:port/gremlin, or set the " +
          "channelizer to WsAndHttpChannelizer for both."
      })
      return
    }
    if (!authenticator.required) evaluations.evaluate(exchange, query, anonymous)
    else {
      const asksForToken = request.method === "GET" && path === "/session" && query === ""
      if (asksForToken && giveToken(exchange, this.#context)) return
      identify(exchange, this.#context, (user) =>
        attempt(exchange, this.#context, () => evaluations.evaluate(exchange, query, user))
      )
    }
  }

  /** Any `Expect` but 100-continue, which is answered when the body is read: whoever sends it is known then. */
  readonly checkExpectation = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = this.#begin(request, response)
    if (exchange === undefined) return
    const refuse = (): void => refuseUnread(exchange, 417, "The only Expect that is understood is 100-continue.")
    if (exchange.connection.mustWait()) exchange.connection.wait(refuse)
    else refuse()
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

/** A header that must not come twice, and does: whoever stands before this server may have read the other one. */
const twice = (rawHeaders: ReadonlyArray<string>): string | undefined => {
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
  }
  if (hosts > 1) return "Host"
  return authorizations > 1 ? "Authorization" : undefined
}
