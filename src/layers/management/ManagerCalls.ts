import { ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { OPENED_GRAPH } from "../../services/ScriptGraphs.ts"
import type { CallContext } from "./GraphCalls.ts"
import { callGraphFactory, configurationMethods, namedGraphObject } from "./GraphFactoryCalls.ts"
import { type Method, refuseSurplus, ScriptObject, stringOf } from "./ScriptObject.ts"

/**
 * Objects of JanusGraph's classes with one instance. Their methods check the access of the user at each call, as the methods of
 * ConfiguredGraphFactory do, because a session may keep the object.
 */

/** `ConfigurationManagementGraph.getInstance()`: the configurations of graphs. */
export const configurationsObject = (context: CallContext, args: ReadonlyArray<unknown>): ScriptObject => {
  const methods: Record<string, Method> = {}
  for (const name of configurationMethods) methods[name] = (args) => callGraphFactory(name, args, context)
  // JanusGraph fails here already, if there is no configuration graph.
  callGraphFactory("getInstance", args, context)
  return new ScriptObject("ConfigurationManagementGraph", OPENED_GRAPH, null, methods)
}

/** `JanusGraphManager.getInstance()`: the graphs of the server by name. */
export const managerObject = (context: CallContext): ScriptObject => {
  const allowed = (name: string, most: number, method: Method): Method => {
    return (args) => {
      context.dynamicGraphs()
      refuseSurplus(name, args, most)
      return method(args)
    }
  }
  const methods: Readonly<Record<string, Method>> = {
    getGraphNames: allowed("getGraphNames", 0, () => [...context.graphNames()]),
    getGraph: allowed("getGraph", 1, ([name]) =>
      graphNamed(stringOf(name, "getGraph", "the name of a graph"), context)
    ),
    openGraph: allowed("openGraph", 2, ([given]) => {
      const name = stringOf(given, "openGraph", "the name of a graph")
      if (context.graphNames().includes(name)) return graphNamed(name, context)
      throw new TraversalError(`openGraph(): there is no graph '${name}'. ${CREATED_BY}`)
    }),
    getTraversalSourceNames: allowed("getTraversalSourceNames", 0, () => [...context.sourceNames()]),
    getTraversalSource: allowed("getTraversalSource", 1, ([given]) => {
      const name = stringOf(given, "getTraversalSource", "the name of a traversal source")
      return sourceNamed(name, context)
    }),
    putGraph: allowed("putGraph", 2, () => {
      throw new TraversalError(`putGraph(): a graph cannot be given a name while the server runs. ${CREATED_BY}`)
    }),
    removeGraph: allowed("removeGraph", 1, () => {
      throw new TraversalError(
        "removeGraph(): the server keeps its graphs until its end. ConfiguredGraphFactory.close('name') closes a graph that it " +
          "created, and drop('name') deletes it."
      )
    })
  }
  context.dynamicGraphs()
  return new ScriptObject("JanusGraphManager", OPENED_GRAPH, null, methods)
}

const CREATED_BY =
  "ConfiguredGraphFactory.create('name') makes a graph, and the setting graphs names the graphs that the server opens at its start."

/** The traversal source of a name, whose graph is opened if it is closed; null for none. */
const sourceNamed = (name: string, context: CallContext): unknown => {
  if (context.sourceNames().includes(name)) return new ScriptSource(name)
  const graph = context.graphNames().find((other) => `${other}_traversal` === name)
  if (graph === undefined || context.findGraph(graph) !== undefined) return null
  const open = context.dynamicGraphs()?.open(graph)
  return open?.then(() => new ScriptSource(name)) ?? null
}

/** The graph of a name, which is opened if it was closed meanwhile; null for none. */
const graphNamed = (name: string, context: CallContext): unknown => {
  if (!context.graphNames().includes(name)) return null
  if (context.findGraph(name) !== undefined) return namedGraphObject(name, context.findGraph)
  return callGraphFactory("open", [name], context)
}
