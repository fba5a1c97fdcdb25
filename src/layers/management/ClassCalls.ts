import { HostObject } from "../../gremlin/ScriptObjects.ts"
import { TraversalError } from "../../process/language/Errors.ts"
import type { Predicate } from "../../process/language/Predicate.ts"
import { compilePredicate } from "../../process/predicates/PredicateEvaluation.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { initializeSchema } from "../../storage/janusgraph/management/SchemaJson.ts"
import { SubGraph } from "../../structure/elements/SubGraph.ts"
import { callJanusGraphFactory, janusGraphFactoryMethods } from "./FactoryCalls.ts"
import { parameterObject } from "./FieldParameters.ts"
import { type CallContext, cellGraphOf } from "./GraphCalls.ts"
import { callGraphFactory, graphFactoryMethods } from "./GraphFactoryCalls.ts"
import { storeOf } from "./GraphHandles.ts"
import { loadGraphOfTheGods } from "./GraphOfTheGods.ts"
import { graphIndexWatcher, relationIndexWatcher } from "./IndexWatchers.ts"
import { configurationsObject, managerObject } from "./ManagerCalls.ts"
import { Committing, refuseSurplus, stringOf } from "./ScriptObject.ts"
import { sleep } from "./Sleep.ts"
import { graphOfSubGraph } from "./SubGraphCalls.ts"
import { callTinkerFactory, openMadeGraph, toyGraphMethods } from "./ToyGraphCalls.ts"

/** Methods of classes that scripts may call and that need the server, by class. */
export const scriptClasses: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["AnonymousTraversalSource", new Set(["traversal", "with", "withEmbedded", "withRemote"])],
  ["ManagementSystem", new Set(["awaitGraphIndexStatus", "awaitRelationIndexStatus"])],
  ["JsonSchemaInitStrategy", new Set(["initializeSchemaFromString"])],
  ["Mapping", new Set(["asParameter"])],
  ["Parameter", new Set(["of"])],
  ["ParameterType", new Set(["getName", "customParameterName"])],
  ["TinkerGraph", new Set(["open"])],
  ["TinkerTransactionGraph", new Set(["open"])],
  ["TinkerFactory", toyGraphMethods],
  ["GraphOfTheGodsFactory", new Set(["load", "loadWithoutMixedIndex"])],
  ["ConfiguredGraphFactory", graphFactoryMethods],
  ["ConfigurationManagementGraph", new Set([...graphFactoryMethods, "getInstance"])],
  ["JanusGraphFactory", new Set([...janusGraphFactoryMethods, "getGraphNames"])],
  ["JanusGraphManager", new Set(["getInstance"])],
  ["P", new Set(["test"])],
  ["Thread", new Set(["sleep"])]
])

/** A call of a static method, or of a method of a constant such as `Mapping.TEXT`. */
interface ClassCall {
  readonly className: string
  readonly name: string
  readonly args: ReadonlyArray<unknown>
  /** The class or the constant. */
  readonly of: unknown
}

/** Calls a method of a class. */
export const callClass = (call: ClassCall, context: CallContext): unknown => {
  const { args, className, name, of } = call
  switch (className) {
    case "AnonymousTraversalSource":
      if (name === "traversal") return of
      return args[0] instanceof SubGraph ? sourceOfSubGraph(args[0], context) : sourceOfGraph(name, args)
    case "ManagementSystem":
      return name === "awaitGraphIndexStatus"
        ? graphIndexWatcher(graphArgument(args[0], name), String(args[1]))
        : relationIndexWatcher(graphArgument(args[0], name), String(args[1]), String(args[2]))
    case "JsonSchemaInitStrategy":
      return schemaCall(graphArgument(args[0], name), String(args[1]))
    case "Mapping":
      return parameterObject("mapping", of)
    case "Parameter":
      return parameterObject(String(args[0]), args[1])
    case "ParameterType":
      return name === "getName" ? parameterName(String(of)) : customName(args)
    case "TinkerGraph":
    case "TinkerTransactionGraph":
      return openMadeGraph(className, args, context)
    case "TinkerFactory":
      return callTinkerFactory(name, isGraph(args[0]) ? storeOf(args[0]) : undefined, context)
    case "GraphOfTheGodsFactory":
      return loadGraphOfTheGods(graphArgument(args[0], name), { isMixed: name === "load", isUnique: args[1] !== false })
    case "JanusGraphManager":
      refuseSurplus(name, args, 0)
      return managerObject(context)
    case "ConfigurationManagementGraph":
      return name === "getInstance" ? configurationsObject(context, args) : callGraphFactory(name, args, context)
    case "ConfiguredGraphFactory":
      return callGraphFactory(name, args, context)
    case "P":
      return compilePredicate(args[0] as Predicate, (operand) => operand)(args[1])
    case "ComputerResult":
      return graphOfSubGraph(args[0] as SubGraph, context)
    case "JanusGraphFactory":
      if (name === "getGraphNames") return managerObject(context).call(name, args, context.keeps).value
      return callJanusGraphFactory(name, args, context)
    case "Thread":
      return sleep(args)
    default:
      throw new TraversalError(`Scripts do not have the method ${className}.${name}().`)
  }
}

/** True for a graph or a separate transaction. */
export const isGraph = (value: unknown): value is HostObject =>
  value instanceof HostObject && (value.type === "graph" || value.type === "transaction")

/** `traversal().with(graph)`: the source of a graph. */
const sourceOfGraph = (name: string, [graph]: ReadonlyArray<unknown>): unknown => {
  if (isGraph(graph) && name !== "withRemote") return graph.source
  throw new TraversalError(
    name === "withRemote" || typeof graph === "string"
      ? "withRemote() connects to another server, which scripts on this server cannot do: traversal().with(graph) uses a graph of it."
      : `traversal().${name}() takes a graph, such as traversal().${name}(graph).`
  )
}

/** `traversal().with(x)` where x is the result of subgraph(). */
const sourceOfSubGraph = (subGraph: SubGraph, context: CallContext): Promise<unknown> =>
  graphOfSubGraph(subGraph, context).then(({ source }) => source)

/** The graph that is the first argument of a call. */
const graphArgument = (value: unknown, method: string): CellGraph => {
  if (isGraph(value)) return cellGraphOf(storeOf(value), method)
  throw new TraversalError(`The first argument of ${method}() must be a graph, such as graph.`)
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

/** The names that JanusGraph's ParameterType gives to parameters of index fields, by constant. */
const parameterNames: Readonly<Record<string, string>> = {
  MAPPING: "mapping",
  INDEX_POSITION: "index-pos",
  MAX_RESULT_SET_SIZE: "max-result-set-size",
  MAPPED_NAME: "mapped-name",
  STRING_ANALYZER: "string-analyzer",
  TEXT_ANALYZER: "text-analyzer",
  INDEX_GEO_MAX_LEVELS: "index-geo-max-levels",
  INDEX_GEO_DIST_ERROR_PCT: "index-geo-dist-error-pct"
}

/** The name of a parameter that a search engine gets as it is, as JanusGraph marks it. */
const customName = ([name]: ReadonlyArray<unknown>): string =>
  `${CUSTOM_PREFIX}${stringOf(name, "customParameterName", "the name of a parameter of the search engine")}`

const CUSTOM_PREFIX = "%`custom%`"

const parameterName = (constant: string): string => {
  if (Object.hasOwn(parameterNames, constant)) return parameterNames[constant]!
  throw new TraversalError(
    `ParameterType has no constant ${constant}; the constants are ${Object.keys(parameterNames).join(", ")}.`
  )
}
