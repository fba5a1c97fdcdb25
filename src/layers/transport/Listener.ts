import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ListenFailed } from "../../services/Channelizer.ts"
import { ServerStopping } from "../../services/Errors.ts"
import { HttpConnection } from "./HttpConnection.ts"
import { HttpRequests } from "./HttpRequests.ts"
import type { TransportContext } from "./TransportContext.ts"
import { WebSocketConnection } from "./WebSocketConnection.ts"
import { refuse, WebSocketUpgrade } from "./WebSocketUpgrade.ts"

/** Which protocols are served. */
export interface Protocols {
  readonly http: boolean
  readonly webSocket: boolean
}

/** Time that clients have to answer a WebSocket close, and to read the end of an HTTP answer, ms. */
const GOODBYE = 1_000

/** Time for the answers of evaluations that are ended, ms: those under way have to come to their next slice. */
const LAST_ANSWERS = 500

/** How often Node looks for requests that arrive too slowly, ms. */
const SLOW_CHECK = 1_000

const makeServer = (context: TransportContext, protocols: Protocols): Server => {
  const { settings } = context
  const server = createServer({
    maxHeaderSize: settings.maxHeaderSize,
    headersTimeout: settings.headersTimeout,
    requestTimeout: settings.requestTimeout,
    connectionsCheckingInterval: Math.min(
      SLOW_CHECK,
      ...[settings.headersTimeout, settings.requestTimeout].filter((time) => time > 0).map((time) => time / 2)
    ),
    keepAliveTimeout: 0,
    noDelay: true
  })
  const requests = new HttpRequests(context, { evaluates: protocols.http })
  const upgrade = new WebSocketUpgrade(context, server, { webSocket: protocols.webSocket })
  server.on("connection", (socket: Socket) => {
    if (context.connections.get(socket) !== undefined) return
    if (settings.maxConnections > 0 && context.connections.size >= settings.maxConnections) {
      context.metrics.refused("connections")
      socket.destroy()
      return
    }
    requests.connected(socket)
  })
  server.on("request", requests.handle)
  server.on("checkContinue", requests.checkContinue)
  server.on("upgrade", upgrade.handle)
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => clientError(error, stream as Socket, context))
  return server
}

/** Something that is no HTTP request, or one that arrives too slowly. Answers that are due are given first. */
const clientError = (error: NodeJS.ErrnoException, socket: Socket, context: TransportContext): void => {
  const connection = context.connections.get(socket)
  if (error.code === "ECONNRESET" || !socket.writable || !(connection instanceof HttpConnection)) {
    socket.destroy()
    return
  }
  const [status, message] = complaint(error, context)
  if (connection.answerReading?.(status, message) === true) connection.whenIdle(() => socket.destroySoon())
  else connection.whenIdle(() => refuse(socket, status, message))
}

const complaint = (error: NodeJS.ErrnoException, { settings }: TransportContext): readonly [number, string] => {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, `The headers are larger than ${settings.maxHeaderSize} bytes, the server's maxHeaderSize.`]
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [
        408,
        `The request did not arrive in time: the server's headersTimeout is ${settings.headersTimeout} ms, its ` +
          `requestTimeout ${settings.requestTimeout} ms.`
      ]
    default:
      return [400, `This is not an HTTP request: ${error.message}.`]
  }
}

const bind = (server: Server, host: string, port: number): Effect.Effect<AddressInfo, ListenFailed> =>
  Effect.async((resume) => {
    const onError = (cause: unknown) => resume(Effect.fail(new ListenFailed({ host, port, cause })))
    server.once("error", onError)
    server.listen(port, host, () => {
      server.off("error", onError)
      resume(Effect.succeed(server.address() as AddressInfo))
    })
  })

/** Waits for the answers that are due, at most `shutdownTimeout`; what runs longer is ended, and answered with that. */
const drain = (context: TransportContext): Effect.Effect<void> =>
  Effect.async((resume) => {
    const done = (): void => {
      clearTimeout(timer)
      resume(Effect.void)
    }
    const cut = (): void => {
      for (const evaluation of [...context.dispatcher.running()]) evaluation.cancel(new ServerStopping())
      timer = setTimeout(done, LAST_ANSWERS)
    }
    let timer = setTimeout(cut, context.settings.shutdownTimeout)
    context.dispatcher.stop(done)
  })

/** Tells every client, and cuts those that do not go. */
const goodbye = (context: TransportContext, server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => {
      for (const { socket } of [...context.connections]) socket.destroy()
      server.closeAllConnections()
    }, GOODBYE)
    const check = setInterval(() => {
      if (context.connections.size > 0) return
      clearInterval(check)
      clearTimeout(timer)
      resume(Effect.void)
    }, 5)
    server.close()
    for (const connection of [...context.connections]) {
      if (connection instanceof WebSocketConnection) connection.goodbye(1001, "server is shutting down")
      else if (connection instanceof HttpConnection) connection.whenIdle(() => connection.socket.destroySoon())
    }
  })

/** What a running listener offers. */
export interface Listening {
  readonly address: AddressInfo
  readonly drain: Effect.Effect<void>
}

/** Listens while the scope is open. Closing it drains first: answers, then goodbyes, then the end. */
export const listen = (
  context: TransportContext,
  protocols: Protocols
): Effect.Effect<Listening, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { host, port } = context.settings
    const server = makeServer(context, protocols)
    let ended: Promise<void> | undefined
    const end = Effect.promise(() => {
      ended ??= Effect.runPromise(
        server.listening ? Effect.zipRight(drain(context), goodbye(context, server)) : Effect.void
      )
      return ended
    })
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        end,
        Effect.sync(() => context.connections.close())
      )
    )
    // `localhost` is the IPv4 address for every client that was configured with either.
    const address = yield* bind(server, host === "localhost" ? "127.0.0.1" : host, port)
    server.on("error", () => {
      // An accept that failed (out of descriptors) is no reason to end.
    })
    return { address, drain: end }
  })
