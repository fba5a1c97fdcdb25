import { Optional } from "../../gremlin/script/values/Optional.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import { checkType } from "../../storage/shared/PropertyWrites.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { bytesOf } from "../../structure/memory/HeldBytes.ts"
import { WritingObject } from "./AccessObjects.ts"
import { type ScriptObject, stringOf } from "./ScriptObject.ts"

/** Estimated bytes that the variables of one graph may have together. */
const MAX_VARIABLES_BYTES = 1_048_576

/** The variables of graphs in memory. They end with their graph. */
const variablesOfGraphs = new WeakMap<GraphStore, Map<string, unknown>>()

/** `graph.variables()`: values that belong to a graph in memory. Fails for a persistent graph, which does not store them. */
export const variablesObject = (store: GraphStore): ScriptObject => {
  if (store.features.persistent) {
    throw new TraversalError(
      `variables(): the graph ${store.name} is on disk and stores no variables. Store the value as a property of a vertex.`
    )
  }
  let variables = variablesOfGraphs.get(store)
  if (variables === undefined) {
    variables = new Map()
    variablesOfGraphs.set(store, variables)
  }
  const all = variables
  return new WritingObject(
    "graph variables",
    store.name,
    null,
    {
      keys: () => new GremlinSet([...all.keys()]),
      get: ([key]) => new Optional(all.get(stringOf(key, "get", "a key"))),
      set: ([key, value]) => {
        assertRoom(all, stringOf(key, "set", "a key"), value)
        all.set(String(key), value)
        return null
      },
      remove: ([key]) => {
        all.delete(stringOf(key, "remove", "a key"))
        return null
      },
      asMap: () => {
        const map = new GremlinMap()
        for (const [key, value] of all) map.set(key, value)
        return map
      },
      toString: () => `variables[size:${all.size}]`
    },
    `variables[size:${all.size}]`
  )
}

/** Throws TraversalError for a value that is not data, and for too much data. */
const assertRoom = (all: ReadonlyMap<string, unknown>, key: string, value: unknown): void => {
  if (value === null || value === undefined) throw new TraversalError("Graph variable value can not be null")
  if (key === "") throw new TraversalError("Graph variable key can not be the empty string")
  checkType(`variable ${key}`, value)
  let bytes = bytesOf(key) + bytesOf(value)
  for (const [other, kept] of all) if (other !== key) bytes += bytesOf(other) + bytesOf(kept)
  if (bytes <= MAX_VARIABLES_BYTES) return
  throw new TraversalError(
    `The variables of a graph may have ${MAX_VARIABLES_BYTES} bytes together. Store large values as properties of vertices.`
  )
}
