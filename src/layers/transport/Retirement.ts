import * as Effect from "effect/Effect"
import { HttpConnection } from "./http/HttpConnection.ts"
import type { TransportContext } from "./shared/TransportContext.ts"
import { WebSocketConnection } from "./websocket/WebSocketConnection.ts"

/** Close code of WebSocket for a client that may connect again at once: the IANA registry, "Service Restart". */
const SERVICE_RESTART = 1012

/** How often a retiring transport checks its connections, ms. */
const RETIREMENT_CHECK_MS = 20

/**
 * Waits until all connections are closed, without a limit, while no new ones come. No request that has begun is cut, and no load
 * of a file. `openSockets` counts connections in their TLS handshake, too. The
 * answer to the next request of an HTTP connection has `Connection: close`; a connection that is idle for `shutdownTimeout` is
 * closed. A WebSocket is closed with 1012 when its requests are answered, including those that wait or are arriving, its answers are sent,
 * and the transactions of its sessions have ended, which are waited for at most `shutdownTimeout`: a driver that connects again in the
 * middle of a transaction has lost it.
 */
export const retire = (
  { connections, dispatcher, loads, settings }: TransportContext,
  openSockets: () => number
): Effect.Effect<void> =>
  Effect.async((resume) => {
    connections.isRetiring = true
    const begun = performance.now()
    const check = setInterval(() => {
      const now = performance.now()
      const isLoading = [...loads.values()].some(({ status }) => status === "LOAD_IN_PROGRESS")
      if (openSockets() === 0 && !isLoading) {
        clearInterval(check)
        resume(Effect.void)
        return
      }
      for (const connection of [...connections]) {
        if (connection instanceof WebSocketConnection) {
          if (!connection.isIdle || !connection.isSent) continue
          if (now - begun < settings.shutdownTimeout && dispatcher.inTransaction(connection)) continue
          connection.goodbye(SERVICE_RESTART, "the server is being reloaded")
        } else if (connection instanceof HttpConnection) {
          const idleMs = Math.min(connection.idleMs(now), now - begun)
          if (idleMs > settings.shutdownTimeout) connection.socket.destroySoon()
        }
      }
    }, RETIREMENT_CHECK_MS)
    return Effect.sync(() => clearInterval(check))
  })
