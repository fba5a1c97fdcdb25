import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parseScript } from "../../gremlin/Parser.ts"
import { SourceExpression } from "../../gremlin/Script.ts"
import { withConstants } from "../../gremlin/ScriptConstants.ts"
import type { Instruction } from "../../process/language/Bytecode.ts"
import { errorOf, Pending } from "../../scheduling/Pending.ts"
import { Config } from "../../services/Config.ts"
import {
  GraphRegistry,
  GraphUnavailable,
  type TraversalSource,
  TraversalSourceInvalid
} from "../../services/GraphRegistry.ts"
import type { GraphSettings, TraversalSourceSettings } from "../../services/GraphSettings.ts"
import type { DatasetSettings, ServerSettings } from "../../services/Settings.ts"
import { isFirstProcess } from "../../services/WorkerProcess.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { keepsVertices } from "./Emptiness.ts"
import { loadGratefulDead } from "./GraphFile.ts"
import { scopedGraph } from "./GraphStores.ts"
import { scriptGraphs } from "./ScriptGraphLayer.ts"

/** The instructions that the expression of a source, such as `g.withStrategies(...)`, adds to each traversal. */
const instructionsOf = (
  settings: TraversalSourceSettings
): Effect.Effect<ReadonlyArray<Instruction>, TraversalSourceInvalid> =>
  Effect.try({
    try: () => {
      if (settings.expression === undefined) return []
      const script = parseScript(settings.expression)
      const [statement, ...more] = script.statements
      if (statement?.kind === "expression" && more.length === 0) {
        if (statement.value instanceof SourceExpression)
          return withConstants(script, statement.value.bytecode).sourceInstructions
        // `g` itself: the plain source under another name.
        if (/^\s*g\s*;?\s*$/.test(settings.expression)) return []
      }
      throw new Error(`'${settings.expression}' must be a traversal source made from g, such as g.withStrategies(...)`)
    },
    catch: (cause) =>
      new TraversalSourceInvalid({
        source: settings.name,
        reason: errorOf(cause).message
      })
  })

const isFilled = (store: GraphStore, { file, graph }: DatasetSettings): Effect.Effect<boolean, GraphUnavailable> =>
  Effect.tryPromise({
    try: () => keepsVertices(store),
    catch: (cause) => new GraphUnavailable({ graph, file, reason: errorOf(cause).message })
  })

const load = (store: GraphStore, { dataset, file, graph }: DatasetSettings): Effect.Effect<void, GraphUnavailable> =>
  Effect.tryPromise({
    try: async () => {
      if (dataset === "grateful") return Pending.toPromise(loadGratefulDead(store, file ?? ""))
      const { loadToyGraph } = await import("../../storage/memory/ToyGraphs.ts")
      return Pending.toPromise(loadToyGraph(dataset, store))
    },
    catch: (cause) => new GraphUnavailable({ graph, file, reason: errorOf(cause).message })
  })

/** Opens the configuration graph. Servers without one do not load the code of dynamic graphs. */
const dynamicGraphs = (
  settings: ServerSettings,
  configurationGraph: GraphSettings,
  served: { readonly graphs: Map<string, GraphStore>; readonly sources: ReadonlyMap<string, TraversalSource> }
) =>
  Effect.flatMap(
    Effect.promise(() => import("./dynamic/DynamicGraphLayer.ts")),
    (layer) => layer.dynamicGraphs(settings, configurationGraph, served)
  )

/**
 * Opens the graphs and sources of the settings. All of them are open before the server listens; otherwise it does not
 * start.
 */
export const layer: Layer.Layer<GraphRegistry, GraphUnavailable | TraversalSourceInvalid, Config> = Layer.scoped(
  GraphRegistry,
  Effect.gen(function* () {
    const settings = yield* Config
    const graphs = new Map<string, GraphStore>()
    for (const [name, graph] of settings.graphs) {
      const store = yield* scopedGraph(graph)
      graphs.set(name, store)
    }
    const isFirst = yield* isFirstProcess
    for (const dataset of isFirst ? settings.datasets : []) {
      const store = graphs.get(dataset.graph)
      if (store === undefined) continue
      if (yield* isFilled(store, dataset))
        yield* Effect.logInfo(`The graph '${dataset.graph}' is not empty, so ${dataset.dataset} is not loaded`)
      // After an interruption the graph would be closed while it is loaded. To load it takes a moment.
      else yield* Effect.uninterruptible(load(store, dataset))
    }
    const sources = new Map<string, TraversalSource>()
    for (const source of settings.traversalSources) {
      const store = graphs.get(source.graph)
      if (store === undefined) {
        return yield* new TraversalSourceInvalid({
          source: source.name,
          reason: `there is no graph '${source.graph}' under graphs`
        })
      }
      sources.set(source.name, {
        name: source.name,
        store,
        settings: { instructions: yield* instructionsOf(source) }
      })
    }
    const { configurationGraph } = settings
    const dynamic = configurationGraph && (yield* dynamicGraphs(settings, configurationGraph, { graphs, sources }))
    const plain = new WeakMap<GraphStore, TraversalSource>()
    return {
      graphs,
      sources,
      ...(dynamic === undefined ? {} : { dynamic }),
      opened: yield* scriptGraphs(settings, dynamic),
      plain: (store) => {
        let source = plain.get(store)
        if (source === undefined) {
          source = { name: store.name, store, settings: { instructions: [] } }
          plain.set(store, source)
        }
        return source
      }
    }
  })
)
