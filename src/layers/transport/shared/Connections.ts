import type { Socket } from "node:net"
import type { Metrics, Transport } from "../../../services/Metrics.ts"
import type { ServerSettings } from "../../../services/Settings.ts"

/** A connection as the clock of {@link Connections} looks at it. Times are `performance.now()` ms. */
export interface Watched {
  readonly socket: Socket
  readonly transport: Transport
  /** Looks at its limits in time; called some times within the shortest of them. */
  watch(now: number): void
}

/** The settings that limit connections in time and number. */
export type ConnectionLimits = Pick<
  ServerSettings,
  "idleConnectionTimeout" | "keepAliveInterval" | "maxConnections" | "requestTimeout" | "writeStallTimeout"
>

const LONGEST_TICK = 1000
const SHORTEST_TICK = 20

/** Every open connection, and one clock for the limits of all of them. */
export class Connections {
  readonly #open = new Map<Socket, Watched>()
  readonly #metrics: typeof Metrics.Service
  readonly #timer: NodeJS.Timeout

  constructor(limits: ConnectionLimits, metrics: typeof Metrics.Service) {
    this.#metrics = metrics
    const times = [
      limits.idleConnectionTimeout,
      limits.keepAliveInterval,
      limits.requestTimeout,
      limits.writeStallTimeout
    ]
    const shortest = Math.min(LONGEST_TICK * 8, ...times.filter((time) => time > 0))
    const tick = Math.max(SHORTEST_TICK, Math.min(LONGEST_TICK, shortest / 8))
    this.#timer = setInterval(() => this.#watch(), tick)
    this.#timer.unref()
  }

  get size(): number {
    return this.#open.size
  }

  get(socket: Socket): Watched | undefined {
    return this.#open.get(socket)
  }

  /** A socket is this connection from now on; it may have been another one, before an upgrade. */
  add(connection: Watched): void {
    const before = this.#open.get(connection.socket)
    if (before !== undefined) this.#metrics.connected(before.transport, -1)
    this.#open.set(connection.socket, connection)
    this.#metrics.connected(connection.transport, 1)
  }

  remove(connection: Watched): void {
    if (this.#open.get(connection.socket) !== connection) return
    this.#open.delete(connection.socket)
    this.#metrics.connected(connection.transport, -1)
  }

  *[Symbol.iterator](): IterableIterator<Watched> {
    yield* this.#open.values()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #watch(): void {
    const now = performance.now()
    for (const connection of this.#open.values()) connection.watch(now)
  }
}
