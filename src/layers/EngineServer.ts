import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { Channelizer } from "../services/Channelizer.ts"
import { type Config, SettingRefused } from "../services/Config.ts"
import type { Credentials } from "../services/Credentials.ts"
import { defaultSettings, givenSettings } from "../services/DefaultSettings.ts"
import type { Diagnostics } from "../services/Diagnostics.ts"
import type { Dispatcher } from "../services/Dispatcher.ts"
import type { GraphRegistry } from "../services/GraphRegistry.ts"
import { listeningOn } from "../services/ListenAddress.ts"
import type { MemoryBudget } from "../services/MemoryBudget.ts"
import type { Metrics } from "../services/Metrics.ts"
import type { RequestPool } from "../services/RequestPool.ts"
import type { Sessions } from "../services/Sessions.ts"
import type { ServerSettings } from "../services/Settings.ts"
import { WorkerProcess } from "../services/WorkerProcess.ts"
import { composition, type ServerParts } from "./Composition.ts"
import type { ClusterStartError, RunningCluster } from "./workers/Cluster.ts"

/** A server that runs inside this process. */
export interface RunningServer {
  readonly address: AddressInfo
  readonly port: number
  /** Lets requests in flight end, then stops the server. The end of the scope does the same. */
  readonly stop: Effect.Effect<void>
  /** Its services: graphs, pool, sessions and others. */
  readonly services: Context.Context<
    | Channelizer
    | Config
    | Credentials
    | Diagnostics
    | Dispatcher
    | GraphRegistry
    | MemoryBudget
    | Metrics
    | RequestPool
    | Sessions
  >
}

/**
 * Starts a server in this process. It listens when the effect succeeds, until the scope closes or `stop` runs. Fails for a
 * graph that cannot be opened, an address in use, a setting that cannot be honoured, or a runtime that is too old for a
 * setting.
 */
const start = (settings: ServerSettings, parts: ServerParts = {}) =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const own = yield* Scope.fork(outer, ExecutionStrategy.sequential)
    const worker = yield* Effect.serviceOption(WorkerProcess)
    if (Option.isNone(worker) && typeof settings.workers === "number" && settings.workers > 1) {
      return yield* new SettingRefused({
        setting: `workers: ${settings.workers}`,
        reason: "EngineServer.start runs the server in this process. EngineServer.cluster starts workers"
      })
    }
    const services = yield* Layer.buildWithScope(composition(settings, parts), own)
    const { address } = Context.get(services, Channelizer)
    // The primary process of a server with workers logs it once.
    if (Option.isNone(worker))
      yield* Effect.logInfo(`Channel started at port ${address.port}.`).pipe(
        Effect.annotateLogs("address", listeningOn(address))
      )
    const running: RunningServer = {
      address,
      port: address.port,
      stop: Scope.close(own, Exit.void),
      services
    }
    return running
  })

/** An error that stops the start of a server. Its message is for the operator. */
export type StartError = Effect.Effect.Error<ReturnType<typeof start>>

/** A server in this process, as a service. */
export class EngineServer extends Context.Tag("engine-server/EngineServer")<EngineServer, RunningServer>() {
  static readonly start = start

  /**
   * Starts the server with worker processes: see {@link RunningCluster}. It takes no parts, because functions do not reach
   * other processes. Name modules in the settings instead.
   */
  static readonly cluster = (settings: ServerSettings): Effect.Effect<RunningCluster, ClusterStartError, Scope.Scope> =>
    Effect.flatMap(
      Effect.promise(() => import("./workers/Cluster.ts")),
      ({ startCluster }) => startCluster(settings)
    )

  /** The server as a layer: it runs while the scope of the layer is open. */
  static readonly layer = (settings: ServerSettings, parts: ServerParts = {}): Layer.Layer<EngineServer, StartError> =>
    Layer.scoped(EngineServer, start(settings, parts))
}

/** A server for tests: any free port, both transports, and an empty TinkerGraph as `g`, unless overridden. */
export const TestServer = (overrides: Partial<ServerSettings> = {}): Layer.Layer<EngineServer, StartError> =>
  EngineServer.layer(defaultSettings({ port: 0, channelizer: "WsAndHttpChannelizer", ...givenSettings(overrides) }))
