import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { errorOf } from "../../scheduling/Pending.ts"
import type { GraphUnavailable } from "../../services/GraphRegistry.ts"
import { cellGraphDefaults, type GraphFactory, type GraphSettings } from "../../services/GraphSettings.ts"
import { lateModule } from "../../services/LateModules.ts"
import { importModule } from "../../services/OwnModules.ts"
import { WorkerIdentity } from "../../services/WorkerIdentity.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { GraphLog, Opening } from "./CellGraphs.ts"
import { unavailable } from "./Unavailable.ts"

const isGraphStore = (value: unknown): value is GraphStore =>
  typeof value === "object" && value !== null && "begin" in value && "features" in value && "close" in value

/** What a module must do so that several workers share its graph. */
const SHARED_BY_MODULE =
  "a module shares a graph if it makes it from the settings that it gets: openGraph({ ...settings, factory })"

/** Why several workers cannot share the graph of a module, and what to do. */
const keptInMemory = (module: string): string =>
  `the graph of ${module} is in the memory of one process, and workers cannot share it. Set workers to 1, or keep the graph on disk: ` +
  SHARED_BY_MODULE

/** Calls the default export of an ES module. */
const called = async (module: string, settings: GraphSettings): Promise<unknown> => {
  const loaded = await importModule(module)
  if (typeof loaded.default !== "function") throw new Error(`${module} has no function as its default export`)
  return loaded.default(settings)
}

/** Closes what a module opened for a start that was interrupted meanwhile. */
const closeLate = async (opened: unknown): Promise<void> => {
  if (isGraphStore(opened)) await opened.close()
}

/**
 * Calls the default export of an ES module with the settings. It returns the open graph. A module cannot be interrupted, and may never
 * end: an interruption does not wait for it.
 */
const fromModule = (given: GraphSettings, module: string): Effect.Effect<GraphStore, GraphUnavailable> =>
  Effect.gen(function* () {
    const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerIdentity))
    const settings = worker === undefined ? given : { ...given, worker }
    const opened = yield* Effect.async<unknown, GraphUnavailable>((resume) => {
      const opening = called(module, settings)
      opening.then(
        (graph) => resume(Effect.succeed(graph)),
        (cause: unknown) => {
          const { message } = errorOf(cause)
          // A worker that does not say whose worker it is, takes the others for another server, also the one that it replaces.
          const hint =
            worker !== undefined && message.includes("is in use by another server")
              ? ` With workers, ${SHARED_BY_MODULE}`
              : ""
          resume(unavailable(settings, message + hint))
        }
      )
      return Effect.sync(() => void opening.then(closeLate).catch(() => undefined))
    })
    if (!isGraphStore(opened))
      return yield* unavailable(settings, `the default export of ${module} did not return a GraphStore`)
    if (worker?.hasOthers !== true || opened.features.persistent) return opened
    yield* Effect.promise(() => opened.close())
    return yield* unavailable(settings, keptInMemory(module))
  })

/** Opens a graph in memory. Servers without one do not load the module. */
const inMemory = (
  open: (module: typeof import("./MemoryGraphs.ts")) => Effect.Effect<GraphStore, GraphUnavailable>
): Effect.Effect<GraphStore, GraphUnavailable> =>
  Effect.flatMap(
    Effect.promise(() => lateModule(import("./MemoryGraphs.ts"))),
    open
  )

type JanusGraphSettings = Extract<GraphFactory, { readonly kind: "JanusGraphFactory" }>

const levels = { info: Effect.logInfo, warning: Effect.logWarning, error: Effect.logError } as const

/**
 * Opens a graph over cells and logs its events. Interruption ends the wait for locks. If the graph opens nevertheless, it is
 * closed.
 */
