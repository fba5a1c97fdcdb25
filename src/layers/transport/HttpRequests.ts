import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { RequestMessage } from "../../protocol/Messages.ts"
import { MIME_JSON } from "../../protocol/Mime.ts"
import { requestIdOfFailure } from "../../protocol/ProtocolError.ts"
import { type AuthenticationFailure, anonymous, type HttpCredentials, type User } from "../../services/Authenticator.ts"
import { Unauthorized } from "../../services/Errors.ts"
import { AnswerFiles } from "./AnswerFile.ts"
import { type Arrival, arrived } from "./ArrivingBytes.ts"
import type { AcceptedFormat } from "./Formats.ts"
import { HttpConnection } from "./HttpConnection.ts"
import { type FlatHeaders, RETRY_AFTER, reply, replyError, replyJson } from "./HttpReply.ts"
import { type HttpAnswerLimits, HttpSink } from "./HttpSink.ts"
import { LONG_MESSAGE, readLongMessage } from "./LongMessages.ts"
import { managementRoute } from "./ManagementRoutes.ts"
import { comesFromElsewhere, isCalledByForeignName, originAllowed } from "./Origins.ts"
import { linger } from "./Refusal.ts"
import type { TransportContext } from "./TransportContext.ts"

/** Which requests are evaluated: none where the channelizer speaks WebSocket only. */
export interface HttpOptions {
  readonly evaluates: boolean
}

/** Handles the HTTP requests of all connections. Each gets exactly one answer. */
export class HttpRequests {
  readonly #context: TransportContext
  readonly #evaluates: boolean
  readonly #limits: HttpAnswerLimits

  constructor(context: TransportContext, options: HttpOptions) {
    this.#context = context
    this.#evaluates = options.evaluates
    const { answerFileLimit, maxResults, poolFullStatus } = context.settings
    this.#limits = { maxResults, poolFullStatus, files: new AnswerFiles(answerFileLimit) }
  }

