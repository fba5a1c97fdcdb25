import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Channelizer } from "../../services/Channelizer.ts"
import { Diagnostics } from "../../services/Diagnostics.ts"
import { Dispatcher } from "../../services/Dispatcher.ts"
import { Health } from "../../services/Health.ts"
import { type FiberStatus, RequestPool } from "../../services/RequestPool.ts"
import { Sessions } from "../../services/Sessions.ts"

const seconds = (millis: number): string => `${(millis / 1000).toFixed(3)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`

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
      return {
        status: () => {
          const { address } = channelizer
          const { lanes, queued, refused, running, size } = pool.status()
          const { heapUsed, rss } = process.memoryUsage()
          return [
            `address: ${address.address}:${address.port}${dispatcher.stopping() ? " (shutting down)" : ""}`,
            `uptime: ${seconds(performance.now() - started)}`,
            `request pool: ${running} of ${size} running on ${lanes} lanes, ${queued} queued, ${refused} refused`,
            `sessions: ${sessions.count()}`,
            `connections: ${channelizer.connections()}`,
            `memory: ${megabytes(rss)} resident, ${megabytes(heapUsed)} heap`,
            ...health.graphs().flatMap(({ fault }) => (fault === undefined ? [] : [`fault: ${fault.reason}`])),
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
