import type { HostObject } from "../../gremlin/Scope.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { Pending } from "../../scheduling/Pending.ts"
import { MemoryGraph } from "../../storage/memory/MemoryGraph.ts"
import { tinkerGraph, tinkerTransactionGraph } from "../../storage/memory/Options.ts"
import { loadToyGraph, type ToyGraph, toyGraph } from "../../storage/memory/ToyGraphs.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { graphMethods, type ScriptPlace } from "./GraphCalls.ts"
import { madeGraphObject } from "./GraphHandles.ts"
import { Committing } from "./ScriptObject.ts"

/** The name of a graph that a script made, in messages. No other request can use the graph, so its access is not checked. */
export const MADE_GRAPH = "tinkergraph of this script"

/** TinkerPop's toy graphs by the end of the names of TinkerFactory's methods. */
const toys: Readonly<Record<string, ToyGraph>> = {
  Modern: "modern",
  Classic: "classic",
  TheCrew: "crew",
  KitchenSink: "sink"
}

/** The names of TinkerFactory's methods. */
export const toyGraphMethods: ReadonlySet<string> = new Set(
  [...Object.keys(toys), "GratefulDead", "AirRoutes"].flatMap((toy) => [`create${toy}`, `generate${toy}`])
)

/** Gives a graph that a script made to its request or session. */
export const keepGraph = (graph: MemoryGraph, { transactions }: ScriptPlace): HostObject => {
  transactions.own(graph)
  return madeGraphObject(graph, graphMethods)
}

/** `TinkerGraph.open()`, `TinkerTransactionGraph.open()`: an empty graph that only this request or session uses. */
export const openMadeGraph = (
  kind: "TinkerGraph" | "TinkerTransactionGraph",
  args: ReadonlyArray<unknown>,
  place: ScriptPlace
): HostObject => {
  if (args.length > 0) {
    throw new TraversalError(
      `${kind}.open() takes no configuration in scripts. A graph with options has a properties file on the server.`
    )
  }
  const options = { maxBytes: place.maxGraphBytes }
  const make = kind === "TinkerGraph" ? tinkerGraph : tinkerTransactionGraph
  return keepGraph(new MemoryGraph(make(MADE_GRAPH, options)), place)
}

/** A method of TinkerFactory: `createModern()` makes a graph, `generateModern(graph)` adds the data to a graph. */
export const callTinkerFactory = (name: string, store: GraphStore | undefined, place: ScriptPlace): unknown => {
  const [, verb, toy = ""] = /^(create|generate)(\w+)$/.exec(name) ?? []
  const known = Object.hasOwn(toys, toy) ? toys[toy] : undefined
  const { starting } = place
  if (known === undefined && starting !== undefined && toy === "GratefulDead" && store !== undefined) {
    starting.note(`The graph '${store.name}' stays empty: name the file of the grateful data set in lifecycleHooks`)
    return null
  }
  if (known === undefined) {
    throw new TraversalError(
      `TinkerFactory.${name}(): the data of this graph is in a file, which this server does not include. Put the file into the ` +
        "folder of io() and read it by g.io('file').read().iterate()."
    )
  }
  if (verb === "create") return keepGraph(toyGraph(known, MADE_GRAPH), place)
  if (store === undefined) throw new TraversalError(`TinkerFactory.${name}() takes a graph, such as ${name}(graph).`)
  return new Committing(async (keeps) => {
    if (starting !== undefined && (await starting.isFilled(store))) {
      starting.note(`The graph '${store.name}' is not empty, so ${known} is not loaded`)
      return null
    }
    await Pending.toPromise(loadToyGraph(known, store))
    keeps(`the data of ${toy} in the graph '${store.name}'`)
    return null
  })
}
