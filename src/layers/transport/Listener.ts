import { createServer as createHttpServer, type Server as HttpServer } from "node:http"
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https"
import type { AddressInfo, Server, Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { ListenFailed } from "../../services/Channelizer.ts"
import type { ServerSettings, SettingRefused } from "../../services/Config.ts"
import { listenOptions } from "../../services/ListenAddress.ts"
import { WorkerProcess, type WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { drain, sayGoodbye } from "./Drain.ts"
import { HttpConnection } from "./http/HttpConnection.ts"
import { HttpRequests } from "./http/HttpRequests.ts"
import type { ErrorAnswer } from "./http/Intake.ts"
import { retire } from "./Retirement.ts"
import { warnOfDescriptorLimit } from "./shared/DescriptorLimit.ts"
import { headLimit, longHead } from "./shared/HeadLimits.ts"
import { refuse } from "./shared/Refusal.ts"
import type { TransportContext } from "./shared/TransportContext.ts"
import { certificateTimes, MAX_PENDING_REFUSALS, reloadCertificates, tlsFront } from "./tls/TlsFront.ts"
import { tlsOptions } from "./tls/TlsOptions.ts"
import { WebSocketConnection } from "./websocket/WebSocketConnection.ts"
import { WebSocketUpgrade } from "./websocket/WebSocketUpgrade.ts"

/** Which protocols are served. */
export interface Protocols {
  readonly http: boolean
  readonly webSocket: boolean
}

/** Time for clients to answer a WebSocket close, and to read the end of an HTTP answer. */
const CLOSE_WAIT_MS = 1_000

/** How often Node.js checks for requests that arrive too slowly, at most. */
const SLOW_REQUEST_CHECK_MS = 1_000

/** How often the shutdown checks whether all connections are closed. */
const CLOSED_CHECK_MS = 5

/** The servers of a listener. With TLS, `listening` is a server in front of `http`. */
interface Servers {
  readonly http: HttpServer | HttpsServer
  readonly listening: Server
  /** Whether a connection is among maxConnections. Connections in their TLS handshake count, too. */
  readonly admits: (socket: Socket) => boolean
}

/**
 * Time without a byte after which TCP probes the client. It ends the connection after ten probes, one each second. This is before the
 * first ping of a WebSocket by default: unacknowledged bytes would delay the end for a quarter of an hour.
 */
const KEEP_ALIVE_DELAY_MS = 15_000

const limitsOf = ({ headersTimeout, requestTimeout, ...settings }: ServerSettings) => ({
  maxHeaderSize: headLimit(settings),
  // Node.js refuses a longer time for a part of the request than for all of it.
  headersTimeout: requestTimeout > 0 ? Math.min(headersTimeout, requestTimeout) : headersTimeout,
  requestTimeout,
  connectionsCheckingInterval: Math.min(
    SLOW_REQUEST_CHECK_MS,
    ...[headersTimeout, requestTimeout].filter((time) => time > 0).map((time) => Math.ceil(time / 2))
  ),
  keepAliveTimeout: 0,
  // Gremlin Server accepts requests without Host, too. Two Host headers are refused by the checks of the request.
  requireHostHeader: false,
  noDelay: true,
  // TCP detects clients whose machine has failed.
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS
})

const plain = (context: TransportContext): Servers => {
  const server = createHttpServer(limitsOf(context.settings))
  // No limit: maxHeaderSize limits their bytes.
  server.maxHeadersCount = 0
  return { http: server, listening: server, admits: context.permits.take }
}

const encrypted = (context: TransportContext): Effect.Effect<Servers, SettingRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const { settings } = context
    const { headersTimeout, ssl } = settings
    const required = ssl.needClientAuth === "REQUIRE"
    const times = yield* certificateTimes(ssl)
    const server = createHttpsServer({
      ...limitsOf(settings),
      ...(yield* tlsOptions(ssl)),
      requestCert: required,
      rejectUnauthorized: required,
      handshakeTimeout: headersTimeout
    })
    server.maxHeadersCount = 0
    // This event starts the check for slow requests. The server itself never listens: the front does.
    server.emit("listening")
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    // A client whose handshake fails has received a TLS alert. It could read no other answer.
    server.on("tlsClientError", (_, socket) => socket.destroy())
    yield* reloadCertificates(server, ssl, times)
    const onRefused = (): void => context.metrics.refused("connections")
    const limits = { headersTimeout, permits: context.permits, keepAliveDelayMs: KEEP_ALIVE_DELAY_MS, onRefused }
    const front = tlsFront(server, limits)
    return { http: server, listening: front.server, admits: (socket) => !front.isBeyondLimit(socket) }
  })

const serve = ({ http: server, admits }: Servers, context: TransportContext, protocols: Protocols): void => {
  const { settings } = context
  const requests = new HttpRequests(context, { evaluates: protocols.http })
  const connected = settings.ssl.enabled ? "secureConnection" : "connection"
  const handBack = (socket: Socket): void => void server.emit(connected, socket)
  const upgrade = new WebSocketUpgrade(context, { webSocket: protocols.webSocket, handBack })
  let refused = 0
  server.on(connected, (socket: Socket) => {
    if (context.connections.get(socket) !== undefined) return
    if (!admits(socket)) {
      context.metrics.refused("connections")
      if (refused >= MAX_PENDING_REFUSALS) socket.destroy()
      else {
        refused++
        socket.once("close", () => refused--)
        refuse(
          socket,
          503,
          `The server has ${settings.maxConnections} connections, its maxConnections. Try again later.`
        )
      }
      return
    }
    requests.connected(socket)
  })
  server.on("request", requests.handle)
  server.on("checkContinue", requests.handle)
  server.on("checkExpectation", requests.handleUnknownExpectation)
  server.on("upgrade", upgrade.handle)
  server.on("connect", upgrade.handle)
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => clientError(error, stream as Socket, context))
}

