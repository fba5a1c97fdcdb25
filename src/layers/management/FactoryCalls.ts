import { HostObject } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { GraphConfiguration } from "../../services/DynamicGraphs.ts"
import { OPENED_GRAPH, type ScriptGraphs } from "../../services/ScriptGraphs.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import { type CallContext, closeGraph, graphMethods } from "./GraphCalls.ts"
import { namedGraphObject } from "./GraphFactoryCalls.ts"
import { madeGraphObject, storeOf } from "./GraphHandles.ts"
import { Committing, ScriptObject, stringOf } from "./ScriptObject.ts"

/** The methods of JanusGraphFactory that scripts may call. */
export const janusGraphFactoryMethods: ReadonlySet<string> = new Set(["open", "build", "close", "drop"])

/** Calls a method of JanusGraphFactory. Throws for users who may not manage graphs. */
export const callJanusGraphFactory = (method: string, args: ReadonlyArray<unknown>, context: CallContext): unknown => {
  const graphs = context.scriptGraphs()
  switch (method) {
    case "open":
      return openGraph(graphs, wantedOf(args), context)
    case "build":
      return graphBuilder(graphs, context)
    default:
      return method === "close" ? closeGraph(graphOf(method, args), context) : dropGraph(graphs, args, context)
  }
}

const wantedOf = ([wanted]: ReadonlyArray<unknown>): string | GraphConfiguration => {
  if (typeof wanted === "string") return wanted
  if (wanted instanceof GremlinMap) return new Map(Array.from(wanted, ([key, value]) => [String(key), optionOf(value)]))
  throw new TraversalError(
    "JanusGraphFactory.open() takes a properties file, a backend or options, such as open('inmemory') or " +
      "open(new MapConfiguration(['storage.backend': 'inmemory']))."
  )
}

/** A list of hosts is a text with commas, as in a properties file. */
const optionOf = (value: unknown): unknown => (Array.isArray(value) ? value.join(",") : value)

/** The script waits for the graph even if its request ends, so that its end closes the graph. */
const openGraph = (graphs: ScriptGraphs, wanted: string | GraphConfiguration, context: CallContext): Committing =>
  new Committing(async () => {
    const found = await graphs.open(wanted)
    if (found.kind === "served") return namedGraphObject(found.name, context.findGraph)
    context.transactions.own(found.store, found.close)
    return madeGraphObject(found.store, graphMethods)
  })

const graphBuilder = (graphs: ScriptGraphs, context: CallContext): ScriptObject => {
  const options = new Map<string, unknown>()
  const builder: ScriptObject = new ScriptObject("graph builder", OPENED_GRAPH, null, {
    set: ([key, value]) => {
      options.set(stringOf(key, "set", "the name of an option"), optionOf(value))
      return builder
    },
    open: () => openGraph(graphs, options, context)
  })
  return builder
}

const graphOf = (method: string, [graph]: ReadonlyArray<unknown>) => {
  if (graph instanceof HostObject && graph.type === "graph") return storeOf(graph)
  throw new TraversalError(`JanusGraphFactory.${method}() takes a graph, such as JanusGraphFactory.${method}(graph).`)
}

const dropGraph = (graphs: ScriptGraphs, args: ReadonlyArray<unknown>, { transactions }: CallContext): Committing => {
  const store = graphOf("drop", args)
  if (!transactions.owns(store)) {
    throw new TraversalError(
      `JanusGraphFactory.drop(): the graph ${store.name} belongs to the server. ConfiguredGraphFactory.drop('name') drops a graph ` +
        "that it created; the data of other graphs is deleted while the server is stopped."
    )
  }
  return new Committing(async (keeps, goesOn) => {
    transactions.rollback((open) => open === store)
    await graphs.drop(store, goesOn)
    keeps(`the drop of the graph in ${store.describe()}`)
    transactions.disown(store)
    return null
  })
}
