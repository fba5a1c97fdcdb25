import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { errorOf, Pending } from "../../scheduling/Pending.ts"
import type { GraphUnavailable } from "../../services/GraphRegistry.ts"
import type { GraphSettings, TinkerGraphOptions } from "../../services/GraphSettings.ts"
import { MemoryGraph } from "../../storage/memory/MemoryGraph.ts"
import {
  janusGraphInMemory,
  type MemoryGraphOptions,
  tinkerGraph,
  tinkerTransactionGraph
} from "../../storage/memory/Options.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { loadGraphFile } from "./GraphFile.ts"
import { unavailable } from "./Unavailable.ts"

/** `storage.memory.max-bytes`: the limit of a graph in memory. */
const maxBytes = (settings: GraphSettings): Effect.Effect<number | undefined, GraphUnavailable> => {
  const text = settings.options.get("storage.memory.max-bytes")
  if (text === undefined) return Effect.succeed(undefined)
  const bytes = Number(text)
  return Number.isSafeInteger(bytes) && bytes > 0
    ? Effect.succeed(bytes)
    : Effect.fail(unavailable(settings, `storage.memory.max-bytes must be a whole number of bytes, not '${text}'`))
}

const inMemory = (
  settings: GraphSettings,
  options: (maxBytes: number | undefined) => MemoryGraphOptions
): Effect.Effect<MemoryGraph, GraphUnavailable> =>
  Effect.gen(function* () {
    const given = options(yield* maxBytes(settings))
    const runtime = yield* Effect.runtime()
    const onFault = (reason: string): void => void Runtime.runFork(runtime)(Effect.logError(reason))
    return new MemoryGraph({ ...given, onFault })
  })

const openTinker = (
  settings: GraphSettings,
  options: TinkerGraphOptions,
  kind: typeof tinkerGraph
): Effect.Effect<GraphStore, GraphUnavailable> =>
  Effect.gen(function* () {
    const graph = yield* inMemory(settings, (bytes) => kind(settings.name, { ...options, maxBytes: bytes }))
    const indexed = [
      ...options.vertexIndices.map((key) => [key, "vertex"] as const),
      ...options.edgeIndices.map((key) => [key, "edge"] as const)
    ]
    for (const [key, element] of indexed) {
      yield* Effect.tryPromise({
        try: () => graph.management.createIndex(key, element),
        catch: (cause) => unavailable(settings, errorOf(cause).message)
      })
    }
    const { graphFormat, graphLocation } = options
    if (graphLocation !== undefined && graphFormat !== undefined && existsSync(graphLocation)) {
      yield* Effect.tryPromise({
        // A large file is a long commit, which ends later. The server listens when the graph is complete.
        try: async () => Pending.toPromise(loadGraphFile(graph, graphLocation, graphFormat)),
        catch: (cause) => unavailable(settings, `${graphLocation} cannot be loaded: ${errorOf(cause).message}`)
      })
    }
    return graph
  })

/** Opens TinkerGraph, with the indexes and the file of its options. */
export const openTinkerGraph = (
  settings: GraphSettings,
  options: TinkerGraphOptions
): Effect.Effect<GraphStore, GraphUnavailable> => openTinker(settings, options, tinkerGraph)

/** Opens TinkerTransactionGraph, as {@link openTinkerGraph}. */
export const openTinkerTransactionGraph = (
  settings: GraphSettings,
  options: TinkerGraphOptions
): Effect.Effect<GraphStore, GraphUnavailable> => openTinker(settings, options, tinkerTransactionGraph)

/** Opens JanusGraph's `inmemory` backend without a schema. */
export const openJanusGraph = (settings: GraphSettings): Effect.Effect<GraphStore, GraphUnavailable> =>
  inMemory(settings, (bytes) => janusGraphInMemory(settings.name, { maxBytes: bytes }))
