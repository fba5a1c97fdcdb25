import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { graphIndexWatcher, jobObject, relationIndexWatcher } from "./IndexActions.ts"
import { Committing, type Method } from "./ScriptObject.ts"

/** The names of the instances that have the graph open, this one with JanusGraph's mark. */
const openInstances = async (graph: CellGraph): Promise<ReadonlyArray<string>> => {
  const { instances } = graph.core.cells
  if (instances === undefined) return [`${graph.name}(current)`]
  return (await instances.list()).map(({ name }) => (name === instances.name ? `${name}(current)` : name))
}

const forceClose = async (graph: CellGraph, name: string, asked: bigint): Promise<void> => {
  const { instances } = graph.core.cells
  if (instances === undefined) {
    throw new TraversalError(
      `forceCloseInstance(): the instance ${name} cannot be closed: this server is the only one that has the graph ${graph.name} open.`
    )
  }
  try {
    await instances.forceClose(name, asked)
  } catch (error) {
    if (error instanceof StorageFailure) throw new TraversalError(`forceCloseInstance(): ${error.message}`)
    throw error
  }
}

/**
 * What JanusGraph's management has for its cluster, as far as it means something here: scripts that wait for an index, or
 * look for instances that are gone, run as they are.
 */
export const clusterCalls = (graph: CellGraph): Readonly<Record<string, Method>> => {
  // What began after the management was opened is alive.
  const opened = BigInt(Date.now()) * 1000n
  return {
    // Static methods, which Groovy lets an object call.
    awaitGraphIndexStatus: ([, name]) => graphIndexWatcher(graph, String(name)),
    awaitRelationIndexStatus: ([, name, type]) => relationIndexWatcher(graph, String(name), String(type)),
    getOpenInstances: () => openInstances(graph),
    forceCloseInstance: ([name]) =>
      new Committing(async (keeps) => {
        await forceClose(graph, String(name), opened)
        keeps(`the end of the instance ${String(name)}`)
        return null
      }),
    // A commit is one transaction of the store: no vertex is left in halves.
    removeGhostVertices: () => jobObject(graph, Promise.resolve()),
    get: ([name]) => noSettings(graph, "get", name),
    set: ([name]) => noSettings(graph, "set", name)
  }
}

const noSettings = (graph: CellGraph, method: string, name: unknown): never => {
  throw new TraversalError(
    `${method}(): the setting ${String(name)} is none of the schema's: settings of the graph ${graph.name} are in its properties file, and have effect from the next start on.`
  )
}
