import { equals } from "../comparison/Equality.ts"
import { type Element, type Property, VertexProperty } from "../elements/Element.ts"

/**
 * The properties of an element, or those with the given keys, as they are now: a vertex property is a value, and its
 * transaction may have changed its meta-properties, or dropped it, since it was read.
 */
export const currentProperties = (
  element: Element,
  keys: readonly string[] | null
): readonly (VertexProperty | Property)[] => {
  if (!(element instanceof VertexProperty)) return element.properties(keys)
  const { vertex } = element
  if (vertex === null || (vertex.source.changes ?? 0) === 0) return element.properties(keys)
  const now = vertex.properties([element.key]).find((property) => equals(property.id, element.id))
  return now === undefined ? [] : now.properties(keys)
}
