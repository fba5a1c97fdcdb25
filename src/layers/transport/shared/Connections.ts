import type { Socket } from "node:net"
import type { Metrics, Transport } from "../../../services/Metrics.ts"
import type { ServerSettings } from "../../../services/Settings.ts"

/** A connection whose limits in time {@link Connections} checks. */
export interface Watched {
  readonly socket: Socket
  readonly transport: Transport
  /** Checks the limits in time. Called about eight times within the shortest of them. `now`: `performance.now()` ms. */
  watch(now: number): void
}

/** The settings that limit connections in time and number. */
export type ConnectionLimits = Pick<
  ServerSettings,
  "idleConnectionTimeout" | "keepAliveInterval" | "maxConnections" | "requestTimeout" | "writeStallTimeout"
>

/** Bounds of the interval between two checks. */
const MAX_TICK_MS = 1_000
const MIN_TICK_MS = 20
/** Checks within the shortest limit. */
const TICKS_PER_LIMIT = 8

/** All open connections. One timer checks their limits in time. */
export class Connections {
  readonly #open = new Map<Socket, Watched>()
  readonly #metrics: typeof Metrics.Service
  readonly #timer: NodeJS.Timeout
  /** True when the connections end one by one, because another process takes new ones. */
  isRetiring = false

  constructor(limits: ConnectionLimits, metrics: typeof Metrics.Service) {
    this.#metrics = metrics
    const times = [
      limits.idleConnectionTimeout,
      limits.keepAliveInterval,
      limits.requestTimeout,
      limits.writeStallTimeout
    ]
    const shortest = Math.min(MAX_TICK_MS * TICKS_PER_LIMIT, ...times.filter((time) => time > 0))
    const tick = Math.max(MIN_TICK_MS, Math.min(MAX_TICK_MS, shortest / TICKS_PER_LIMIT))
    this.#timer = setInterval(() => this.#watch(), tick)
    this.#timer.unref()
  }

  get size(): number {
    return this.#open.size
  }

  get(socket: Socket): Watched | undefined {
    return this.#open.get(socket)
  }

  /** Adds a connection. It replaces the one that its socket had before an upgrade. */
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
