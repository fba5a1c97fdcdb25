import type { HostAnswer, HostCall } from "../../gremlin/HostCall.ts"
import { HostObject, ScriptSource } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { User } from "../../services/Authenticator.ts"
import type { Authorization, GraphAccess } from "../../services/Authorizer.ts"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import { Forbidden } from "../../services/Errors.ts"
import { managementProblem } from "../../services/GraphManagement.ts"
import { type GraphRegistry, sourceNamed, type TraversalSource } from "../../services/GraphRegistry.ts"
import { OPENED_GRAPH, type ScriptGraphs } from "../../services/ScriptGraphs.ts"
import type { HostConstant } from "../../structure/collections/HostConstant.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { sourceOf } from "../graphs/dynamic/GraphNames.ts"
import { callClass, isGraph } from "../management/ClassCalls.ts"
import { accessOfGraphCall, type CallContext, callGraph, graphMethods } from "../management/GraphCalls.ts"
import { namedGraphObject } from "../management/GraphFactoryCalls.ts"
import { Held, madeGraphObject, notOpen, separateObject, storeOf } from "../management/GraphHandles.ts"
import { answerOf, ScriptObject } from "../management/ScriptObject.ts"
import { MADE_GRAPH } from "../management/ToyGraphCalls.ts"

type MethodCall = Extract<HostCall, { kind: "method" }> & { readonly of: HostObject | ClassName | HostConstant }

/**
 * The graph of a call, and the kind of access to it. Undefined for a call that only makes a value, or that uses a graph of the
 * script itself.
 */
export const accessOfCall = (
  call: MethodCall
): { readonly graph: string; readonly access: GraphAccess } | undefined => {
  const found = neededAccess(call)
  return found === undefined || [MADE_GRAPH, OPENED_GRAPH].includes(found.graph) ? undefined : found
}

const neededAccess = ({ args, name, of }: MethodCall) => {
  if (of instanceof HostObject) {
    if (of.handle instanceof ScriptObject) return { graph: of.handle.graph, access: of.handle.access }
    return { graph: storeOf(of).name, access: accessOfGraphCall(name) }
  }
  const [first] = args
  if (!isGraph(first)) return undefined
  const isSource = of instanceof ClassName && of.simpleName === "AnonymousTraversalSource"
  return { graph: storeOf(first).name, access: isSource ? ("read" as const) : ("management" as const) }
}

/** The name of the plain source of a graph. No variable can have this name. */
const plainName = (graph: string): string => `${graph}${PLAIN_SUFFIX}`

const PLAIN_SUFFIX = ".traversal()"

/** The variables of every script. */
export const scriptGlobals = (registry: typeof GraphRegistry.Service): Map<string, unknown> => {
  const globals = new Map<string, unknown>()
  for (const [name, store] of registry.graphs) globals.set(name, graphObject(registry, name, store))
  for (const name of registry.dynamic?.sources.keys() ?? []) globals.set(name, new ScriptSource(name))
  for (const name of registry.sources.keys()) globals.set(name, new ScriptSource(name))
  return globals
}

/** A graph of the server as scripts see it. */
const graphObject = (registry: typeof GraphRegistry.Service, name: string, store: GraphStore): HostObject =>
  registry.dynamic?.settingsOf(name) === undefined
    ? new HostObject("graph", graphMethods, store, new ScriptSource(plainName(name)))
    : namedGraphObject(name, (wanted) => registry.graphs.get(wanted))

/** The graph of a source of scripts, or the separate transaction to which the source belongs. Throws TraversalError. */
export const graphOfSource = (registry: typeof GraphRegistry.Service, source: ScriptSource): HostObject => {
  if (source.handle instanceof Held) return heldObject(source.handle)
  const { store } = registeredSource(registry, source)
  for (const [name, graph] of registry.graphs) if (graph === store) return graphObject(registry, name, graph)
  return heldObject(new Held(store))
}

const heldObject = (held: Held): HostObject =>
  held.separate === undefined ? madeGraphObject(held.store, graphMethods) : separateObject(held.separate)

/** The settings of all sources that no configuration names: they share plans. */
const plainSettings = { instructions: [] }

/** The traversal source of the server that a source in a script stands for. Throws TraversalError. */
export const registeredSource = (
  registry: typeof GraphRegistry.Service,
  { handle, name }: ScriptSource
): TraversalSource => {
  if (handle instanceof Held) return { name, store: handle.store, settings: plainSettings }
  const source = sourceNamed(registry, name)
  if (source !== undefined) return source
  for (const [graph, store] of registry.graphs) if (plainName(graph) === name) return registry.plain(store)
  if (name.endsWith(PLAIN_SUFFIX)) throw notOpen(name.slice(0, -PLAIN_SUFFIX.length))
  const closed = registry.dynamic?.list().find((graph) => sourceOf(graph.name) === name)
  if (closed !== undefined) throw notOpen(closed.name)
  throw new TraversalError(`There is no traversal source '${name}'.`)
}

/** The names of all graphs of the server, sorted, with those that are closed until their next use. */
export const graphNames = ({ dynamic, graphs }: typeof GraphRegistry.Service): ReadonlyArray<string> =>
  [...new Set([...graphs.keys(), ...(dynamic?.list() ?? []).map(({ name }) => name)])].sort()

/** The names of all traversal sources of the server, sorted. */
export const sourceNames = ({ dynamic, sources }: typeof GraphRegistry.Service): ReadonlyArray<string> =>
  [...new Set([...sources.keys(), ...(dynamic?.sources.keys() ?? [])])].sort()

/** The source of scripts for a graph of the server. */
export const plainSource = (store: { readonly name: string }): ScriptSource => new ScriptSource(plainName(store.name))

/** The dynamic graphs, for a user who may manage them, and who may change the named one. Undefined for none. Throws Forbidden. */
export const manageableGraphs = (
  { dynamic }: typeof GraphRegistry.Service,
  authorization: Authorization | null,
  user: User,
  changed: string | undefined
): DynamicGraphs | undefined => {
  const problem = managementProblem(dynamic, authorization, user, changed)
  if (problem === undefined) return dynamic
  throw new Forbidden(problem)
}

/** The graphs that scripts open, for a user who may manage graphs. Initialisation scripts may. Throws Forbidden. */
export const openableGraphs = (
  { opened }: typeof GraphRegistry.Service,
  authorization: Authorization | null,
  user: User,
  isStarting: boolean
): ScriptGraphs => {
  const problem = isStarting ? undefined : managementProblem(opened, authorization, user)
  if (problem !== undefined) throw new Forbidden(problem)
  if (opened !== undefined) return opened
  throw new TraversalError(
    "JanusGraphFactory: scripts cannot open graphs here. The graphs of the server are variables."
  )
}

/** Runs a method that a script calls on an object or class of the server. */
export const callMethod = ({ args, name, of }: MethodCall, context: CallContext): HostAnswer => {
  if (of instanceof HostObject) {
    return of.handle instanceof ScriptObject
      ? of.handle.call(name, args, context.keeps)
      : answerOf(callGraph(of, name, args, context), context.keeps)
  }
  const className = of instanceof ClassName ? of.simpleName : of.className
  return answerOf(callClass({ className, name, args, of }, context), context.keeps)
}
