import { Traverser } from "../process/language/Bytecode.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../structure/Collections.ts"
import { Property, Vertex, VertexProperty } from "../structure/Element.ts"
import { BigDecimal, BigInteger, productEffort } from "../structure/Numbers.ts"
import { Path } from "../structure/Path.ts"
import { SubGraph } from "../structure/SubGraph.ts"
import { Tree } from "../structure/Tree.ts"

/** What a value may weigh to be written at once: members, a vertex being 16 of them, and so are 1,024 characters or bytes. */
const SHORT = 2_048
const VERTEX = 16
/** A text that is no member of anything is written at once up to here, characters: some milliseconds. */
const LONG_TEXT = 1_048_576
/** Units of effort for the product of an integer with itself, for which its digits take as long as a member. */
const PER_MEMBER = 4

/** Whether a value has so many parts that it is written in slices. Looks at no more than some 2,000 of them. */
export const isLong = (value: unknown): boolean => {
  if (typeof value === "string") return value.length > LONG_TEXT
  if (typeof value !== "object" || value === null || value instanceof Vertex) return false
  return rest(value, SHORT) < 0
}

/** What is left of `left` after the value; below 0 there may be more. */
const rest = (value: unknown, left: number): number => {
  if (typeof value === "string") return left - 1 - (value.length >> 6)
  if (typeof value !== "object" || value === null) return left - 1
  if (value instanceof Vertex) return left - VERTEX
  if (Array.isArray(value)) return restOfAll(value, value.length, left)
  if (value instanceof GremlinMap) return restOfMap(value, left)
  if (value instanceof GremlinSet) return restOfAll(value, value.size, left)
  if (value instanceof VertexProperty || value instanceof Property) return rest(value.value, left - 3)
  if (value instanceof BulkSet) return restOfAll(value, value.size, left)
  if (value instanceof Path) return restOfAll(value.objects, value.objects.length, left)
  if (value instanceof Tree) return rest(value.children, left)
  if (value instanceof Traverser) return rest(value.value, left)
  if (value instanceof MapEntry) return rest(value.value, rest(value.key, left))
  if (value instanceof BigInteger) return left - 1 - productEffort(value.value) / PER_MEMBER
  if (value instanceof BigDecimal) return left - 1 - productEffort(value.unscaled) / PER_MEMBER
  if (value instanceof SubGraph) return left - VERTEX * (value.vertices.length + value.edges.length)
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
