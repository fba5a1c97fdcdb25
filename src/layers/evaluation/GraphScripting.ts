import {
  type HostAnswer,
  type HostCall,
  HostConstant,
  HostObject,
  TraversalSource as ScriptSource
} from "../../gremlin/Scope.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { GraphAccess } from "../../services/Authorizer.ts"
import type { GraphRegistry } from "../../services/GraphRegistry.ts"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { initializeSchema } from "../../storage/janusgraph/management/SchemaJson.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { ClassName, Duration } from "../../structure/Temporal.ts"
import { multiplicities, parameterObject } from "../management/Builders.ts"
import { graphIndexWatcher, relationIndexWatcher } from "../management/IndexActions.ts"
import { openManagement } from "../management/ManagementObject.ts"
import { answerOf, Committing, type Keeps, numberOf, ScriptObject } from "../management/ScriptObject.ts"

type MethodCall = Extract<HostCall, { kind: "method" }>

/** Methods of a graph that scripts may call. traversal(), vertices(), edges(), addVertex() and tx() belong to the language. */
const graphMethods = new Set(["createIndex", "dropIndex", "getIndexedKeys", "openManagement", "toString"])

/** Methods of classes of JanusGraph's management, and of Duration, that scripts may call. */
export const scriptClasses: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["ManagementSystem", new Set(["awaitGraphIndexStatus", "awaitRelationIndexStatus"])],
  ["JsonSchemaInitStrategy", new Set(["initializeSchemaFromString"])],
  ["Duration", new Set(["ofDays", "ofHours", "ofMinutes", "ofSeconds", "ofMillis"])],
  ["Mapping", new Set(["asParameter"])],
  ["Parameter", new Set(["of"])]
])

/** The graph of a call, and the kind of access to it. Undefined for a call that only makes a value. */
export const accessOfCall = ({
  args,
  name,
  of
}: MethodCall): { readonly graph: string; readonly access: GraphAccess } | undefined => {
  if (of instanceof HostObject) {
    if (of.handle instanceof ScriptObject) return { graph: of.handle.graph, access: "management" }
    const isRead = name === "toString" || name === "getIndexedKeys"
    return { graph: (of.handle as GraphStore).name, access: isRead ? "read" : "management" }
  }
  const [first] = args
  if (!(first instanceof HostObject) || first.type !== "graph") return undefined
  return { graph: (first.handle as GraphStore).name, access: "management" }
}

/** The name of the plain source of a graph. No variable can have this name. */
const plainName = (graph: string): string => `${graph}.traversal()`

/** The variables of every script. */
export const scriptGlobals = (registry: typeof GraphRegistry.Service): Map<string, unknown> => {
  const globals = new Map<string, unknown>()
  // The console and the server of JanusGraph import them.
  for (const name of multiplicities) globals.set(name, new HostConstant("Multiplicity", name))
  for (const [name, store] of registry.graphs) {
    globals.set(name, new HostObject("graph", graphMethods, store, new ScriptSource(plainName(name))))
  }
  for (const name of registry.sources.keys()) globals.set(name, new ScriptSource(name))
  return globals
}

/** The traversal source of the server that a source in a script stands for. Throws TraversalError. */
export const registeredSource = (registry: typeof GraphRegistry.Service, name: string) => {
  const source = registry.sources.get(name)
  if (source !== undefined) return source
  for (const [graph, store] of registry.graphs) if (plainName(graph) === name) return registry.plain(store)
  throw new TraversalError(`There is no traversal source '${name}'.`)
}

/** Runs a method that a script calls on an object or class of the server. */
export const callMethod = ({ args, name, of }: MethodCall, keeps: Keeps): HostAnswer => {
  if (!(of instanceof HostObject)) {
    return answerOf(callClass(of instanceof ClassName ? of.name : of.className, name, args, of), keeps)
  }
  if (of.handle instanceof ScriptObject) return of.handle.call(name, args, keeps)
  const store = of.handle as GraphStore
  switch (name) {
    case "toString":
      return { value: store.describe() }
    case "createIndex":
    case "dropIndex":
      return answerOf(indexCall(store, name, indexKey(args, name), elementOf(args[1], name)), keeps)
    case "openManagement":
      return answerOf(openManagement(cellGraphOf(store, name)), keeps)
    case "getIndexedKeys":
      return { value: [...store.management.indexedKeys(elementOf(args[0], name))] }
    default:
      throw new TraversalError(`A graph has no method ${name}(): scripts may call ${[...graphMethods].join(", ")}.`)
  }
}