const overCells = (
  settings: GraphSettings,
  open: (opening: Opening) => Promise<GraphStore>
): Effect.Effect<GraphStore, GraphUnavailable> =>
  Effect.flatMap(Effect.all([Effect.runtime<never>(), Effect.serviceOption(WorkerIdentity)]), ([runtime, identity]) =>
    Effect.async((resume, signal) => {
      const log: GraphLog = (level, text) => void Runtime.runFork(runtime)(levels[level](text))
      const opened = open({ log, signal, worker: Option.getOrUndefined(identity) ?? settings.worker })
      opened.then(
        (store) => resume(Effect.succeed(store)),
        (cause) => resume(unavailable(settings, errorOf(cause).message))
      )
      const close = (store: GraphStore): Promise<void> => store.close()
      return Effect.promise(() => opened.then(close, () => undefined))
    })
  )

/** Opens a graph in LMDB files. */
const inFiles = (
  settings: GraphSettings,
  { cells = cellGraphDefaults, storage }: JanusGraphSettings,
  temporary = false
): Effect.Effect<GraphStore, GraphUnavailable> =>
  overCells(settings, async (opening) => {
    // Servers without a graph on disk do not load the module.
    const { openLmdbGraph } = await lateModule(import("./LmdbGraphs.ts"))
    const { mustExist = false, readOnly } = storage
    const directory = storage.directory!
    return openLmdbGraph({ name: settings.name, directory, readOnly, mustExist, cells, temporary }, opening)
  })

/** Opens a graph in a keyspace of Cassandra. */
const inKeyspace = (
  settings: GraphSettings,
  { cells = cellGraphDefaults, storage }: JanusGraphSettings
): Effect.Effect<GraphStore, GraphUnavailable> =>
  overCells(settings, async (opening) => {
    const { openCqlGraph } = await lateModule(import("./CqlGraphs.ts"))
    return openCqlGraph(settings, storage, cells, opening)
  })

/**
 * Opens a graph in memory with a schema. Its cells are in temporary files, which are removed when the graph closes. Commits do
 * not wait for the disk, and the page cache keeps the files in memory.
 */
const inTemporaryFiles = (
  settings: GraphSettings,
  { cells = cellGraphDefaults, kind, storage }: JanusGraphSettings
): Effect.Effect<GraphStore, GraphUnavailable> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: async () => {
        // Servers without such a graph do not load the module.
        const { newTemporaryFolder } = await lateModule(import("../../storage/lmdb/TemporaryFolders.ts"))
        return newTemporaryFolder()
      },
      catch: (cause) => unavailable(settings, `storage.memory.schema: ${errorOf(cause).message}`)
    }),
    (directory) =>
      inFiles(
        settings,
        { kind, storage: { ...storage, directory, mustExist: false }, cells: { ...cells, lmdbSync: "none" } },
        true
      )
  )

const janusGraph = (
  settings: GraphSettings,
  factory: JanusGraphSettings
): Effect.Effect<GraphStore, GraphUnavailable> => {
  switch (factory.storage.backend) {
    case "inmemory":
      if (factory.storage.schema ?? true) return inTemporaryFiles(settings, factory)
      return inMemory(({ openJanusGraph }) => openJanusGraph(settings))
    case "lmdb":
      return inFiles(settings, factory)
    case "cql":
      return inKeyspace(settings, factory)
  }
}

/** Opens the graph of a properties file. */
export const openGraph = (settings: GraphSettings): Effect.Effect<GraphStore, GraphUnavailable> => {
  const { factory } = settings
  switch (factory.kind) {
    case "TinkerGraph":
      return inMemory(({ openTinkerGraph }) => openTinkerGraph(settings, factory.tinkergraph))
    case "TinkerTransactionGraph":
      return inMemory(({ openTinkerTransactionGraph }) => openTinkerTransactionGraph(settings, factory.tinkergraph))
    case "JanusGraphFactory":
      return janusGraph(settings, factory)
    case "module":
      return fromModule(settings, factory.module)
  }
}

/** Opens a graph, and closes it with the scope. An interruption, such as by SIGTERM, ends the wait for its locks. */
export const scopedGraph = (settings: GraphSettings): Effect.Effect<GraphStore, GraphUnavailable, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.tap(restore(openGraph(settings)), (store) => Effect.addFinalizer(() => Effect.promise(() => store.close())))
  )
