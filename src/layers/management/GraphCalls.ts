import type { GraphQuestion } from "../../gremlin/HostCall.ts"
import type { HostObject } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { GraphAccess } from "../../services/Authorizer.ts"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import type { ScriptGraphs } from "../../services/ScriptGraphs.ts"
import type { Transactions } from "../../services/Transactions.ts"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { MemoryGraph } from "../../storage/memory/MemoryGraph.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { featuresObject } from "./Features.ts"
import { configurationObject, type OptionSource } from "./GraphConfiguration.ts"
import { Held, storeOf } from "./GraphHandles.ts"
import { typeMethods } from "./GraphTypes.ts"
import { variablesObject } from "./GraphVariables.ts"
import { indexFields } from "./IndexFields.ts"
import { openManagement } from "./ManagementObject.ts"
import { Committing, elementOf, type Keeps } from "./ScriptObject.ts"
import { separateTransaction, transactionBuilder } from "./TransactionCalls.ts"

/** The start of the server, as initialisation scripts need it. */
export interface Starting {
  /** True for a persistent graph with vertices, such as those of an earlier start. */
  readonly isFilled: (store: GraphStore) => Promise<boolean>
  /** Logs a warning. */
  readonly note: (text: string) => void
}

/** The request or session whose script calls a method. */
export interface CallContext extends OptionSource {
  readonly transactions: Transactions
  readonly keeps: Keeps
  /** Largest estimated size, in bytes, of a graph that a script creates. */
  readonly maxGraphBytes: number
  /** Present while initialisation scripts run. */
  readonly starting?: Starting
  /**
   * The graphs that are created while the server runs; undefined for none. Throws Forbidden for users who may not manage them, or may not
   * change the named one.
   */
  readonly dynamicGraphs: (changed?: string) => DynamicGraphs | undefined
  /** The graphs that scripts open by options. Throws Forbidden for users who may not manage graphs. */
  readonly scriptGraphs: () => ScriptGraphs
  /** The open graph of the server with a name; undefined for none. */
  readonly findGraph: (name: string) => GraphStore | undefined
  /** The names of the graphs of the server, sorted, with those that are closed until their next use. */
  readonly graphNames: () => ReadonlyArray<string>
  /** The names of the traversal sources of the server, sorted. */
  readonly sourceNames: () => ReadonlyArray<string>
}

/** A method of a graph in scripts: the access that it needs, and what it does. */
interface GraphMethod {
  readonly access: GraphAccess
  readonly run: (store: GraphStore, args: ReadonlyArray<unknown>, context: CallContext) => unknown
}

/** Methods of a graph. traversal(), vertices(), edges(), addVertex() and tx() belong to the language. */
const methods: Readonly<Record<string, GraphMethod>> = {
  toString: { access: "read", run: (store: GraphStore) => store.describe() } as GraphMethod,
  features: { access: "read", run: (store) => featuresObject(store) },
  variables: { access: "read", run: (store) => variablesObject(store) },
  isOpen: { access: "read", run: (store) => store.fault?.isClosed !== true },
  isClosed: { access: "read", run: (store) => store.fault?.isClosed === true },
  newTransaction: { access: "read", run: (store, _, context) => separateTransaction(store, context.transactions) },
  buildTransaction: { access: "read", run: (store, _, context) => transactionBuilder(store, context.transactions) },
  getIndexedKeys: {
    access: "read",
    run: (store, [element]) => [...store.management.indexedKeys(elementOf(element, "getIndexedKeys"))]
  },
  // The language runs them without arguments, after its question.
  compute: { access: "read", run: () => refuseArguments("compute", "the server has one graph computer") },
  clear: { access: "write", run: () => refuseArguments("clear", "it removes all elements") },
  // It names folders and hosts.
  configuration: { access: "management", run: (store, _, context) => configurationObject(store, context) },
  openManagement: {
    access: "management",
    run: (store, _, context) => openManagement(cellGraphOf(store, "openManagement"), context)
  },
  createIndex: { access: "management", run: (store, args) => indexCall(store, "createIndex", args) },
  dropIndex: { access: "management", run: (store, args) => indexCall(store, "dropIndex", args) },
  close: { access: "read", run: (store, _, context) => closeGraph(store, context) },
  ...Object.fromEntries(
    Array.from(typeMethods, ([method, run]): [string, GraphMethod] => [
      method,
      { access: "read", run: (store, [name]) => run(cellGraphOf(store, method), name) }
    ])
  )
}