/** Handles bytes that are not HTTP, and requests that arrive too slowly. Earlier requests are answered first. */
const clientError = (error: NodeJS.ErrnoException, socket: Socket, context: TransportContext): void => {
  const connection = context.connections.get(socket)
  // Bytes that arrive after the last answer are discarded.
  if (socket.writableEnded) return
  if (error.code === "ECONNRESET" || !socket.writable || !(connection instanceof HttpConnection)) {
    socket.destroy()
    return
  }
  connection.endWith(errorAnswer(error, context))
}

const errorAnswer = (error: NodeJS.ErrnoException, { settings }: TransportContext): ErrorAnswer => {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, longHead(settings)]
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [
        408,
        `The request did not arrive in time: the server's headersTimeout is ${settings.headersTimeout} ms, its ` +
          `requestTimeout ${settings.requestTimeout} ms.`
      ]
    case "HPE_PAUSED_H2_UPGRADE":
      return [505, "This server speaks HTTP/1.1, and this is HTTP/2."]
    default:
      return [400, `This is not an HTTP request: ${error.message}.`]
  }
}

/**
 * Takes connections from the primary process, which listens. The servers of this process never listen, and a socket that
 * comes from another process has no options of its own. `isOver`: all connections are being closed. Returns the number of open ones.
 */
const takeConnections = (
  { http, listening }: Servers,
  worker: WorkerProcessShape,
  isOver: () => boolean
): (() => number) => {
  let open = 0
  // This event starts the check for slow requests.
  if (http === listening) http.emit("listening")
  worker.onConnection((socket) => {
    socket.allowHalfOpen = http === listening
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_DELAY_MS)
    open++
    socket.once("close", () => {
      open--
      worker.connectionClosed()
    })
    if (isOver()) socket.destroy()
    else listening.emit("connection", socket)
  })
  return () => open
}

const bind = (server: Server, host: string, port: number): Effect.Effect<AddressInfo, ListenFailed> =>
  Effect.async((resume) => {
    const onError = (cause: unknown) => resume(Effect.fail(new ListenFailed({ host, port, cause })))
    server.once("error", onError)
    server.listen(listenOptions(host, port), () => {
      server.off("error", onError)
      resume(Effect.succeed(server.address() as AddressInfo))
    })
  })

/** Ends a server whose start was interrupted. It may still begin to listen. */
const abandon = (server: Server): void => {
  server.once("listening", () => server.close())
  server.close()
}

/**
 * Closes all connections, and cuts those that do not close in time. One that came while the server ended, and whose first request may be
 * under way, closes after its answer.
 */
const goodbye = (context: TransportContext, { http, listening }: Servers): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => {
      for (const { socket } of [...context.connections]) socket.destroy()
      http.closeAllConnections()
    }, CLOSE_WAIT_MS)
    const check = setInterval(() => {
      if (context.connections.size > 0) return
      clearInterval(check)
      clearTimeout(timer)
      resume(Effect.void)
    }, CLOSED_CHECK_MS)
    listening.close()
    for (const connection of [...context.connections]) {
      if (connection instanceof WebSocketConnection) sayGoodbye(connection)
      else if (connection instanceof HttpConnection && !connection.isAwaited)
        connection.whenIdle(() => connection.socket.destroySoon())
    }
  })

/** A running listener. */
interface Listening {
  readonly address: AddressInfo
  readonly drain: Effect.Effect<void>
  readonly retire: Effect.Effect<void>
}

/** Listens while the scope is open. When the scope closes, answers are awaited first, then the connections are closed. */
export const listen = (
  context: TransportContext,
  protocols: Protocols
): Effect.Effect<Listening, ListenFailed | SettingRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const { host, maxConnections, port } = context.settings
    yield* warnOfDescriptorLimit(maxConnections)
    const servers = context.settings.ssl.enabled ? yield* encrypted(context) : plain(context)
    serve(servers, context, protocols)
    const server = servers.listening
    const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerProcess))
    let isTaking = false
    let isOver = false
    const close = Effect.gen(function* () {
      if (worker !== undefined) yield* Effect.promise(worker.drained)
      isOver = true
      yield* goodbye(context, servers)
    })
    let ended: Promise<void> | undefined
    const end = Effect.promise(() => {
      ended ??= Effect.runPromise(
        isTaking ? Effect.zipRight(drain(context), close) : Effect.sync(() => abandon(server))
      )
      return ended
    })
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        end,
        Effect.sync(() => context.connections.close())
      )
    )
    if (worker !== undefined) {
      const openSockets = takeConnections(servers, worker, () => isOver)
      isTaking = true
      return { address: worker.address, drain: end, retire: retire(context, openSockets) }
    }
    const address = yield* bind(server, host, port)
    isTaking = true
    server.on("error", () => {
      // accept() fails when the process is out of descriptors. The server continues.
    })
    return { address, drain: end, retire: retire(context, () => context.connections.size) }
  })
