import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Authorizer } from "../services/Authorizer.ts"
import { Channelizer } from "../services/Channelizer.ts"
import { Config, SettingRefused } from "../services/Config.ts"
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
import * as FiberRequestPool from "./FiberRequestPool.ts"
import * as FiberSessions from "./FiberSessions.ts"
import * as PrometheusMetrics from "./PrometheusMetrics.ts"
import * as RequestDispatcher from "./RequestDispatcher.ts"
import * as RunQueueLayer from "./RunQueue.ts"
import * as ServerDiagnostics from "./ServerDiagnostics.ts"
import * as SlowQueryLog from "./SlowQueryLog.ts"
import * as TraversalEvaluator from "./TraversalEvaluator.ts"

/** What protects the server must work or stop the start: a setting that is read and not enforced is worse than none. */
const refuseUnenforced = Effect.flatMap(Config, (settings) => {
  const refuse = (setting: string, reason: string) => Effect.fail(new SettingRefused({ setting, reason }))
  if (settings.authentication.authenticator !== "AllowAllAuthenticator") {
    return refuse("authentication", `${settings.authentication.authenticator} is not part of this version.`)
  }
  if (settings.authorization.authorizer !== undefined) {
    return refuse("authorization", "authorizers are not part of this version.")
  }
  return settings.ssl.enabled ? refuse("ssl", "TLS is not part of this version.") : Effect.void
})

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
    Layer.provideMerge(Layer.effectDiscard(refuseUnenforced)),
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

/** Runs the server of a process, with the socket that `status` and `dump` speak to, until the scope closes. */
export const serve = (settings: ServerSettings) =>
  Effect.gen(function* () {
    const { services } = yield* start(settings)
    if (settings.controlSocket !== undefined) {
      yield* ControlSocket.listen(settings.controlSocket, Context.get(services, Diagnostics))
    }
    return yield* Effect.never
  })
