import { readdirSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { bareConstants } from "../../../gremlin/parser/JanusGraphEnums.ts"
import { isEnumName, namedClasses, optionConstants, shorts } from "../../../gremlin/parser/Names.ts"
import { errorOf } from "../../../scheduling/Pending.ts"
import type { DynamicGraphs } from "../../../services/DynamicGraphs.ts"
import { GraphUnavailable } from "../../../services/GraphRegistry.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import type { ServerSettings } from "../../../services/Settings.ts"
import { WorkerProcess } from "../../../services/WorkerProcess.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import { descriptorLimit } from "../../config/SystemLimits.ts"
import { allowsManagedGraphs, graphOpener } from "../GraphOpener.ts"
import { scopedGraph } from "../GraphStores.ts"
import { makePrivate } from "../PrivateFolder.ts"
import { ConfigurationGraph } from "./ConfigurationGraph.ts"
import { DynamicGraphList } from "./DynamicGraphList.ts"
import { deleteData, isShared } from "./GraphData.ts"
import { GraphRules } from "./GraphRules.ts"
import { openInFolder } from "./OpenedFolder.ts"
import { OpenGraphs } from "./OpenGraphs.ts"
import { otherWorkers } from "./OtherWorkers.ts"

/** Files that stay free for connections and answers. */
const FREE_FILES = 64
/** Longest time between two checks for unused graphs, ms. */
const MAX_IDLE_INTERVAL_MS = 30_000

/** Whether scripts read the name as a class or a constant of the language. */
const isWord = (name: string): boolean =>
  shorts.has(name) ||
  namedClasses.has(name) ||
  bareConstants.has(name) ||
  isEnumName(name) ||
  Object.hasOwn(optionConstants, name)

const hasFiles = (): boolean => {
  const limit = descriptorLimit()
  return limit === undefined || readdirSync("/proc/self/fd").length + FREE_FILES <= limit
}

const levels = { info: Effect.logInfo, warning: Effect.logWarning, error: Effect.logError } as const

/** The graphs and sources of the configuration file. */
interface ServedGraphs {
  readonly graphs: Map<string, GraphStore>
  readonly sources: ReadonlyMap<string, unknown>
}

/** The error of a graph whose opening or reading failed. */
const unavailable =
  ({ file, name }: GraphSettings) =>
  (cause: unknown): GraphUnavailable =>
    new GraphUnavailable({ graph: name, file, reason: errorOf(cause).message })

const make = (
  settings: ServerSettings,
  configurationGraph: GraphSettings,
  store: GraphStore,
  served: ServedGraphs,
  openStore: (settings: GraphSettings) => Promise<GraphStore>
) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const { maxGraphs, maxOpenGraphs } = settings.dynamicGraphs
    const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerProcess))
    const log = (level: keyof typeof levels, text: string): void => void Runtime.runFork(runtime)(levels[level](text))
    const own = new Set([...served.graphs.keys(), ...served.sources.keys()])
    const list = yield* Effect.tryPromise({
      try: async () =>
        new DynamicGraphList({
          rules: new GraphRules(settings, configurationGraph, worker !== undefined),
          graph: await ConfigurationGraph.open(store),
          open: new OpenGraphs(served.graphs),
          taken: (name) => own.has(name) || isWord(name),
          allowed: allowsManagedGraphs(settings),
          maxGraphs,
          maxOpenGraphs,
          hasFiles,
          openStore: (wanted) => openInFolder(wanted, openStore),
          deleteData,
          log,
          others:
            worker === undefined ? undefined : otherWorkers(worker.peers, worker.number, (text) => log("warning", text))
        }),
      catch: unavailable(configurationGraph)
    })
    yield* Effect.addFinalizer(() => Effect.promise(() => list.end()))
    worker?.peers.onAsk("graphsChanged", ({ dropped, worker }) => list.changed(worker, dropped).then(() => null))
    worker?.peers.onAsk("releaseGraph", ({ name, worker }) => list.release(name, worker))
    return list
  })

/** Repeats an operation at an interval, and logs its failures. */
const repeatedly = (what: string, interval: number, work: () => Promise<void>) =>
  Effect.tryPromise({ try: work, catch: errorOf }).pipe(
    Effect.catchAll(({ message }) => Effect.logError(`${what} failed, and is tried again: ${message}`)),
    Effect.schedule(Schedule.spaced(interval)),
    Effect.forkScoped
  )

/**
 * The graphs that are created while the server runs, until the scope closes. Fails when the configuration graph cannot be opened or
 * read.
 */
export const dynamicGraphs = (
  settings: ServerSettings,
  configurationGraph: GraphSettings,
  served: ServedGraphs
): Effect.Effect<DynamicGraphs, GraphUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    yield* makePrivate(configurationGraph)
    const store = yield* scopedGraph(configurationGraph)
    const runtime = yield* Effect.runtime<never>()
    const ending = new AbortController()
    const list = yield* make(settings, configurationGraph, store, served, graphOpener(runtime, ending.signal))
    yield* Effect.addFinalizer(() => Effect.sync(() => ending.abort()))
    yield* Effect.tryPromise({ try: () => list.begin(), catch: unavailable(configurationGraph) })
    if (!store.features.persistent) {
      yield* Effect.logWarning(
        "The configuration graph is in memory: the graphs that clients create end with the server"
      )
    }
    const { idleTimeout, refreshInterval } = settings.dynamicGraphs
    // A worker that was busy may have missed a change of another one.
    if (isShared(configurationGraph) || Option.isSome(yield* Effect.serviceOption(WorkerProcess))) {
      yield* repeatedly("Reading the configuration graph", refreshInterval, () => list.refresh())
    }
    if (idleTimeout > 0) {
      const interval = Math.min(MAX_IDLE_INTERVAL_MS, Math.max(1, idleTimeout / 4))
      yield* repeatedly("Closing unused graphs", interval, () => list.closeIdle(idleTimeout))
    }
    return list
  })