/** Creates or drops an index. Once the definition is committed, the work goes on even when the request ends. */
const indexCall = (
  { management, name: graph }: GraphStore,
  method: "createIndex" | "dropIndex",
  key: string,
  element: "vertex" | "edge"
): Committing =>
  new Committing((keeps, goOn) => {
    const goesOn = (): void => {
      keeps(`${method}('${key}') of the graph '${graph}', which goes on`)
      goOn()
    }
    return method === "createIndex"
      ? management.createIndex(key, element, { goesOn })
      : management.dropIndex(key, element, { goesOn })
  })

const indexKey = (args: ReadonlyArray<unknown>, name: string): string => {
  const [key] = args
  if (typeof key === "string") return key
  throw new TraversalError(
    `${name}() takes the name of a property key and a class, such as ${name}('uid', Vertex.class).`
  )
}

/** The graph as one with a schema. Throws TraversalError for a graph without. */
const cellGraphOf = (store: GraphStore, method: string): CellGraph => {
  if (store instanceof CellGraph) return store
  throw new TraversalError(
    `${method}(): the graph ${store.name} (${store.describe()}) has no schema. Indexes of a graph in memory are made by ` +
      "graph.createIndex('key', Vertex.class); a graph with storage.backend=lmdb has JanusGraph's management, and one with " +
      "storage.backend=inmemory and storage.memory.schema=true."
  )
}

/** The graph that is the first argument of a call. */
const graphArgument = (value: unknown, method: string): CellGraph => {
  if (value instanceof HostObject && value.type === "graph") return cellGraphOf(value.handle as GraphStore, method)
  throw new TraversalError(`${method}() takes a graph first.`)
}

const schemaCall = (graph: CellGraph, json: string): Committing =>
  new Committing((keeps, goesOn) => {
    let isTold = false
    const committed = (): void => {
      if (!isTold) keeps(`types of the graph '${graph.name}'`)
      isTold = true
    }
    return initializeSchema(graph, json, { committed, goesOn })
  })

const seconds: Readonly<Record<string, number>> = {
  ofDays: 86_400,
  ofHours: 3_600,
  ofMinutes: 60,
  ofSeconds: 1,
  ofMillis: 0.001
}

const callClass = (className: string, name: string, args: ReadonlyArray<unknown>, of: unknown): unknown => {
  switch (name) {
    case "awaitGraphIndexStatus":
      return graphIndexWatcher(graphArgument(args[0], name), String(args[1]))
    case "awaitRelationIndexStatus":
      return relationIndexWatcher(graphArgument(args[0], name), String(args[1]), String(args[2]))
    case "initializeSchemaFromString":
      return schemaCall(graphArgument(args[0], name), String(args[1]))
    case "asParameter":
      return parameterObject("mapping", of)
    case "of":
      return parameterObject(String(args[0]), args[1])
    default: {
      const millis = Math.round(numberOf(args[0], `${className}.${name}`) * (seconds[name] ?? 0) * 1000)
      const whole = Math.floor(millis / 1000)
      return new Duration(BigInt(whole), (millis - whole * 1000) * 1_000_000)
    }
  }
}

const elementOf = (argument: unknown, name: string): "vertex" | "edge" => {
  const simple = argument instanceof ClassName ? argument.name.slice(argument.name.lastIndexOf(".") + 1) : ""
  if (simple === "Vertex") return "vertex"
  if (simple === "Edge") return "edge"
  throw new TraversalError(`${name}() takes Vertex.class or Edge.class to say what is indexed.`)
}