  /** A new connection, or one that was handed back after an upgrade that is not for us. */
  connected(socket: Socket): HttpConnection {
    const { connections, dispatcher, settings } = this.#context
    const connection = new HttpConnection(socket, settings.writeBufferHighWaterMark, settings)
    connections.add(connection)
    socket.once("close", () => {
      connections.remove(connection)
      dispatcher.release(connection)
    })
    return connection
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = this.#begin(request, response)
    if (connection === undefined) return
    const headers: FlatHeaders = []
    const repeated = twice(request.rawHeaders)
    if (repeated !== undefined) {
      last(connection, headers)
      replyJson(response, 400, headers, { message: `The request has more than one ${repeated} header.` })
      return
    }
    const origin = request.headers.origin
    if (origin !== undefined && !this.#allow(origin, response, headers)) return
    if (this.#context.dispatcher.stopping()) last(connection, headers)
    const url = request.url ?? "/"
    if (url.length > this.#context.settings.maxInitialLineLength) {
      last(connection, headers)
      replyJson(response, 414, headers, {
        message:
          `The request line is longer than ${this.#context.settings.maxInitialLineLength} bytes, the server's ` +
          "maxInitialLineLength. Send the script by POST."
      })
      return
    }
    this.#route(request, response, headers, connection, url)
  }

  /** Undefined for what follows the last request of a connection, and for one that was refused and goes on sending. */
  #begin(request: IncomingMessage, response: ServerResponse): HttpConnection | undefined {
    const connection = this.#context.connections.get(request.socket)
    if (!(connection instanceof HttpConnection) || connection.ended) return undefined
    connection.ended = !response.shouldKeepAlive
    if (connection.requestBegins() && request.headers.upgrade === undefined) {
      this.#context.metrics.userAgent(request.headers["user-agent"] ?? "")
    }
    connection.outflow.cork()
    response.on("close", connection.responseEnds)
    response.sendDate = false
    return connection
  }

  /** CORS: what the page may read; false when it may nothing and has its answer. */
  #allow(origin: string, response: ServerResponse, headers: FlatHeaders): boolean {
    if (!originAllowed(origin, this.#context.settings.allowedOrigins)) {
      this.#context.metrics.refused("origin")
      replyJson(response, 403, headers, {
        message: `Pages of the origin ${origin} may not use this server: its allowedOrigins does not list it.`
      })
      return false
    }
    headers.push("access-control-allow-origin", origin, "vary", "Origin")
    return true
  }

  #route(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection,
    url: string
  ): void {
    if (request.method === "OPTIONS") {
      preflight(request, response, headers)
      return
    }
    const mark = url.indexOf("?")
    const path = mark < 0 ? url : url.slice(0, mark)
    const management = path.length > 1 ? managementRoute(path, request.method, this.#context) : undefined
    // A browser has no password for a foreign name.
    const asksForPassword = this.#context.authenticator.required && management?.open !== true
    if (!asksForPassword && management?.harmless !== true && this.#isOfBorrowedName(request)) {
      this.#refusePage(response, headers)
      return
    }
    if (management !== undefined) {
      const query = mark < 0 ? "" : url.slice(mark + 1)
      const serve = (user: User | null): void => management.serve({ request, response, headers, path, query, user })
      if (!this.#context.authenticator.required) serve(anonymous)
      else if (management.open) serve(null)
      else this.#authenticate(request, response, headers, serve)
      return
    }
    if (!this.#evaluates) {
      replyJson(response, 400, headers, {
        message:
          "This server takes requests by WebSocket only. Connect a driver to ws://host:port/gremlin, or set the " +
          "channelizer to WsAndHttpChannelizer for both."
      })
      return
    }
    if (path === "/favicon.ico") {
      replyJson(response, 404, headers, { message: "There is no favicon.ico here." })
      return
    }
    if (this.#context.authenticator.required) {
      this.#authenticated(request, response, headers, connection, path, mark < 0 ? "" : url.slice(mark + 1))
    } else this.#evaluate(request, response, headers, connection, mark < 0 ? "" : url.slice(mark + 1), anonymous)
  }

  // ---- authentication, of every request

  #authenticated(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection,
    path: string,
    query: string
  ): void {
    const { authenticator } = this.#context
    if (authenticator.token !== undefined && request.method === "GET" && path === "/session" && query === "") {
      this.#whoever(response, headers, authenticator.token(credentialsOf(request)), (token) => {
        headers.push("content-type", "application/json", "cache-control", "no-store")
        reply(response, 200, headers, JSON.stringify({ token }))
      })
      return
    }
    this.#authenticate(request, response, headers, (user) => {
      this.#evaluate(request, response, headers, connection, query, user)
    })
  }

  #authenticate(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    then: (user: User) => void
  ): void {
    const found = this.#context.authenticator.http(credentialsOf(request))
    if (Effect.isEffect(found)) this.#whoever(response, headers, found, then)
    else then(found)
  }

  #whoever<A>(
    response: ServerResponse,
    headers: FlatHeaders,
    check: Effect.Effect<A, AuthenticationFailure>,
    then: (found: A) => void
  ): void {
    // The body is not read until it is known whose it is: nobody listens to it before.
    this.#context.runFork(check, (exit) => {
      if (response.destroyed) return
      if (Exit.isSuccess(exit)) {
        then(exit.value)
        return
      }
      const failure = Cause.failureOption(exit.cause)
      const error = failure._tag === "Some" ? failure.value : new Unauthorized("The authentication failed.")
      replyError(response, error, null, headers, this.#context.settings.poolFullStatus)
    })
  }

  // ---- evaluation

  #evaluate(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection,
    query: string,
    user: User
  ): void {
    if (comesFromElsewhere(request, this.#context.settings.allowedOrigins)) {
      this.#refusePage(response, headers)
      return
    }
    switch (request.method) {
      case "POST":
        this.#collect(request, response, headers, connection, (body, arrival) => {
          const read = (): RequestMessage => this.#context.formats.readBody(request.headers["content-type"], body)
          const dispatch = (given: () => RequestMessage): void =>
            this.#dispatch(request, response, headers, connection, user, given)
          if (body.length <= LONG_MESSAGE) {
            arrival?.end()
            dispatch(read)
          } else {
            readLongMessage(this.#context, {
              read,
              done: (message) => {
                arrival?.end()
                dispatch(() => message)
              },
              failed: (error) => {
                arrival?.end()
                dispatch(() => {
                  throw error
                })
              },
              isGone: () => response.destroyed
            })
          }
        })
        return
      case "GET":
        this.#dispatch(request, response, headers, connection, user, () => this.#context.formats.readQuery(query))
        return
      case "HEAD":
        headers.push("content-type", "application/json")
        reply(response, 200, headers, "")
        return
      default:
        headers.push("allow", ALLOWED)
        replyJson(response, 405, headers, {
          message: `${request.method} is not allowed: send the script by POST, or by GET in the query string.`
        })
    }
  }

  /** Whether a page that lets its own name point to this machine sends it. */
  #isOfBorrowedName(request: IncomingMessage): boolean {
    const { allowedOrigins, host } = this.#context.settings
    return isLoopback(host) && isCalledByForeignName(request, allowedOrigins)
  }

  #refusePage(response: ServerResponse, headers: FlatHeaders): void {
    this.#context.metrics.refused("origin")
    replyJson(response, 403, headers, {
      message: "Pages of other sites may not send requests to this server: its allowedOrigins does not list them."
    })
  }

  #dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection,
    user: User,
    read: () => RequestMessage
  ): void {
    const { dispatcher, formats } = this.#context
    let message: RequestMessage
    let format: AcceptedFormat
    try {
      message = read()
      format = formats.accepted(request.headers.accept, message.requestId)
    } catch (error) {
      const requestId = requestIdOfFailure(error)
      const sink = new HttpSink(response, headers, requestId, formats.json, MIME_JSON, false, this.#limits)
      dispatcher.refuse(error, "other", connection, sink)
      return
    }
    const { mime, serializer } = format
    const bytecode = message.op === "bytecode"
    const sink = new HttpSink(response, headers, message.requestId, serializer, mime, bytecode, this.#limits)
    sink.materialize(message.args.materializeProperties, true)
    dispatcher.dispatch(message, user, connection, sink)
  }

  #collect(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection,
    then: (body: Buffer, arrival: Arrival | null) => void
  ): void {
    const unread = unreadableCoding(request)
    if (unread !== undefined) {
      last(connection, headers)
      headers.push("accept-encoding", "identity")
      replyJson(response, unread.status, headers, { message: unread.message })
      request.resume()
      linger(request.socket)
      return
    }
    const limit = this.#context.settings.maxContentLength
    const declared = request.headers["content-length"]
    if (declared !== undefined && Number(declared) > limit) {
      this.#tooLarge(request, response, headers, connection)
      return
    }
    let first: Buffer | null = null
    let more: Array<Buffer> | null = null
    let length = 0
    let parts = 0
    let arrival: Arrival | null = null
    const hasRoom = (): boolean => {
      const bytes = arrived(length, parts)
      if (bytes <= LONG_MESSAGE) return true
      if (arrival === null) {
        arrival = this.#context.arriving.open()
        response.once("close", arrival.end)
      }
      return arrival.set(bytes)
    }
    // The request has its answer: what goes on arriving of it is no request any more.
    const discard = (): void => {
      connection.answerReading = null
      first = null
      more = null
      arrival?.end()
      request.removeAllListeners("data")
      request.removeAllListeners("end")
      request.resume()
    }
    connection.answerReading = ([status, message]) => {
      // Its end may have arrived, in the same bytes as what is broken after it.
      if (request.complete) return false
      discard()
      connection.complaint = null
      last(connection, headers)
      replyJson(response, status, headers, { message })
      linger(request.socket)
      return true
    }
    // The body may have broken while nobody listened, because it was not known yet whose it is.
    if (connection.complaint !== null && connection.answerReading(connection.complaint)) return
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      parts++
      if (length > limit) {
        discard()
        this.#tooLarge(request, response, headers, connection)
      } else if (!hasRoom()) {
        discard()
        this.#tooMuchArrives(request, response, headers, connection)
      } else if (first === null) first = chunk
      else {
        more ??= [first]
        more.push(chunk)
      }
    })
    request.on("end", () => {
      connection.answerReading = null
      const body = more === null ? (first ?? EMPTY) : Buffer.concat(more)
      first = null
      more = null
      then(body, arrival)
    })
  }

  /** Answers, and goes on reading for a moment: an answer to a client that still sends would be lost with a reset. */
  #tooLarge(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection
  ): void {
    last(connection, headers)
    replyJson(response, 413, headers, {
      message:
        `The request body is larger than ${this.#context.settings.maxContentLength} bytes, the server's ` +
        "maxContentLength. Send less at once, or raise the setting."
    })
    request.resume()
    linger(request.socket)
  }

  /** The same for a body that would be small enough, if it were alone. */
  #tooMuchArrives(
    request: IncomingMessage,
    response: ServerResponse,
    headers: FlatHeaders,
    connection: HttpConnection
  ): void {
    const { arriving, metrics } = this.#context
    metrics.refused("arriving")
    last(connection, headers)
    headers.push("retry-after", RETRY_AFTER)
    replyJson(response, 503, headers, { message: arriving.refusal })
    request.resume()
    linger(request.socket)
  }

  /** `Expect: 100-continue`: the client asks before it sends a body. */
  readonly checkContinue = (request: IncomingMessage, response: ServerResponse): void => {
    const declared = Number(request.headers["content-length"] ?? 0)
    if (declared <= this.#context.settings.maxContentLength) response.writeContinue()
    this.handle(request, response)
  }

  /** Any other `Expect`. */
  readonly checkExpectation = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = this.#begin(request, response)
    if (connection === undefined) return
    const headers: FlatHeaders = []
    last(connection, headers)
    replyJson(response, 417, headers, {
      message: "The only Expect that is understood is 100-continue."
    })
    request.resume()
    linger(request.socket)
  }
}

