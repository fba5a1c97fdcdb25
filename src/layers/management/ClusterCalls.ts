import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { PLACE_OF_OPTIONS } from "./GraphConfiguration.ts"
import { jobObject } from "./IndexActions.ts"
import { graphIndexWatcher, relationIndexWatcher } from "./IndexWatchers.ts"
import { Committing, type Method } from "./ScriptObject.ts"

/**
 * Names of the instances that have the graph open. JanusGraph marks the current one. All running workers of this server are marked, because
 * scripts close every instance without the mark.
 */
const openInstances = async (graph: CellGraph): Promise<ReadonlyArray<string>> => {
  const { instances } = graph.core.cells
  if (instances === undefined) return [`${graph.name}(current)`]
  return (await instances.list()).map(({ name }) => (instances.isOfServer(name) ? `${name}(current)` : name))
}

const forceClose = async (graph: CellGraph, name: string, asked: bigint): Promise<void> => {
  const { instances } = graph.core.cells
  if (instances === undefined) {
    throw new TraversalError(
      `forceCloseInstance(): the instance ${name} cannot be closed: only this server has the graph ${graph.name} open.`
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
 * JanusGraph's management methods for a cluster, so that scripts that wait for an index or remove crashed instances run
 * unchanged.
 */
export const clusterCalls = (graph: CellGraph): Readonly<Record<string, Method>> => {
  // An instance that started after this time is not the crashed one.
  const opened = BigInt(Date.now()) * 1000n
  return {
    // Static methods: Groovy allows calling them on an object.
    awaitGraphIndexStatus: ([, name]) => graphIndexWatcher(graph, String(name)),
    awaitRelationIndexStatus: ([, name, type]) => relationIndexWatcher(graph, String(name), String(type)),
    getOpenInstances: () => openInstances(graph),
    forceCloseInstance: ([name]) =>
      new Committing(async (keeps) => {
        await forceClose(graph, String(name), opened)
        keeps(`the end of the instance ${String(name)}`)
        return null
      }),
    // Commits are atomic, so there are no half-removed vertices to remove.
    removeGhostVertices: () => jobObject(graph, Promise.resolve(0)),
    set: ([name]) => notSet(graph, "set", name),
    remove: ([name]) => notSet(graph, "remove", name)
  }
}

const notSet = (graph: CellGraph, method: string, name: unknown): never => {
  throw new TraversalError(
    `${method}(): the option ${String(name)} of the graph ${graph.name} is not changed here: ${PLACE_OF_OPTIONS}`
  )
}
