import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Channelizer } from "../../services/Channelizer.ts"
import { Diagnostics, type Figures } from "../../services/Diagnostics.ts"
import { Dispatcher } from "../../services/Dispatcher.ts"
import { Health } from "../../services/Health.ts"
import { hostAndPort } from "../../services/ListenAddress.ts"
import { type FiberStatus, RequestPool } from "../../services/RequestPool.ts"
import { Sessions } from "../../services/Sessions.ts"
import { seconds, statusLines } from "./StatusLines.ts"

/** A fiber in the form of a thread dump: one line for the fiber, then what it does. */
const fiberText = (fiber: FiberStatus): string => {
  const head = `"${fiber.name}" ${fiber.state} for ${seconds(fiber.elapsed)}`
  if (fiber.requestId === "") return head
  const user = fiber.user === "" ? "" : ` of ${fiber.user}`
  return `${head}\n  request ${fiber.requestId}${user}: ${fiber.request}\n  at ${fiber.step === "" ? "(no step yet)" : fiber.step}`
}

/** Status and dump of a running server. */
export const layer: Layer.Layer<Diagnostics, never, Channelizer | Dispatcher | Health | RequestPool | Sessions> =
  Layer.effect(
    Diagnostics,
    Effect.gen(function* () {
      const channelizer = yield* Channelizer
      const dispatcher = yield* Dispatcher
      const health = yield* Health
      const pool = yield* RequestPool
      const sessions = yield* Sessions
      const started = performance.now()
      const fibers = (): ReadonlyArray<FiberStatus> => [...pool.dump(), ...sessions.dump()]
      const figures = (): Figures => {
        const { heapUsed, rss } = process.memoryUsage()
        return {
          uptimeMs: performance.now() - started,
          pool: pool.status(),
          sessions: sessions.count(),
          connections: channelizer.connections(),
          residentBytes: rss,
          heapBytes: heapUsed,
          faults: health.graphs().flatMap(({ fault }) => (fault === undefined ? [] : [fault.reason]))
        }
      }
      return {
        figures,
        status: () => {
          const { address } = channelizer
          return [
            `address: ${hostAndPort(address.address, address.port)}${dispatcher.stopping() ? " (shutting down)" : ""}`,
            ...statusLines(figures()),
            ""
          ].join("\n")
        },
        dump: (format) => {
          const time = new Date().toISOString()
          return format === "json"
            ? `${JSON.stringify({ time, pid: process.pid, fibers: fibers() }, null, 2)}\n`
            : `${time}\nengine-server ${process.pid}\n\n${fibers().map(fiberText).join("\n\n")}\n`
        }
      }
    })
  )
