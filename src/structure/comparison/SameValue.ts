import { BulkSet, GremlinMap, GremlinSet } from "../collections/Collections.ts"
import { areOtherIdentities, equivalent } from "../collections/Equivalence.ts"
import { Edge, Vertex, VertexProperty } from "../elements/Element.ts"
import { areSameNumbers } from "../numbers/NumberOrder.ts"
import { isNumber } from "../numbers/Numbers.ts"
import { Uuid } from "../scalars/Uuid.ts"
import { Timestamp } from "../times/Temporal.ts"
import { equals } from "./Equality.ts"

/**
 * Java's equals(), by which TinkerPop compares objects that it keeps: 1 and 1L differ, also as members of collections, and so do dates
 * of other classes. NaN is equal to NaN. Members of sets and keys of maps are compared as sets compare them.
 */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (areSameScalars(a, b)) return true
  if (isNumber(a) || isNumber(b)) return false
  if (Array.isArray(a) || Array.isArray(b)) return areSameLists(a, b)
  if (a instanceof GremlinMap || b instanceof GremlinMap) return areSameMaps(a, b)
  if (a instanceof GremlinSet || b instanceof GremlinSet) return areSameSets(a, b)
  if (a instanceof BulkSet || b instanceof BulkSet) return areSameBulkSets(a, b)
  if (a instanceof Timestamp && b instanceof Timestamp && a.sql !== b.sql) return false
  return equivalent(a, b)
}

/** Whether both are one object, the same element, or the same scalar as {@link isSame} compares them. Compares no members. */
export const areSameScalars = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (isNumber(a)) return isNumber(b) && areSameNumbers(a, b)
  if (a instanceof Uuid) return b instanceof Uuid && a.text === b.text
  if (a instanceof Vertex) return b instanceof Vertex && equals(a, b)
  if (a instanceof Edge) return b instanceof Edge && equals(a, b)
  return a instanceof VertexProperty && b instanceof VertexProperty && equals(a, b)
}

const areSameLists = (a: unknown, b: unknown): boolean => {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return !areOtherIdentities(a, b) && a.every((member, at) => isSame(member, b[at]))
}

const areSameMaps = (a: unknown, b: unknown): boolean => {
  if (!(a instanceof GremlinMap && b instanceof GremlinMap) || a.size !== b.size) return false
  for (const [key, value] of a) if (!b.has(key) || !isSame(value, b.get(key))) return false
  return true
}

const areSameSets = (a: unknown, b: unknown): boolean => {
  if (!(a instanceof GremlinSet && b instanceof GremlinSet) || a.size !== b.size) return false
  for (const member of a) if (!b.has(member)) return false
  return true
}

const areSameBulkSets = (a: unknown, b: unknown): boolean => {
  if (!(a instanceof BulkSet && b instanceof BulkSet) || a.size !== b.size) return false
  for (const [member, count] of a.entries()) if (b.count(member) !== count) return false
  return true
}
