import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/collections/Collections.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { Edge, type ElementSource, Property, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"

/** Whether a value contains an element that reads its data from `source`, a transaction that ends. */
export const refersTo = (value: unknown, source: ElementSource): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (value instanceof Vertex || value instanceof Edge) return value.source === source
  if (value instanceof VertexProperty) return value.vertex?.source === source
  if (value instanceof Property) return refersTo(value.element, source)
  if (value instanceof MapEntry) return refersTo(value.key, source) || refersTo(value.value, source)
  if (value instanceof Path) return anyRefersTo(value.objects, source)
  if (value instanceof Tree) return refersTo(value.children, source)
  if (value instanceof GremlinMap) return anyRefersTo(value.keys(), source) || anyRefersTo(value.values(), source)
  if (value instanceof BulkSet) return anyRefersTo(value.distinct(), source)
  if (Array.isArray(value) || value instanceof GremlinSet) return anyRefersTo(value, source)
  return false
}

const anyRefersTo = (values: Iterable<unknown>, source: ElementSource): boolean => {
  for (const value of values) if (refersTo(value, source)) return true
  return false
}
