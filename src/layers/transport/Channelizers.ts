import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Authenticator } from "../../services/Authenticator.ts"
import { Authorizer } from "../../services/Authorizer.ts"
import { Channelizer, ChannelizerUnusable, type ListenFailed } from "../../services/Channelizer.ts"
import { Config, type SettingRefused } from "../../services/Config.ts"
import { Dispatcher } from "../../services/Dispatcher.ts"
import { GraphRegistry } from "../../services/GraphRegistry.ts"
import { Health } from "../../services/Health.ts"
import { LogControl } from "../../services/LogControl.ts"
import { MemoryBudget } from "../../services/MemoryBudget.ts"
import { Metrics } from "../../services/Metrics.ts"
import { importModule } from "../../services/OwnModules.ts"
import { RequestLog } from "../../services/RequestLog.ts"
import { RunQueue } from "../../services/RunQueue.ts"
import { SharedState } from "../../services/SharedState.ts"
import { isFirstProcess, WorkerProcess } from "../../services/WorkerProcess.ts"
import { forkOver } from "../requests/RequestFibers.ts"
import { endLoads } from "./http/Loader.ts"
import { answerPeers } from "./http/PeerAnswers.ts"
import { listen, type Protocols } from "./Listener.ts"
import { ArrivingBytes } from "./shared/ArrivingBytes.ts"
import { connectionPermits } from "./shared/ConnectionPermits.ts"
import { Connections } from "./shared/Connections.ts"
import { Formats } from "./shared/Formats.ts"
import { endRequestsOfFormerUsers } from "./shared/FormerUsers.ts"
import { ReadingShare } from "./shared/ReadingShare.ts"
import type { TransportContext } from "./shared/TransportContext.ts"

/** The services that a channelizer may use, also one in a module of the user. */
export type ChannelizerParts =
  | Authenticator
  | Authorizer
  | Config
  | Dispatcher
  | GraphRegistry
  | Health
  | MemoryBudget
  | Metrics
  | RequestLog
  | RunQueue

/** A transport over node:http and ws that serves these protocols on one port. */
export const channelizer = (
  protocols: Protocols
): Layer.Layer<Channelizer, ListenFailed | SettingRefused, ChannelizerParts> =>
  Layer.scoped(
    Channelizer,
    Effect.gen(function* () {
      const settings = yield* Config
      const metrics = yield* Metrics
      const { failed } = yield* RequestLog
      const fork = forkOver(yield* Effect.runtime<never>())
      const connections = new Connections(settings, metrics)
      const bounds = Option.getOrUndefined(yield* Effect.serviceOption(SharedState))
      const arriving = new ArrivingBytes(settings.memoryBudget, settings.maxContentLength, bounds?.arriving)
      metrics.gauge(
        "engine_server_arriving_bytes",
        "Bytes of messages that have not arrived completely, or wait to be read.",
        () => arriving.held
      )
      const authenticator = yield* Authenticator
      const runQueue = yield* RunQueue
      const dispatcher = yield* Dispatcher
      yield* endRequestsOfFormerUsers({ authenticator, dispatcher })
      const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerProcess))
      const context: TransportContext = {
        settings,
        metrics,
        connections,
        arriving,
        answers: bounds,
        reading: new ReadingShare(runQueue.atTurnEnd),
        permits: connectionPermits(settings.maxConnections, bounds?.connections),
        formats: new Formats(settings.serializers, settings.maxNestingDepth),
        authenticator,
        authorization: yield* Authorizer,
        dispatcher,
        health: yield* Health,
        registry: yield* GraphRegistry,
        loads: new Map(),
        imports: bounds?.imports,
        log: Option.getOrUndefined(yield* Effect.serviceOption(LogControl)),
        peers: worker?.peers,
        worker: worker?.number,
        startedAt: worker?.startedAt ?? new Date(),
        memory: yield* MemoryBudget,
        runQueue,
        failed,
        runFork: (what, effect, onExit) => {
          fork(effect).addObserver((exit) => {
            if (Exit.isFailure(exit)) for (const defect of Cause.defects(exit.cause)) failed(what, defect)
            onExit(exit)
          })
        }
      }
      answerPeers(context)
      // It runs after the answers and before the graphs close, so that each load ends with a whole commit.
      yield* Effect.addFinalizer(() => endLoads(context))
      const listening = yield* listen(context, protocols)
      return { ...listening, connections: () => connections.size }
    })
  )

/** WebSocket, and the reserved paths over HTTP. The default when the setting is absent. */
export const WebSocketChannelizer = channelizer({ http: false, webSocket: true })

/** HTTP only. */
export const HttpChannelizer = channelizer({ http: true, webSocket: false })

/** WebSocket and HTTP on one port. The shipped configuration has it. */
export const WsAndHttpChannelizer = channelizer({ http: true, webSocket: true })

/** Deprecated: WebSocket and HTTP on one port, and sessions whose requests use the request pool. */
export const UnifiedChannelizer = Layer.tap(WsAndHttpChannelizer, () =>
  Effect.whenEffect(
    Effect.logWarning(
      "UnifiedChannelizer is deprecated: requests of sessions share the request pool with all others. " +
        "Use WsAndHttpChannelizer, where each session has its own fiber."
    ),
    isFirstProcess
  )
)

const isLayer = (value: unknown): value is Layer.Layer<Channelizer, ListenFailed | SettingRefused, ChannelizerParts> =>
  Layer.isLayer(value)

/** The channelizer that is the default export of a module. */
const fromModule = (
  module: string
): Layer.Layer<Channelizer, ChannelizerUnusable | ListenFailed | SettingRefused, ChannelizerParts> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const loaded = yield* Effect.tryPromise({
        try: () => importModule(module),
        catch: (cause) => new ChannelizerUnusable({ module, reason: String(cause) })
      })
      if (isLayer(loaded.default)) return loaded.default
      return yield* new ChannelizerUnusable({
        module,
        reason: "its default export is not a Layer that provides Channelizer; docs/examples/line-channelizer.js is one"
      })
    })
  )

/** The transport that the settings name. */
export const layer: Layer.Layer<Channelizer, ChannelizerUnusable | ListenFailed | SettingRefused, ChannelizerParts> =
  Layer.unwrapEffect(
    Effect.map(Config, ({ channelizer }) => {
      switch (channelizer) {
        case "WebSocketChannelizer":
          return WebSocketChannelizer
        case "HttpChannelizer":
          return HttpChannelizer
        case "WsAndHttpChannelizer":
          return WsAndHttpChannelizer
        case "UnifiedChannelizer":
          return UnifiedChannelizer
        default:
          return fromModule(channelizer.module)
      }
    })
  )
