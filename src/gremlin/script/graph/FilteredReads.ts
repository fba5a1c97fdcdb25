import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { Edge, type Element, type Property, type Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import type { Budget } from "../budget/Budget.ts"
import { argumentCount } from "../methods/MethodTable.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { startOf } from "./ElementCalls.ts"
import { edgeMethods, elementMethods, vertexPropertyMethods } from "./ElementMethods.ts"

// Reads of elements in closures whose source hides a part of the graph. Each read is a traversal of the source, so that its
// strategies decide what the closure sees.

/** Methods that read properties with the keys of their arguments. */
const ofKeys: ReadonlySet<string> = new Set(["value", "values", "property", "properties"])
/** Methods of edges that read their vertices. */
const ofEnds: ReadonlySet<string> = new Set(
  "outVertex inVertex vertices vertex getVertex otherVertex isLoop isIncidentOn bothVertices".split(" ")
)

/** Traversals of an element's source, by what they find. */
export type FilteredRead = Readonly<Partial<Record<"properties" | "outVertex" | "inVertex", Bytecode>>>

/** The results of the traversals. */
export type FilteredResults = Readonly<Partial<Record<keyof FilteredRead, readonly unknown[]>>>

/** The traversals that a method of an element reads; undefined for a method that reads nothing which a strategy may hide. */
export const filteredRead = (element: Element, name: string, args: readonly unknown[]): FilteredRead | undefined => {
  const isOwnValue = element instanceof VertexProperty && name === "value" && args.length === 0
  const start = startOf(element)
  if (start === undefined || isOwnValue) return undefined
  const traversal = (...step: readonly [operator: string, ...args: unknown[]]): Bytecode =>
    new Bytecode(
      [],
      [...start, step].map(([operator, ...given]) => new Instruction(operator, given))
    )
  if (ofKeys.has(name)) return { properties: traversal("properties", ...args) }
  if (name === "keys") return { properties: traversal("properties") }
  if (element instanceof Edge && ofEnds.has(name)) {
    return { outVertex: traversal("outV"), inVertex: traversal("inV") }
  }
  return undefined
}

/** The value of a method of an element that sees only these results. Fails with OperandError. */
export const readFiltered = (
  element: Element,
  name: string,
  args: readonly unknown[],
  results: FilteredResults,
  budget: Budget
): unknown => {
  const methods =
    element instanceof Edge ? edgeMethods : element instanceof VertexProperty ? vertexPropertyMethods : elementMethods
  const [least, most, read] = methods[name]!
  if (args.length < least || args.length > most) {
    throw new Unavailable(`${name}() takes ${argumentCount(least, most)} arguments, not ${args.length}`)
  }
  const seen = {
    properties: () => (results.properties ?? []) as readonly Property[],
    get outVertex() {
      return endOf(results.outVertex)
    },
    get inVertex() {
      return endOf(results.inVertex)
    }
  }
  return read(seen as never, args, budget) ?? null
}

const endOf = (found: readonly unknown[] = []): Vertex => {
  if (found.length > 0) return found[0] as Vertex
  throw new OperandError(
    "the vertex of the edge cannot be read: it was removed, or the strategies of its source hide it"
  )
}
