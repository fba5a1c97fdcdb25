import { type IncomingMessage, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { WebSocket, WebSocketServer } from "ws"
import { originAllowed } from "./Origins.ts"
import type { TransportContext } from "./TransportContext.ts"
import { WebSocketConnection } from "./WebSocketConnection.ts"

/** Status code of the WebSocket protocol for a message that is too big. */
const TOO_BIG = 1009

/** A server's WebSocket that can say why before it closes for a message that is too large. */
class ServerWebSocket extends WebSocket {
  onTooBig: (() => void) | null = null

  /** ws calls this itself when a message exceeds maxPayload, before it has read any of it. */
  override close(code?: number, reason?: string | Buffer): void {
    if (code === TOO_BIG && this.readyState === this.OPEN) this.onTooBig?.()
    super.close(code, reason)
  }
}

export interface UpgradeOptions {
  readonly webSocket: boolean
  /** Gives a connection to the HTTP parser again. */
  readonly handBack: (socket: Socket) => void
}

/** Turns HTTP connections into WebSockets, and hands back those that ask for something else. */
export class WebSocketUpgrade {
  readonly #context: TransportContext
  readonly #handBackTo: (socket: Socket) => void
  readonly #webSocket: boolean
  readonly #sockets: WebSocketServer

  constructor(context: TransportContext, options: UpgradeOptions) {
    this.#context = context
    this.#handBackTo = options.handBack
    this.#webSocket = options.webSocket
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: context.settings.perMessageDeflate,
      maxPayload: context.settings.maxContentLength,
      WebSocket: ServerWebSocket
    })
  }

  readonly handle = (request: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    const socket = duplex as Socket
    if (request.headers.upgrade?.toLowerCase() !== "websocket") {
      this.#handBack(request, socket, head)
      return
    }
    const { dispatcher, metrics, settings } = this.#context
    const origin = request.headers.origin
    if (!originAllowed(origin, settings.allowedOrigins)) {
      metrics.refused("origin")
      refuse(socket, 403, `Pages of the origin ${origin} may not use this server: its allowedOrigins does not list it.`)
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
    const path = (request.url ?? "/").split("?", 1)[0]
    if (path !== "/" && path !== "/gremlin" && path !== "/gremlin/") {
      refuse(socket, 404, `There is no WebSocket at ${path}: connect to /gremlin.`)
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      const userAgent = request.headers["user-agent"]
      metrics.userAgent(userAgent ?? "")
      const connection = new WebSocketConnection(ws, socket, userAgent, this.#context)
      ;(ws as ServerWebSocket).onTooBig = () => connection.tooLarge()
      this.#context.connections.add(connection)
    })
  }

  /**
   * Java's HTTP client offers h2c with its first request, and other clients other protocols. A server may ignore that:
   * the request is given back to the HTTP parser, without the header that made it an upgrade.
   */
  #handBack(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
    const raw = request.rawHeaders
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i]!.toLowerCase()
      if (name === "upgrade" || name === "http2-settings") continue
      lines.push(`${raw[i]}: ${name === "connection" ? withoutUpgrade(raw[i + 1]!) : raw[i + 1]}`)
    }
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
    this.#handBackTo(socket)
  }
}

const withoutUpgrade = (connection: string): string => {
  const kept = connection.split(",").map((option) => option.trim())
  return kept.filter((option) => !/^(?:upgrade|http2-settings)$/i.test(option)).join(", ") || "keep-alive"
}

/** An answer where there is no ServerResponse to give it. */
export const refuse = (socket: Socket, status: number, message: string): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
}
