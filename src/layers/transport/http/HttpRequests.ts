import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import type { User } from "../../../services/Authenticator.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { HttpBody } from "./HttpBody.ts"
import { httpChecks, refuseBy } from "./HttpChecks.ts"
import { HttpConnection } from "./HttpConnection.ts"
import { HttpEvaluations } from "./HttpEvaluations.ts"
import { ALLOWED_METHODS, attempt, closeAfter, type HttpContext, HttpExchange } from "./HttpExchange.ts"
import { awaitAuthentication, giveToken } from "./HttpIdentity.ts"
import { reply } from "./HttpReply.ts"
import { refuseManagement } from "./ManagementRequest.ts"

/** Bodies of management requests are forms and small JSON objects. */
const MAX_MANAGEMENT_BODY_BYTES = 65_536

/** Handles the HTTP requests of all connections. Each request gets exactly one answer. */
export class HttpRequests {
  readonly #context: HttpContext
  readonly #evaluations: HttpEvaluations

  /** `evaluates`: whether scripts are evaluated over HTTP. */
  constructor(context: TransportContext, { evaluates }: Pick<HttpContext, "evaluates">) {
    this.#context = { ...context, evaluates }
    this.#evaluations = new HttpEvaluations(context)
  }

  /** A new connection, or one whose upgrade asks for another protocol than WebSocket. */
  connected(socket: Socket): HttpConnection {
    const { connections, dispatcher, memory, reading, settings } = this.#context
    const connection = new HttpConnection(socket, settings, reading, memory)
    connection.isAwaited = dispatcher.stopping()
    connections.add(connection)
    socket.once("close", () => {
      connections.remove(connection)
      connection.closed()
      dispatcher.release(connection)
    })
    return connection
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#handle(request, response, false)
  }

  /** A request with an `Expect` other than `100-continue`. */
  readonly handleUnknownExpectation = (request: IncomingMessage, response: ServerResponse): void => {
    this.#handle(request, response, true)
  }

  #handle(request: IncomingMessage, response: ServerResponse, hasUnknownExpectation: boolean): void {
    const connection = this.#context.connections.get(request.socket)
    // What follows the last request is ignored, and so is the rest of a connection that was refused.
    if (!(connection instanceof HttpConnection) || !connection.takesRequests) return
    const isFirst = connection.requestBegins(request, response)
    if (isFirst && request.headers.upgrade === undefined) {
      this.#context.metrics.userAgent(request.headers["user-agent"] ?? "")
    }
    response.sendDate = false
    const exchange = new HttpExchange(request, response, connection, this.#context, hasUnknownExpectation)
    if (connection.mustWait()) connection.wait(() => this.#begin(exchange))
    else this.#begin(exchange)
  }

  #begin(exchange: HttpExchange): void {
    attempt(exchange, () => {
      exchange.connection.outflow.cork()
      const { connections, dispatcher } = this.#context
      if (connections.isRetiring || dispatcher.stopping()) closeAfter(exchange)
      this.#check(exchange, 0)
    })
  }

  /** Makes one check and those after it, then serves the request. */
  #check(exchange: HttpExchange, first: number): void {
    for (let at = first; at < httpChecks.length; at++) {
      const check = httpChecks[at]!
      if (!check.applies(exchange)) continue
      if ("identify" in check) {
        const user = check.identify(exchange)
        if (Effect.isEffect(user)) {
          awaitAuthentication(exchange, user, (found) => attempt(exchange, () => this.#identified(exchange, found, at)))
          return
        }
        exchange.user = user
        continue
      }
      const problem = check.problem(exchange)
      if (problem !== undefined) {
        refuseBy(check, exchange, problem)
        return
      }
    }
    this.#serve(exchange)
  }

  #identified(exchange: HttpExchange, user: User, at: number): void {
    exchange.user = user
    this.#check(exchange, at + 1)
  }

  /** Serves a reserved path. If the route reads a body, it waits for the body. */
  #manage(exchange: HttpExchange): void {
    const { management } = exchange
    if (management?.readsBody !== true) {
      management?.serve(exchange)
      return
    }
    new HttpBody(exchange, (body, arrival) => {
      arrival?.end()
      attempt(exchange, () => {
        if (Buffer.isBuffer(body) && body.length <= MAX_MANAGEMENT_BODY_BYTES) {
          exchange.body = body.toString()
          management.serve(exchange)
        } else {
          const message = `The body of a request to ${exchange.path} has at most ${MAX_MANAGEMENT_BODY_BYTES} bytes.`
          refuseManagement(exchange, 413, message)
        }
      })
    }).read()
  }

  #serve(exchange: HttpExchange): void {
    switch (exchange.kind) {
      case "preflight":
        preflight(exchange)
        return
      case "management":
        this.#manage(exchange)
        return
      case "token":
        giveToken(exchange)
        return
      default:
        this.#evaluations.evaluate(exchange, exchange.user!)
    }
  }
}

/** Answers what a browser asks before it sends a page's request: the methods of the path. */
const preflight = ({ headers, management, request, response }: HttpExchange): void => {
  const methods = management?.methods ?? ALLOWED_METHODS
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
