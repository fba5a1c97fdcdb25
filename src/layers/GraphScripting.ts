import { type HostCall, HostObject, TraversalSource as ScriptSource } from "../gremlin/Scope.ts"
import { TraversalError } from "../process/Errors.ts"
import type { GraphAccess } from "../services/Authorizer.ts"
import type { GraphRegistry } from "../services/GraphRegistry.ts"
import type { GraphStore, Later } from "../structure/GraphStore.ts"
import { ClassName } from "../structure/Temporal.ts"
import type { Answer } from "./ScriptProgram.ts"

type MethodCall = Extract<HostCall, { kind: "method" }>

/** What scripts may call on a graph; traversal(), vertices(), edges(), addVertex() and tx() are the language's own. */
const graphMethods = new Set(["createIndex", "dropIndex", "getIndexedKeys", "toString"])

/** What a method does to the graph. */
export const accessOfMethod = (name: string): GraphAccess =>
  name === "toString" || name === "getIndexedKeys" ? "read" : "management"

/** The name of a graph's own source: no variable can have it. */
const plainName = (graph: string): string => `${graph}.traversal()`

/** The names that every script can use, as the interpreter wants them. */
export const scriptGlobals = (registry: typeof GraphRegistry.Service): Map<string, unknown> => {
  const globals = new Map<string, unknown>()
  for (const [name, store] of registry.graphs) {
    globals.set(name, new HostObject("graph", graphMethods, store, new ScriptSource(plainName(name))))
  }
  for (const name of registry.sources.keys()) globals.set(name, new ScriptSource(name))
  return globals
}

/** The server's source that a script's source stands for. */
export const registeredSource = (registry: typeof GraphRegistry.Service, name: string) => {
  const source = registry.sources.get(name)
  if (source !== undefined) return source
  for (const [graph, store] of registry.graphs) if (plainName(graph) === name) return registry.plain(store)
  throw new TraversalError(`There is no traversal source '${name}'.`)
}

/** A Promise as what a run waits for. */
const laterOf = (promise: Promise<unknown>): Later => ({
  onDone: (resume) => {
    promise.then(
      () => resume(undefined),
      (error: unknown) => resume(error instanceof Error ? error : new Error(String(error)))
    )
  }
})

/** Runs a method that a script calls on an object of the server. */
export const callMethod = ({ args, name, of }: MethodCall): Answer => {
  if (!(of instanceof HostObject) || of.type !== "graph") {
    const type = of instanceof HostObject ? of.type : of instanceof ClassName ? of.name : of.className
    throw new TraversalError(`${name}() cannot be called on ${type} in a script of this server.`)
  }
  const store = of.handle as GraphStore
  switch (name) {
    case "toString":
      return { value: store.describe() }
    case "createIndex":
      return { later: laterOf(store.management.createIndex(indexKey(args, name), elementOf(args[1], name))) }
    case "dropIndex":
      return { later: laterOf(store.management.dropIndex(indexKey(args, name), elementOf(args[1], name))) }
    case "getIndexedKeys":
      return { value: [...store.management.indexedKeys(elementOf(args[0], name))] }
    default:
      throw new TraversalError(`A graph has no method ${name}(): scripts may call ${[...graphMethods].join(", ")}.`)
  }
}

const indexKey = (args: ReadonlyArray<unknown>, name: string): string => {
  const [key] = args
  if (typeof key === "string") return key
  throw new TraversalError(
    `${name}() takes the name of a property key and a class, such as ${name}('uid', Vertex.class).`
  )
}

const elementOf = (argument: unknown, name: string): "vertex" | "edge" => {
  const simple = argument instanceof ClassName ? argument.name.slice(argument.name.lastIndexOf(".") + 1) : ""
  if (simple === "Vertex") return "vertex"
  if (simple === "Edge") return "edge"
  throw new TraversalError(`${name}() takes Vertex.class or Edge.class to say what is indexed.`)
}
