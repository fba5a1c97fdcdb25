import type { HostObject } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { Pending } from "../../scheduling/Pending.ts"
import { MemoryGraph } from "../../storage/memory/MemoryGraph.ts"
import { type TinkerGraphMemoryOptions, tinkerGraph, tinkerTransactionGraph } from "../../storage/memory/Options.ts"
import { addToyGraph, loadToyGraph, type ToyGraph, toyGraph } from "../../storage/memory/ToyGraphs.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { type CallContext, graphMethods } from "./GraphCalls.ts"
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
export const keepGraph = (graph: MemoryGraph, { transactions }: CallContext): HostObject => {
  transactions.own(graph)
  return madeGraphObject(graph, graphMethods)
}

const idManagers = ["ANY", "LONG", "INTEGER", "UUID", "STRING"]

/** The options of TinkerGraph that scripts can set, and what each takes. */
const tinkerGraphOptions: { readonly [name: string]: readonly string[] } = {
  vertexIdManager: idManagers,
  edgeIdManager: idManagers,
  vertexPropertyIdManager: idManagers,
  defaultVertexPropertyCardinality: ["single", "list", "set"],
  allowNullPropertyValues: ["true", "false"]
}

/** The options of `TinkerGraph.open(configuration)`, a map. Throws TraversalError for one that a graph of a script cannot have. */
const tinkerOptions = (kind: string, args: ReadonlyArray<unknown>): TinkerGraphMemoryOptions => {
  const [given = new GremlinMap()] = args
  if (!(given instanceof GremlinMap) || args.length > 1) {
    throw new TraversalError(`${kind}.open() takes options, such as ${kind}.open(new BaseConfiguration()).`)
  }
  const options: Record<string, string | boolean> = {}
  for (const [key, value] of given) {
    if (/^(?:gremlin|engine)\.graph$/.test(String(key))) continue
    const [, name = ""] = /^(?:gremlin|engine)\.tinkergraph\.(\w+)$/.exec(String(key)) ?? []
    const allowed = Object.hasOwn(tinkerGraphOptions, name) ? tinkerGraphOptions[name]! : []
    const text = value instanceof EnumValue ? value.name : String(value)
    const meant = allowed.find((each) => each.toLowerCase() === text.toLowerCase())
    if (meant === undefined) throw new TraversalError(refusedOption(kind, String(key), text, allowed))
    options[name] = name === "allowNullPropertyValues" ? meant === "true" : meant
  }
  return options
}

const refusedOption = (kind: string, key: string, value: string, allowed: readonly string[]): string =>
  allowed.length > 0
    ? `${kind}.open(): ${key} is one of ${allowed.join(", ")}, not ${JSON.stringify(value)}.`
    : `${kind}.open(): a graph of a script has no option ${JSON.stringify(key)}. Its options are gremlin.tinkergraph. with ` +
      `${Object.keys(tinkerGraphOptions).join(", ")}; g.io('file').read() reads a file.`

/** `TinkerGraph.open()`, `TinkerTransactionGraph.open()`: an empty graph that only this request or session uses. */
export const openMadeGraph = (
  kind: "TinkerGraph" | "TinkerTransactionGraph",
  args: ReadonlyArray<unknown>,
  context: CallContext
): HostObject => {
  const options = { ...tinkerOptions(kind, args), maxBytes: context.maxGraphBytes }
  const make = kind === "TinkerGraph" ? tinkerGraph : tinkerTransactionGraph
  return keepGraph(new MemoryGraph(make(MADE_GRAPH, options)), context)
}

/** A method of TinkerFactory: `createModern()` makes a graph, `generateModern(graph)` adds the data to a graph. */
export const callTinkerFactory = (name: string, store: GraphStore | undefined, context: CallContext): unknown => {
  const [, verb, toy = ""] = /^(create|generate)(\w+)$/.exec(name) ?? []
  const known = Object.hasOwn(toys, toy) ? toys[toy] : undefined
  const { starting } = context
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
  if (verb === "create") return keepGraph(toyGraph(known, MADE_GRAPH), context)
  if (store === undefined) throw new TraversalError(`TinkerFactory.${name}() takes a graph, such as ${name}(graph).`)
  if (starting === undefined) {
    addToyGraph(known, context.transactions.open(store))
    return null
  }
  return new Committing(async (keeps) => {
    if (await starting.isFilled(store)) {
      starting.note(`The graph '${store.name}' is not empty, so ${known} is not loaded`)
      return null
    }
    await Pending.toPromise(loadToyGraph(known, store))
    keeps(`the data of ${toy} in the graph '${store.name}'`)
    return null
  })
}
