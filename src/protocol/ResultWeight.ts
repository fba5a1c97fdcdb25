import { Traverser } from "../process/language/Bytecode.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../structure/collections/Collections.ts"
import { Tree } from "../structure/collections/Tree.ts"
import { Property, Vertex, VertexProperty } from "../structure/elements/Element.ts"
import { Path } from "../structure/elements/Path.ts"
import { SubGraph } from "../structure/elements/SubGraph.ts"
import { BigDecimal, BigInteger, productEffort } from "../structure/numbers/Numbers.ts"

/**
 * Weight of a value that is written without interruption. The unit is a scalar member; a vertex weighs 16, and so do 1,024
 * characters or bytes.
 */
const SHORT_WEIGHT = 2_048
const VERTEX_WEIGHT = 16

/** Length of a text that is written without interruption when it is a result itself: some milliseconds. */
const LONG_TEXT_CHARS = 1_048_576

/** The effort of formatting an integer (`productEffort`) that takes the time of one member. */
const MEMBER_EFFORT = 4

/** True for a value that is so large that it is written in slices. Examines at most some 2,000 of its parts. */
export const isLong = (value: unknown): boolean => {
  if (typeof value === "string") return value.length > LONG_TEXT_CHARS
  if (typeof value !== "object" || value === null || value instanceof Vertex) return false
  return rest(value, SHORT_WEIGHT) < 0
}

/** `left` less the weight of a value. Stops soon after the difference is below 0. */
const rest = (value: unknown, left: number): number => {
  if (typeof value === "string") return left - 1 - (value.length >> 6)
  if (typeof value !== "object" || value === null) return left - 1
  if (value instanceof Vertex) return left - VERTEX_WEIGHT
  if (Array.isArray(value)) return restOfAll(value, value.length, left)
  if (value instanceof GremlinMap) return restOfMap(value, left)
  if (value instanceof GremlinSet) return restOfAll(value, value.size, left)
  if (value instanceof VertexProperty || value instanceof Property) return rest(value.value, left - 3)
  if (value instanceof BulkSet) return restOfAll(value, value.size, left)
  if (value instanceof Path) return restOfAll(value.objects, value.objects.length, left)
  if (value instanceof Tree) return rest(value.children, left)
  if (value instanceof Traverser) return rest(value.value, left)
  if (value instanceof MapEntry) return rest(value.value, rest(value.key, left))
  if (value instanceof BigInteger) return left - 1 - productEffort(value.value) / MEMBER_EFFORT
  if (value instanceof BigDecimal) return left - 1 - productEffort(value.unscaled) / MEMBER_EFFORT
  if (value instanceof SubGraph) return left - VERTEX_WEIGHT * (value.vertices.length + value.edges.length)
  if (value instanceof Uint8Array) return left - 1 - (value.length >> 6)
  return left - 4
}

const restOfAll = (members: Iterable<unknown>, size: number, left: number): number => {
  if (size >= left) return -1
  let after = left - 1
  for (const member of members) {
    after = rest(member, after)
    if (after < 0) return after
  }
  return after
}

const restOfMap = (map: GremlinMap, left: number): number => {
  if (map.size >= left) return -1
  let after = left - 1
  map.forEach((value, key) => {
    if (after >= 0) after = rest(value, rest(key, after))
  })
  return after
}
