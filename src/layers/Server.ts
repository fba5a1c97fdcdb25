import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Authorizer } from "../services/Authorizer.ts"
import { Channelizer } from "../services/Channelizer.ts"
import { Config } from "../services/Config.ts"
import { Diagnostics } from "../services/Diagnostics.ts"
import type { Dispatcher } from "../services/Dispatcher.ts"
import type { GraphRegistry } from "../services/GraphRegistry.ts"
import { Metrics } from "../services/Metrics.ts"
import { RequestPool } from "../services/RequestPool.ts"
import { RunQueue } from "../services/RunQueue.ts"
import { Sessions } from "../services/Sessions.ts"
import type { ServerSettings } from "../services/Settings.ts"
import * as AllowAllAuthenticator from "./AllowAllAuthenticator.ts"
import * as Channelizers from "./Channelizers.ts"
import * as ConfiguredGraphs from "./ConfiguredGraphs.ts"
import * as ControlSocket from "./ControlSocket.ts"
import { refuseUnenforceable } from "./config/Enforceable.ts"
import * as FiberRequestPool from "./FiberRequestPool.ts"
import * as FiberSessions from "./FiberSessions.ts"
import * as PrometheusMetrics from "./PrometheusMetrics.ts"
import * as RequestDispatcher from "./RequestDispatcher.ts"
import * as RunQueueLayer from "./RunQueue.ts"
import * as ServerDiagnostics from "./ServerDiagnostics.ts"
import * as SlowQueryLog from "./SlowQueryLog.ts"
import * as TraversalEvaluator from "./TraversalEvaluator.ts"

/** Who may do what: everybody everything. */
const noAuthorizer = Layer.succeed(Authorizer, null)

/** Gauges of the parts that know their own numbers. */
const gauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const metrics = yield* Metrics
    const pool = yield* RequestPool
    const runQueue = yield* RunQueue
    const sessions = yield* Sessions
    metrics.gauge("engine_server_pool_size", "Requests that may be evaluated at once.", () => pool.status().size)
    metrics.gauge("engine_server_pool_running", "Requests being evaluated in the pool.", () => pool.status().running)
    metrics.gauge("engine_server_pool_queued", "Requests waiting for the pool.", () => pool.status().queued)
    metrics.gauge("engine_server_pool_lanes", "Lanes that exist.", () => pool.status().lanes)
    metrics.gauge("engine_server_run_queue", "Evaluations waiting for their next slice.", () => runQueue.length())
    metrics.gauge("engine_server_sessions", "Open sessions.", () => sessions.count())
  })
)

/**
 * Everything but the transport and the graphs' own services. A program that composes its own server replaces single
 * layers of it.
 */
export const layer = (settings: ServerSettings) => {
  const config = Layer.succeed(Config, settings)
  const base = Layer.mergeAll(
    RunQueueLayer.layer,
    PrometheusMetrics.layer,
    SlowQueryLog.layer,
    AllowAllAuthenticator.layer,
    noAuthorizer,
    ConfiguredGraphs.layer
  )
  const work = FiberSessions.layer.pipe(Layer.provideMerge(FiberRequestPool.layer), Layer.provideMerge(base))
  const requests = RequestDispatcher.layer.pipe(
    Layer.provideMerge(TraversalEvaluator.layer),
    Layer.provideMerge(gauges),
    Layer.provideMerge(work)
  )
  return ServerDiagnostics.layer.pipe(
    Layer.provideMerge(Channelizers.layer),
    Layer.provideMerge(requests),
    Layer.provideMerge(Layer.effectDiscard(refuseUnenforceable(settings))),
    Layer.provideMerge(config)
  )
}

/** A server that runs inside this process. */
export interface RunningServer {
  readonly address: AddressInfo
  readonly port: number
  /** Drains and ends the server; the end of the scope does the same. */
  readonly stop: Effect.Effect<void>
  /** Its parts: the graphs, the pool, the sessions... */
  readonly services: Context.Context<
    Channelizer | Config | Diagnostics | Dispatcher | GraphRegistry | Metrics | RequestPool | Sessions
  >
}

/**
 * Starts a server in this process. It listens when the effect succeeds, and until the scope closes or `stop` is run.
 * What can fail: the graphs, the address, a setting that cannot be honoured, a runtime too old for one.
 */
export const start = (settings: ServerSettings) =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const own = yield* Scope.fork(outer, ExecutionStrategy.sequential)
    const services = yield* Layer.buildWithScope(layer(settings), own)
    const { address } = Context.get(services, Channelizer)
    yield* Effect.logInfo(`Channel started at port ${address.port}.`)
    const running: RunningServer = {
      address,
      port: address.port,
      stop: Scope.close(own, Exit.void),
      services
    }
    return running
  })

/** Something to try first, for the person who has just started the server. */
const hint = ({ channelizer, ssl }: ServerSettings, { address, port }: RunningServer): string => {
  const named = address.address === "0.0.0.0" || address.address === "::" ? "localhost" : address.address
  const host = `${named.includes(":") ? `[${named}]` : named}:${port}`
  return channelizer === "WebSocketChannelizer"
    ? `Connect a driver to ${ssl.enabled ? "wss" : "ws"}://${host}/gremlin`
    : `Try: curl -d '{"engine":"g.V().count()"}' ${ssl.enabled ? "https" : "http"}://${host}/`
}

/** Runs the server of a process, with the socket that `status` and `dump` speak to, until the scope closes. */
export const serve = (settings: ServerSettings) =>
  Effect.gen(function* () {
    const running = yield* start(settings)
    const { services } = running
    yield* Effect.logInfo(hint(settings, running))
    if (settings.controlSocket !== undefined) {
      yield* ControlSocket.listen(settings.controlSocket, Context.get(services, Diagnostics))
    }
    return yield* Effect.never
  })