/** The answer under way is the last one of its connection. */
const last = (connection: HttpConnection, headers: FlatHeaders): void => {
  connection.ended = true
  if (!headers.includes("connection")) headers.push("connection", "close")
}

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

/** Bodies are read as they are: not compressed, and in chunks at most. */
const unreadableCoding = ({ headers }: IncomingMessage): { status: number; message: string } | undefined => {
  const content = headers["content-encoding"]
  if (content !== undefined && content.toLowerCase() !== "identity" && content !== "") {
    return { status: 415, message: `A body with Content-Encoding ${content} is not read here: send it as it is.` }
  }
  const transfer = headers["transfer-encoding"]
  if (transfer !== undefined && transfer.toLowerCase() !== "chunked") {
    return { status: 501, message: `A body with Transfer-Encoding ${transfer} is not read here: chunked is.` }
  }
  return undefined
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

const ALLOWED = "GET, HEAD, OPTIONS, POST"
const EMPTY = Buffer.alloc(0)

const credentialsOf = (request: IncomingMessage): HttpCredentials => ({
  authorization: request.headers.authorization,
  remoteAddress: request.socket.remoteAddress ?? ""
})

/** What browsers ask before they send a page's request. */
const preflight = (request: IncomingMessage, response: ServerResponse, headers: FlatHeaders): void => {
  headers.push("allow", ALLOWED)
  if (request.headers.origin !== undefined) {
    headers.push(
      "access-control-allow-methods",
      ALLOWED,
      "access-control-allow-headers",
      request.headers["access-control-request-headers"] ?? "content-type, accept, authorization",
      "access-control-max-age",
      "86400"
    )
  }
  reply(response, 204, headers, "")
}
