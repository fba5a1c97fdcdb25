import { TraversalError } from "../../process/Errors.ts"
import type { CellGraph } from "../../storage/cells/CellGraph.ts"
import { graphIndexWatcher, jobObject, relationIndexWatcher } from "./IndexActions.ts"
import type { Method } from "./ScriptObject.ts"

/**
 * What JanusGraph's management has for its cluster, as far as it means something for a graph that one server has: scripts
 * that wait for an index, or look for instances that are gone, run as they are.
 */
export const clusterCalls = (graph: CellGraph): Readonly<Record<string, Method>> => ({
  // Static methods, which Groovy lets an object call.
  awaitGraphIndexStatus: ([, name]) => graphIndexWatcher(graph, String(name)),
  awaitRelationIndexStatus: ([, name, type]) => relationIndexWatcher(graph, String(name), String(type)),
  getOpenInstances: () => [`${graph.name}(current)`],
  forceCloseInstance: ([name]) => {
    throw new TraversalError(
      `forceCloseInstance(): the instance ${String(name)} cannot be closed: this server is the only one that has the graph ${graph.name} open.`
    )
  },
  // A commit is one transaction of the store: no vertex is left in halves.
  removeGhostVertices: () => jobObject(graph, Promise.resolve()),
  get: ([name]) => noSettings(graph, "get", name),
  set: ([name]) => noSettings(graph, "set", name)
})

const noSettings = (graph: CellGraph, method: string, name: unknown): never => {
  throw new TraversalError(
    `${method}(): the setting ${String(name)} is none of the schema's: settings of the graph ${graph.name} are in its properties file, and have effect from the next start on.`
  )
}
