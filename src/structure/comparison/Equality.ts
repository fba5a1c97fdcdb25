import { BulkSet, GremlinMap, GremlinSet } from "../collections/Collections.ts"
import { Detached, Edge, Vertex } from "../elements/Element.ts"
import { compare } from "./Comparison.ts"

/**
 * Gremlin's equality, which eq, neq, within, without and has() use: numbers by value whatever their type (1 == 1.0), NaN equal to
 * nothing, null to null only, values of different types never; collections member by member, elements by id. Equal values are
 * those for which {@link compare} returns 0.
 */
export const equals = (a: unknown, b: unknown): boolean => {
  switch (typeof a) {
    case "string":
    case "boolean":
      return a === b
    case "number":
      return typeof b === "number" ? a === b : (typeof b === "bigint" || typeof b === "object") && compare(a, b) === 0
    case "bigint":
      return typeof b === "bigint" ? a === b : (typeof b === "number" || typeof b === "object") && compare(a, b) === 0
    default:
      if (areOfOneTransaction(a, b)) return a.ref === (b as Vertex | Edge).ref
      return !differBySize(a, b) && compare(a, b) === 0
  }
}

/** True for two collections that can be equal: their types and sizes match. */
const differBySize = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a)) return !Array.isArray(b) || a.length !== b.length
  if (a instanceof GremlinSet || a instanceof BulkSet) {
    return !(b instanceof GremlinSet || b instanceof BulkSet) || a.size !== b.size
  }
  return a instanceof GremlinMap && b instanceof GremlinMap && a.size !== b.size
}

/** True for two vertices, or two edges, whose refs can be compared instead of their ids; copies of one element may have several. */
const areOfOneTransaction = (a: unknown, b: unknown): a is Vertex | Edge =>
  ((a instanceof Vertex && b instanceof Vertex) || (a instanceof Edge && b instanceof Edge)) &&
  a.source === b.source &&
  !(a.source instanceof Detached)
