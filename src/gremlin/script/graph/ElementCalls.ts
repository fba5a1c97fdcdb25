import { Bytecode, Instruction, WRITTEN_PROPERTY } from "../../../process/language/Bytecode.ts"
import { Edge, type Element, type Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import { originOf } from "../../../structure/graph/Detach.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** A method call of a script on a graph or an element, translated to a traversal. */
export interface GraphCall {
  readonly bytecode: Bytecode
  /**
   * The value of the call: an iterator over the results, the only result, the first result or null, none, or a property that a null
   * result stands for when it does not exist.
   */
  readonly result: "iterator" | "only" | "first" | "none" | "property"
}

/** A call whose traversal has these steps. */
export const call = (
  result: GraphCall["result"],
  ...steps: ReadonlyArray<readonly [operator: string, ...args: unknown[]]>
) => ({
  bytecode: new Bytecode(
    [],
    steps.map(([operator, ...args]) => new Instruction(operator, args))
  ),
  result
})

/** Translates TinkerGraph's `graph.clear()`, which removes all elements. The host decides which graphs have it. */
export const cleared: GraphCall = call("none", ["V"], ["drop"])

/** Splits alternating keys and values into pairs. Throws OperandError if their number is odd. */
const pairs = (args: readonly unknown[], what: string): ReadonlyArray<readonly [unknown, unknown]> => {
  if (args.length % 2 !== 0) throw new OperandError(`${what} takes keys and values in pairs`)
  return Array.from({ length: args.length / 2 }, (_, index) => [args[2 * index], args[2 * index + 1]] as const)
}

/** True for the key T.label. */
const isLabel = (key: unknown): boolean => key instanceof EnumValue && key.enumName === "T" && key.name === "label"

/** Translates `graph.vertices(...)`, `graph.edges(...)` and `graph.addVertex(...)`. Undefined for other methods. */
export const graphCall = (name: string, args: readonly unknown[]): GraphCall | undefined => {
  switch (name) {
    case "vertices":
      return call("iterator", ["V", ...args])
    case "edges":
      return call("iterator", ["E", ...args])
    case "getVertex":
      return args.length === 1 ? call("first", ["V", ...args]) : undefined
    case "getVertices":
      return call("iterator", ["V", ...args])
    case "getEdges":
      return call("iterator", ["E", ...args])
    case "addVertex": {
      // A single argument is the label: addVertex('person'). Otherwise the arguments are keys and values:
      // addVertex(label, 'person', 'name', 'marko').
      if (args.length === 1) return call("only", ["addV", args[0]])
      const entries = pairs(args, "addVertex()")
      const label = entries.find(([key]) => isLabel(key))?.[1] ?? "vertex"
      const rest = entries.filter(([key]) => !isLabel(key))
      return call("only", ["addV", label], ...rest.map((entry) => ["property", ...entry] as const))
    }
  }
  return undefined
}

/**
 * Translates a method that changes an element or a property, or reads adjacent elements. Undefined for other methods, and for an
 * element of no graph.
 */
export const elementCall = (element: Element, name: string, args: readonly unknown[]): GraphCall | undefined => {
  const start = startOf(element)
  if (start === undefined) return undefined
  switch (name) {
    case "remove":
      return call("none", ...start, ["drop"])
    case "property":
      if (args.length < 2) return undefined
      return call("property", ...start, ["property", ...args], ["with", WRITTEN_PROPERTY])
  }
  return element instanceof Vertex ? vertexCall(element, name, args) : undefined
}

type Step = readonly [operator: string, ...args: unknown[]]

/** The steps that find an element in its graph. Undefined for a property of no element. */
export const startOf = (element: Element | Property): ReadonlyArray<Step> | undefined => {
  if (element instanceof Vertex) return [["V", element.id]]
  if (element instanceof Edge) return [["E", element.id]]
  if (element instanceof VertexProperty) {
    const { id, key, vertex } = element
    return vertex === null
      ? undefined
      : [
          ["V", vertex.id],
          ["properties", key],
          ["hasId", id]
        ]
  }
  const owner = element.element === null ? undefined : startOf(element.element)
  return owner === undefined ? undefined : [...owner, ["properties", element.key]]
}

/** The traversal that reads all data of an element or of its vertex. Undefined for an element of no graph. */
export const fetchOf = (element: Element): Bytecode | undefined => {
  const start = startOf(element instanceof VertexProperty && element.vertex !== null ? element.vertex : element)
  return start === undefined ? undefined : call("first", ...start, ["elementMap"]).bytecode
}

/** Translates a method that removes a property of an edge or of a vertex property. Undefined for other methods. */
export const propertyCall = (property: Property, name: string): GraphCall | undefined => {
  const start = name === "remove" ? startOf(property) : undefined
  return start === undefined ? undefined : call("none", ...start, ["drop"])
}

/** The kind and the name of the type that one of JanusGraph's methods of an element gives. Undefined for other methods. */
export const schemaCall = (element: Element, method: string): readonly [kind: string, name: string] | undefined => {
  if (element instanceof Vertex) return method === "vertexLabel" ? ["vertexLabel", element.label] : undefined
  if (element instanceof Edge)
    return method === "edgeLabel" || method === "getType" ? ["label", element.label] : undefined
  return method === "propertyKey" || method === "getType" ? ["key", element.key] : undefined
}

const vertexCall = (vertex: Vertex, name: string, args: readonly unknown[]): GraphCall | undefined => {
  const start = ["V", vertex.id] as const
  switch (name) {
    case "addEdge": {
      const [label, target, ...rest] = args
      if (typeof label !== "string" || !(target instanceof Vertex)) {
        throw new OperandError(
          "addEdge() takes a label, a vertex, and keys and values: v.addEdge('knows', w, 'since', 2010)"
        )
      }
      assertSameGraph(vertex, target)
      const to = new Bytecode([], [new Instruction("V", [target.id])])
      const properties = pairs(rest, "addEdge()").map((entry) => ["property", ...entry] as const)
      return call("only", ["V", vertex.id], ["addE", label], ["to", to], ...properties)
    }
    case "edges":
      return call("iterator", start, ["toE", ...directed(args)])
    case "vertices":
      return call("iterator", start, ["to", ...directed(args)])
  }
  return undefined
}

/** The target is found by its id, which another graph may have for another vertex. A vertex of a client belongs to no graph. */
const assertSameGraph = (vertex: Vertex, target: Vertex): void => {
  const [home, other] = [originOf(vertex.source), originOf(target.source)]
  if (home === undefined || other === undefined || home === other) return
  throw new OperandError(
    `addEdge(): the vertex ${String(target.id)} belongs to another graph: find or add the vertex in the graph of the edge`
  )
}

/** Returns the arguments if the first one is a direction. Throws OperandError otherwise. */
const directed = (args: readonly unknown[]): readonly unknown[] => {
  if (args[0] instanceof EnumValue && args[0].enumName === "Direction") return args
  throw new OperandError("edges() and vertices() take a direction and edge labels: v.edges(OUT, 'knows')")
}
