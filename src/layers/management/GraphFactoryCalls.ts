import { HostObject, ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { type DynamicGraphs, GRAPH_NAME, type GraphConfiguration } from "../../services/DynamicGraphs.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { type CallContext, graphMethods } from "./GraphCalls.ts"
import { NamedGraph } from "./GraphHandles.ts"
import { Committing, refuseSurplus } from "./ScriptObject.ts"

/** The methods of an object of JanusGraph's ConfigurationManagementGraph. */
export const configurationMethods: ReadonlySet<string> = new Set([
  ...["createConfiguration", "updateConfiguration", "removeConfiguration", "getConfiguration", "getConfigurations"],
  ...["createTemplateConfiguration", "updateTemplateConfiguration", "removeTemplateConfiguration"],
  ...["getTemplateConfiguration", "getGraphNames"]
])

/** The methods of ConfiguredGraphFactory, and of the class ConfigurationManagementGraph. */
export const graphFactoryMethods: ReadonlySet<string> = new Set([
  ...["create", "open", "close", "drop"],
  ...configurationMethods
])

/** The number of arguments of each method that does not take exactly one. */
const argumentCounts: Readonly<Record<string, number>> = {
  getInstance: 0,
  getGraphNames: 0,
  getConfigurations: 0,
  getTemplateConfiguration: 0,
  removeTemplateConfiguration: 0,
  updateConfiguration: 2,
  removeConfiguration: 2
}

/** The methods that change the graph that their first argument names. */
const changing: ReadonlySet<string> = new Set(["create", "close", "drop", "updateConfiguration", "removeConfiguration"])

/** The name of the graph that a call creates, changes, closes or drops; undefined for other calls, and for a wrong argument. */
const changedBy = (method: string, first: unknown): string | undefined => {
  if (method !== "createConfiguration") return changing.has(method) && typeof first === "string" ? first : undefined
  const name = first instanceof GremlinMap ? first.get(GRAPH_NAME) : undefined
  return name === undefined || name === null ? undefined : String(name)
}

const NOT_ENABLED =
  'Please add a key named "ConfigurationManagementGraph" to the "graphs" property in your YAML file and restart the server to be ' +
  "able to use the functionality of the ConfigurationManagementGraph class."

/** The argument with the name of a graph. */
const nameOf = (method: string, value: unknown): string => {
  if (typeof value === "string") return value
  throw new TraversalError(`ConfiguredGraphFactory.${method}() takes the name of a graph, such as ${method}('graph1').`)
}

/** The argument with options: a map. `new MapConfiguration(map)` returns the map. */
const optionsOf = (method: string, value: unknown): GraphConfiguration => {
  if (!(value instanceof GremlinMap)) {
    throw new TraversalError(
      `ConfiguredGraphFactory.${method}() takes options, such as ${method}(new MapConfiguration(['storage.backend': 'lmdb'])).`
    )
  }
  const options = new Map<string, unknown>()
  for (const [key, option] of value) options.set(String(key), option)
  return options
}

const shown = (configuration: GraphConfiguration | null): GremlinMap | null =>
  configuration === null ? null : new GremlinMap([...configuration].sort(([a], [b]) => (a < b ? -1 : 1)))

/** A graph of the server as scripts see it. Its name finds the open graph, also after it was closed and opened again. */
export const namedGraphObject = (name: string, find: (name: string) => GraphStore | undefined): HostObject =>
  new HostObject("graph", graphMethods, new NamedGraph(name, find), new ScriptSource(`${name}.traversal()`))

/**
 * Calls a method of ConfiguredGraphFactory; `getInstance` only checks that it can be called. Throws for users who may not manage
 * graphs.
 */
export const callGraphFactory = (method: string, args: ReadonlyArray<unknown>, context: CallContext): unknown => {
  const graphs = context.dynamicGraphs(changedBy(method, args[0]))
  if (graphs === undefined) throw new TraversalError(NOT_ENABLED)
  refuseSurplus(method, args, argumentCounts[method] ?? 1)
  const changed = (what: string, change: (begun: () => void) => Promise<unknown>): Committing =>
    new Committing(async (keeps, goesOn) => {
      const result = await change(goesOn)
      keeps(what)
      return result
    })
  const [first, second] = args
  switch (method) {
    case "getInstance":
      return null
    case "createConfiguration":
      return changed("the configuration of a graph", () =>
        quietly(graphs.configurations.create(optionsOf(method, first)))
      )
    case "createTemplateConfiguration":
      return changed("the template configuration", () =>
        quietly(graphs.configurations.createTemplate(optionsOf(method, first)))
      )
    case "updateTemplateConfiguration":
      return changed("the template configuration", () =>
        quietly(graphs.configurations.updateTemplate(optionsOf(method, first)))
      )
    case "removeTemplateConfiguration":
      return changed("the removal of the template configuration", () => quietly(graphs.configurations.removeTemplate()))
    case "getTemplateConfiguration":
      return graphs.configurations.template().then(shown)
    case "getConfigurations":
      return graphs.configurations.all().then((all) => all.map(shown))
    case "getGraphNames":
      return graphs.names().then((names) => [...names])
    case "getConfiguration":
      return graphs.configurations.find(nameOf(method, first)).then(shown)
    case "updateConfiguration": {
      const name = nameOf(method, first)
      const options = optionsOf(method, second)
      return changed(`the configuration of the graph '${name}'`, () =>
        quietly(graphs.configurations.update(name, options))
      )
    }
    case "removeConfiguration":
      if (args.length > 1) {
        const [name, keys] = [nameOf(method, first), keysOf(second)]
        return changed(`the configuration of the graph '${name}'`, () =>
          quietly(graphs.configurations.removeOptions(name, keys))
        )
      }
      return callOnGraph(method, nameOf(method, first), graphs, context, changed)
    default:
      return callOnGraph(method, nameOf(method, first), graphs, context, changed)
  }
}

type Changed = (what: string, change: (begun: () => void) => Promise<unknown>) => Committing

/** Calls a method that works on one graph. If the graph closes, the script's own transaction on it is rolled back first. */
const callOnGraph = (
  method: string,
  name: string,
  graphs: DynamicGraphs,
  context: CallContext,
  changed: Changed
): unknown => {
  const object = (): HostObject => namedGraphObject(name, context.findGraph)
  if (method === "open") return graphs.open(name).then(object)
  if (method === "create") return changed(`the graph '${name}'`, () => graphs.create(name).then(object))
  if (context.graphNames().includes(name) && graphs.list().every((graph) => graph.name !== name)) {
    throw new TraversalError(
      `ConfiguredGraphFactory.${method}(): the graph '${name}' is one of the configuration file of the server, which opens it at its ` +
        "start. To empty it, drop its elements: g.V().drop()."
    )
  }
  const release = (): void => {
    const open = context.findGraph(name)
    if (open !== undefined) context.transactions.rollback((store) => store === open)
  }
  switch (method) {
    case "close":
      release()
      return changed(`the end of the graph '${name}'`, () => quietly(graphs.close(name)))
    case "removeConfiguration":
      release()
      return changed(`the removal of the configuration of '${name}'`, () => quietly(graphs.configurations.remove(name)))
    default:
      return new Committing(async (keeps, goesOn) => {
        if ((await graphs.configurations.find(name)) === null) {
          assertNoData(graphs, name)
          return null
        }
        release()
        await graphs.drop(name, goesOn)
        keeps(`the drop of the graph '${name}'`)
        return null
      })
  }
}

/** As in JanusGraph, the drop of an unknown graph does nothing. Throws TraversalError if the server still has its data. */
const assertNoData = (graphs: DynamicGraphs, name: string): void => {
  if (!graphs.configurations.keepsData(name)) return
  throw new TraversalError(
    `ConfiguredGraphFactory.drop(): the configuration of the graph '${name}' was removed, and its data is kept. To delete the data, ` +
      `create the configuration again with createConfiguration(map) or create('${name}'), and drop the graph then.`
  )
}

/** The names of options: a set or a list of texts. */
const keysOf = (value: unknown): ReadonlySet<string> => {
  const keys = Array.isArray(value) || value instanceof GremlinSet ? [...value] : [null]
  if (keys.every((key) => typeof key === "string")) return new Set(keys)
  throw new TraversalError(
    "removeConfiguration() takes the name of a graph, and the names of options to remove only these, such as " +
      "removeConfiguration('graph1', ['cache.db-cache'] as Set)."
  )
}

const quietly = async (work: Promise<unknown>): Promise<null> => {
  await work
  return null
}
