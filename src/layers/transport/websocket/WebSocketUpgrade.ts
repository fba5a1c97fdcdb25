import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { WebSocketServer } from "ws"
import { servesConsole } from "../http/ConsoleRoutes.ts"
import { HttpConnection } from "../http/HttpConnection.ts"
import { ALLOWED_METHODS } from "../http/HttpExchange.ts"
import { readTarget, shownPath } from "../http/RequestTarget.ts"
import { longHeaders, longRequestLine } from "../shared/HeadLimits.ts"
import { isLoopback, isOwnPage, isProgram, originAllowed } from "../shared/Origins.ts"
import { ignoreError, refuse } from "../shared/Refusal.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { ServerWebSocket } from "./ServerWebSocket.ts"
import { WebSocketConnection } from "./WebSocketConnection.ts"
import { requireTestedWs } from "./WsInternals.ts"

/** Time for a client to answer a close. A client in the middle of a frame cannot answer. */
const CLOSE_TIMEOUT_MS = 2_000

/** What upgrades are handled with. */
interface UpgradeOptions {
  /** Whether the channelizer serves WebSockets. */
  readonly webSocket: boolean
  /** Returns a connection to the HTTP parser. */
  readonly handBack: (socket: Socket) => void
}

/** Turns HTTP connections into WebSockets. Connections that ask for another protocol are returned to HTTP. */
export class WebSocketUpgrade {
  readonly #context: TransportContext
  readonly #handBackTo: (socket: Socket) => void
  readonly #webSocket: boolean
  readonly #sockets: WebSocketServer

  constructor(context: TransportContext, options: UpgradeOptions) {
    requireTestedWs()
    this.#context = context
    this.#handBackTo = options.handBack
    this.#webSocket = options.webSocket
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // The connection answers pings itself. ws would answer without limit when the client does not read.
      autoPong: false,
      // The types of ws do not have this option yet.
      ...{ closeTimeout: CLOSE_TIMEOUT_MS },
      perMessageDeflate: context.settings.perMessageDeflate,
      maxPayload: context.settings.maxContentLength,
      WebSocket: ServerWebSocket
    })
  }

  /**
   * node:http has released the socket when it calls this. Earlier requests of the connection are answered first, so that
   * their answers do not mix with what follows.
   */
  readonly handle = (request: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    const socket = duplex as Socket
    socket.on("error", ignoreError)
    const before = this.#context.connections.get(socket)
    const upgrade = (): void => {
      if (socket.destroyed) return
      if (request.method === "CONNECT") refuse(socket, 405, "This server is no proxy.", `allow: ${ALLOWED_METHODS}\r\n`)
      else this.#upgrade(request, socket, head)
    }
    if (before instanceof HttpConnection) before.whenIdle(upgrade)
    else upgrade()
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (request.headers.upgrade?.toLowerCase() !== "websocket") {
      this.#handBack(request, socket, head)
      return
    }
    const { dispatcher, metrics, settings } = this.#context
    const origin = request.headers.origin
    if (!originAllowed(origin, settings.allowedOrigins) && !this.#isOwn(request)) {
      metrics.refused("origin")
      refuse(socket, 403, `Pages of the origin ${origin} may not use this server: its allowedOrigins does not list it.`)
      return
    }
    const longLine = longRequestLine(request, settings)
    const problem = longLine ?? longHeaders(request, settings)
    if (problem !== undefined) {
      refuse(socket, longLine === undefined ? 431 : 414, problem)
      return
    }
    if (!this.#webSocket) {
      refuse(
        socket,
        400,
        "This server speaks HTTP only. Send the script by POST, or set the channelizer to WsAndHttpChannelizer for both."
      )
      return
    }
    if (dispatcher.stopping()) {
      metrics.refused("stopping")
      refuse(socket, 503, "The server is shutting down and takes no new connections.")
      return
    }
    const { path } = readTarget(request.url ?? "/")
    if (path !== "/" && path !== "/gremlin" && path !== "/gremlin/") {
      refuse(socket, 404, `There is no WebSocket at ${shownPath(path)}: connect to /gremlin.`)
      return
    }
    const { "content-length": length, "transfer-encoding": coding } = request.headers
    if (request.httpVersion !== "1.1" || coding !== undefined || (length !== undefined && length !== "0")) {
      refuse(socket, 400, "A WebSocket begins with a GET request of HTTP/1.1 that has no body.")
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      const userAgent = request.headers["user-agent"]
      metrics.userAgent(userAgent ?? "")
      this.#context.connections.add(new WebSocketConnection(ws as ServerWebSocket, socket, userAgent, this.#context))
    })
  }

  /** Whether a foreign origin is the server's own name, sent by a driver or by the console. */
  #isOwn(request: IncomingMessage): boolean {
    const { authenticator, settings } = this.#context
    if (isProgram(request, isLoopback(settings.host))) return true
    return servesConsole(this.#context) && isOwnPage(request, authenticator.required)
  }

  /**
   * The HTTP client of Java offers h2c with its first request, and a server may ignore such offers. The request is returned
   * to the HTTP parser without the header that made it an upgrade.
   */
  #handBack(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
    const raw = request.rawHeaders
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i]!.toLowerCase()
      if (name === "upgrade" || name === "http2-settings") continue
      lines.push(`${raw[i]}: ${name === "connection" ? withoutUpgrade(raw[i + 1]!) : raw[i + 1]}`)
    }
    socket.off("error", ignoreError)
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
    this.#handBackTo(socket)
  }
}

const withoutUpgrade = (connection: string): string => {
  const kept = connection.split(",").map((option) => option.trim())
  return kept.filter((option) => !/^(?:upgrade|http2-settings)$/i.test(option)).join(", ") || "keep-alive"
}