/** The answers to what the language asks for the methods compute(), clear() and indexQuery(), which it runs itself. */
const questions: Readonly<Record<GraphQuestion, GraphMethod>> = {
  // As TinkerGraph and JanusGraph.
  persistedByComputation: {
    access: "read",
    run: (store) => (store instanceof CellGraph ? "EDGES" : "VERTEX_PROPERTIES")
  },
  assertClearable: { access: "write", run: (store) => assertClears(store) },
  fieldsOfIndex: {
    access: "read",
    run: (store, [name, element]) => indexFields(cellGraphOf(store, "indexQuery"), name, element)
  }
}

const refuseArguments = (method: string, reason: string): never => {
  throw new TraversalError(`${method}() takes no argument: ${reason}.`)
}

/** Throws TraversalError for a graph that is no TinkerGraph: only a TinkerGraph has clear(). */
const assertClears = (store: GraphStore): null => {
  if (store instanceof MemoryGraph) return null
  throw new TraversalError(`clear(): the graph ${store.name} is no TinkerGraph. g.V().drop() removes its elements.`)
}

/** The names of the methods of a graph. */
export const graphMethods: ReadonlySet<string> = new Set([...Object.keys(methods), "indexQuery"])

/** A method or a question; undefined for another name. */
const callNamed = (name: string): GraphMethod | undefined => {
  if (Object.hasOwn(methods, name)) return methods[name]
  return Object.hasOwn(questions, name) ? questions[name as GraphQuestion] : undefined
}

/** Methods of a separate transaction besides commit() and rollback(), and besides the methods of graphs. */
const separateMethods: Readonly<Record<string, (held: Held) => unknown>> = {
  toString: ({ text }: Held) => text,
  isOpen: ({ separate }) => separate?.isOpen === true,
  isClosed: ({ separate }) => separate?.isOpen !== true
}

/** The access that a call of a method on a graph needs. */
export const accessOfGraphCall = (name: string): GraphAccess => callNamed(name)?.access ?? "read"

/** Calls a method of a graph or of a separate transaction. */
export const callGraph = (
  of: HostObject,
  name: string,
  args: ReadonlyArray<unknown>,
  context: CallContext
): unknown => {
  const store = storeOf(of)
  if (of.handle instanceof Held && of.handle.separate !== undefined) {
    const run = Object.hasOwn(separateMethods, name) ? separateMethods[name] : undefined
    if (run !== undefined) return run(of.handle)
    if (name === "fieldsOfIndex") return questions.fieldsOfIndex.run(store, args, context)
    throw new TraversalError(`A transaction has no method ${name}().`)
  }
  const method = callNamed(name)
  if (method === undefined) {
    throw new TraversalError(`A graph has no method ${name}(): scripts may call ${[...graphMethods].join(", ")}.`)
  }
  return method.run(store, args, context)
}

/** Closes a graph that a script made or opened. Graphs of the server stay open for other requests. */
export const closeGraph = (store: GraphStore, { transactions }: CallContext): null => {
  if (!transactions.owns(store)) {
    throw new TraversalError(`close(): the graph ${store.name} belongs to the server, which closes it at its end.`)
  }
  transactions.disown(store)
  return null
}

/** Creates or drops an index. After the definition is committed, the work continues even if the request ends. */
const indexCall = (
  { management, name: graph }: GraphStore,
  method: "createIndex" | "dropIndex",
  args: ReadonlyArray<unknown>
): Committing => {
  const key = indexKey(args, method)
  const element = elementOf(args[1], method)
  return new Committing((keeps, goOn) => {
    const goesOn = (): void => {
      keeps(`${method}('${key}') of the graph '${graph}', which continues`)
      goOn()
    }
    return method === "createIndex"
      ? management.createIndex(key, element, { goesOn })
      : management.dropIndex(key, element, { goesOn })
  })
}

const indexKey = (args: ReadonlyArray<unknown>, name: string): string => {
  const [key] = args
  if (typeof key === "string") return key
  throw new TraversalError(
    `${name}() takes the name of a property key and a class, such as ${name}('uid', Vertex.class).`
  )
}

/** The graph, which must have a schema. Throws TraversalError if it has none. */
export const cellGraphOf = (store: GraphStore, method: string): CellGraph => {
  if (store instanceof CellGraph) return store
  throw new TraversalError(
    `${method}(): the graph ${store.name} (${store.describe()}) has no schema. To index it, call graph.createIndex('key', ` +
      "Vertex.class). Graphs of JanusGraphFactory have JanusGraph's management, unless storage.memory.schema=false."
  )
}
