import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Authenticator } from "../services/Authenticator.ts"
import type { Authorizer } from "../services/Authorizer.ts"
import type { Service } from "../services/CallServices.ts"
import type { Channelizer, ChannelizerUnusable, ListenFailed } from "../services/Channelizer.ts"
import { Config, type SettingRefused } from "../services/Config.ts"
import { Credentials } from "../services/Credentials.ts"
import { GraphRegistry, type GraphUnavailable, type TraversalSourceInvalid } from "../services/GraphRegistry.ts"
import { MemoryBudget } from "../services/MemoryBudget.ts"
import { Metrics } from "../services/Metrics.ts"
import { refuseImpossiblePool } from "../services/PoolRequirements.ts"
import { type IllegalStateException, RequestPool } from "../services/RequestPool.ts"
import { RunQueue } from "../services/RunQueue.ts"
import { Sessions } from "../services/Sessions.ts"
import type { ServerSettings } from "../services/Settings.ts"
import { SharedState } from "../services/SharedState.ts"
import { abilities, refuseUnenforceable } from "./config/Enforcement.ts"
import * as InitializedGraphs from "./evaluation/InitializedGraphs.ts"
import * as MemoryBudgets from "./evaluation/MemoryBudgets.ts"
import * as TraversalEvaluator from "./evaluation/TraversalEvaluator.ts"
import * as ConfiguredCallServices from "./graphs/ConfiguredCallServices.ts"
import * as ConfiguredGraphs from "./graphs/ConfiguredGraphs.ts"
import * as GraphsHealth from "./observability/GraphsHealth.ts"
import * as PrometheusMetrics from "./observability/PrometheusMetrics.ts"
import * as ServerDiagnostics from "./observability/ServerDiagnostics.ts"
import * as SlowQueryLog from "./observability/SlowQueryLog.ts"
import * as FiberSessions from "./requests/FiberSessions.ts"
import * as LaneRequestPool from "./requests/LaneRequestPool.ts"
import * as RequestDispatcher from "./requests/RequestDispatcher.ts"
import * as RunQueueLayer from "./requests/RunQueue.ts"
import * as Channelizers from "./transport/Channelizers.ts"
import * as Authenticators from "./trust/Authenticators.ts"
import * as Authorizers from "./trust/Authorizers.ts"
import * as CredentialStores from "./trust/CredentialStores.ts"
import { guardedAuthenticator, guardedAuthorizer } from "./trust/OwnParts.ts"

/**
 * Parts that replace the server's own. A program with its own authenticator or authorizer also interprets the settings
 * `authentication` and `authorization` itself.
 */
export interface ServerParts {
  readonly authenticator?: Layer.Layer<Authenticator>
  readonly authorizer?: Layer.Layer<Authorizer>
  /** Services of call(), in addition to those of the setting `callServices`. */
  readonly callServices?: ReadonlyArray<Service>
  /** Replaces the settings `graphs`, `traversalSources`, `datasets` and `initialization`. */
  readonly graphs?: Layer.Layer<GraphRegistry, GraphUnavailable | TraversalSourceInvalid, Config>
  /** Replaces the settings `enginePool`, `maxWorkQueueSize` and `enginePoolVirtualThreads`. */
  readonly pool?: Layer.Layer<RequestPool, IllegalStateException, Config | RunQueue>
  /** Replaces the transport of the setting `channelizer`. It must authenticate its clients itself. */
  readonly channelizer?: Layer.Layer<
    Channelizer,
    ChannelizerUnusable | ListenFailed | SettingRefused,
    Channelizers.ChannelizerParts
  >
}

/** A program's own authenticator manages its users itself. */
const noUsers = Layer.succeed(Credentials, null)

/** Gauges of pool, run queue, memory, sessions and index builds. */
const gauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const { graphs } = yield* GraphRegistry
    const metrics = yield* Metrics
    const memory = yield* MemoryBudget
    const pool = yield* RequestPool
    const runQueue = yield* RunQueue
    const sessions = yield* Sessions
    const size = () => pool.status().size
    metrics.gauge("engine_server_pool_size", "Requests that may be evaluated at once.", size, "max")
    metrics.gauge("engine_server_pool_running", "Requests being evaluated in the pool.", () => pool.status().running)
    metrics.gauge("engine_server_pool_queued", "Requests waiting for the pool.", () => pool.status().queued)
    metrics.gauge("engine_server_pool_lanes", "Lanes that exist.", () => pool.status().lanes)
    metrics.gauge("engine_server_run_queue", "Evaluations waiting for their next slice.", () => runQueue.length())
    metrics.gauge("engine_server_memory_held_bytes", "Bytes that requests and sessions hold, estimated.", () =>
      memory.used()
    )
    metrics.gauge("engine_server_sessions", "Open sessions.", () => sessions.count())
    const building = () =>
      Array.from(graphs, ([graph, { management }]) =>
        (management.building ?? []).map((one) => ({ graph, ...one }))
      ).flat()
    metrics.gauge("engine_server_indexes_building", "Indexes that are being built.", () => building().length)
    metrics.gaugeBy(
      "engine_server_index_building_vertices",
      "Vertices examined for an index that is being built.",
      () => building().map(({ graph, name, vertices }) => ({ labels: { graph, index: name }, value: vertices }))
    )
  })
)

/** Fails before any part of the server is made, because the first parts write data: the default user, the data of scripts. */
const refusePool = Effect.gen(function* () {
  const settings = yield* Config
  yield* refuseImpossiblePool(settings, Option.isSome(yield* Effect.serviceOption(SharedState)))
})

/** The server as one layer. `parts` replace parts of the server. */
export const composition = (settings: ServerSettings, parts: ServerParts = {}) => {
  const able = {
    ...abilities,
    authenticators:
      parts.authenticator === undefined ? abilities.authenticators : [settings.authentication.authenticator],
    authorization: abilities.authorization || parts.authorizer !== undefined
  }
  const config = Layer.succeed(Config, settings)
  const enforced = parts.graphs === undefined ? settings : { ...settings, graphs: new Map<string, never>() }
  const services = ConfiguredCallServices.layer(parts.callServices ?? [])
  const graphs =
    parts.graphs ?? InitializedGraphs.layer.pipe(Layer.provide(ConfiguredGraphs.layer), Layer.provide(services))
  const base = Layer.mergeAll(
    RunQueueLayer.layer,
    MemoryBudgets.layer,
    PrometheusMetrics.layer,
    SlowQueryLog.layer,
    parts.authenticator === undefined ? Authenticators.layer : guardedAuthenticator(parts.authenticator),
    parts.authorizer === undefined ? Authorizers.layer : guardedAuthorizer(parts.authorizer),
    graphs,
    services
  ).pipe(Layer.provideMerge(parts.authenticator === undefined ? CredentialStores.layer : noUsers))
  const work = FiberSessions.layer.pipe(
    Layer.provideMerge(parts.pool ?? LaneRequestPool.layer),
    Layer.provideMerge(base)
  )
  const requests = RequestDispatcher.layer.pipe(
    Layer.provideMerge(TraversalEvaluator.layer),
    Layer.provideMerge(gauges),
    Layer.provideMerge(GraphsHealth.layer),
    Layer.provideMerge(work)
  )
  return ServerDiagnostics.layer.pipe(
    Layer.provideMerge(parts.channelizer ?? Channelizers.layer),
    Layer.provideMerge(requests),
    Layer.provideMerge(Layer.effectDiscard(parts.pool === undefined ? refusePool : Effect.void)),
    Layer.provideMerge(Layer.effectDiscard(refuseUnenforceable(enforced, able))),
    Layer.provideMerge(config)
  )
}
