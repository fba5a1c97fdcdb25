import * as Effect from "effect/Effect"
import { HttpConnection } from "./http/HttpConnection.ts"
import type { TransportContext } from "./shared/TransportContext.ts"
import { WebSocketConnection } from "./websocket/WebSocketConnection.ts"

/** Close code of WebSocket for a client that may connect again at once: the IANA registry, "Service Restart". */
const SERVICE_RESTART = 1012

/** How often a retiring transport checks its connections, ms. */
const RETIREMENT_CHECK_MS = 20

/** Time that a WebSocket has to become idle by itself, and between two holds, ms. */
const GRACE_MS = 5_000

/** The first time for which a WebSocket begins no request, ms. Each further one is twice as long. */
const FIRST_HOLD_MS = 1_000

/** The longest such time, ms: what a client asks meanwhile waits, also if a request before it has no time limit. */
const LONGEST_HOLD_MS = 30_000

/**
 * The holds of a WebSocket whose client sends the next request before it has the answer to the last one: it would never be idle. During a
 * hold no request begins, so the connection is closed as soon as those that run have ended. If they take longer, the requests that have
 * arrived meanwhile begin, and a longer hold follows, at most as long as a request may take. Pings are answered all the time.
 */
class Holds {
  #isHeld = false
  #next: number
  #holdMs = FIRST_HOLD_MS
  readonly #longestMs: number

  /** @param evaluationTimeoutMs the time limit of a request; 0 = none */
  constructor(now: number, evaluationTimeoutMs: number) {
    this.#next = now + GRACE_MS
    const requestMs = evaluationTimeoutMs === 0 ? LONGEST_HOLD_MS : Math.min(evaluationTimeoutMs, LONGEST_HOLD_MS)
    this.#longestMs = Math.max(requestMs, FIRST_HOLD_MS)
  }

  /** The connection is not idle at a look. */
  busy(connection: WebSocketConnection, now: number): void {
    if (now < this.#next) return
    if (this.#isHeld) this.release(connection, now)
    else {
      this.#isHeld = true
      this.#next = now + this.#holdMs
      connection.hold()
    }
  }

  /** Requests begin again. */
  release(connection: WebSocketConnection, now: number): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#holdMs = Math.min(2 * this.#holdMs, this.#longestMs)
    this.#next = now + GRACE_MS
    connection.release()
  }
}

/**
 * Waits until all connections are closed, without a limit, while no new ones come. No request that has begun is cut, and no load
 * of a file. `openSockets` counts connections in their TLS handshake, too. The
 * answer to the next request of an HTTP connection has `Connection: close`; a connection that is idle for `shutdownTimeout` is
 * closed. A WebSocket is closed with 1012 when its requests are answered, including those that wait or are arriving (see {@link Holds}
 * for one that is never idle), its answers are sent, and the transactions of its sessions have ended, which are waited for at most
 * `shutdownTimeout`: a driver that connects again in the middle of a transaction has lost it.
 */
export const retire = (
  { connections, dispatcher, loads, settings }: TransportContext,
  openSockets: () => number
): Effect.Effect<void> =>
  Effect.async((resume) => {
    connections.isRetiring = true
    const begun = performance.now()
    const holds = new WeakMap<WebSocketConnection, Holds>()
    const close = (connection: WebSocketConnection, now: number): void => {
      const held = holds.get(connection) ?? new Holds(now, settings.evaluationTimeout)
      holds.set(connection, held)
      if (now - begun < settings.shutdownTimeout && dispatcher.inTransaction(connection)) held.release(connection, now)
      else if (connection.isIdle && connection.isSent)
        connection.goodbye(SERVICE_RESTART, "the server is being reloaded")
      else held.busy(connection, now)
    }
    const check = setInterval(() => {
      const now = performance.now()
      const isLoading = [...loads.values()].some(({ status }) => status === "LOAD_IN_PROGRESS")
      if (openSockets() === 0 && !isLoading) {
        clearInterval(check)
        resume(Effect.void)
        return
      }
      for (const connection of [...connections]) {
        if (connection instanceof WebSocketConnection) close(connection, now)
        else if (connection instanceof HttpConnection) {
          const idleMs = Math.min(connection.idleMs(now), now - begun)
          if (idleMs > settings.shutdownTimeout) connection.socket.destroySoon()
        }
      }
    }, RETIREMENT_CHECK_MS)
    return Effect.sync(() => clearInterval(check))
  })
