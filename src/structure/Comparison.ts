import type { GremlinMap, GremlinSet, MapEntry } from "./Collections.ts"
import type { Property, Vertex } from "./Element.ts"
import { keyOf } from "./Equivalence.ts"
import { compareNumbers, isNaNValue } from "./NumberOrder.ts"
import type { GremlinNumber } from "./Numbers.ts"
import { naturallyComparable, order, pairByPair, Space, sortedEntries, sortedMembers, spaceOf } from "./Ordering.ts"
import type { Path, Tree } from "./Path.ts"

/**
 * Gremlin's comparability, which the predicates lt, lte, gt, gte, inside, outside and between ask: negative, 0 or
 * positive, and undefined where two values cannot be compared: NaN with anything, null with anything but null,
 * values of different types, and collections with members in the same place that cannot be compared. Every predicate over an undefined comparison is false.
 */
export const compare = (a: unknown, b: unknown): number | undefined => {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  const space = spaceOf(a)
  return space === spaceOf(b) ? compareWithin(space, a, b) : undefined
}

const compareWithin = (space: number, a: unknown, b: unknown): number | undefined => {
  switch (space) {
    case Space.number: {
      const comparable = !isNaNValue(a as GremlinNumber) && !isNaNValue(b as GremlinNumber)
      return comparable ? compareNumbers(a as GremlinNumber, b as GremlinNumber) : undefined
    }
    case Space.vertex:
    case Space.edge:
    case Space.vertexProperty:
      return compare((a as Vertex).id, (b as Vertex).id)
    case Space.property:
      return comparePairs((a as Property).key, (b as Property).key, (a as Property).value, (b as Property).value)
    case Space.mapEntry:
      return comparePairs((a as MapEntry).key, (b as MapEntry).key, (a as MapEntry).value, (b as MapEntry).value)
    case Space.path:
      return compareLists((a as Path).objects, (b as Path).objects)
    case Space.list:
      return compareLists(a as readonly unknown[], b as readonly unknown[])
    case Space.set:
      return compareLists(sortedMembers(a as GremlinSet), sortedMembers(b as GremlinSet))
    case Space.map:
      return compareLists(sortedEntries(a as GremlinMap | Tree), sortedEntries(b as GremlinMap | Tree))
    case Space.unknown:
      return naturallyComparable(a, b) || keyOf(a) === keyOf(b) ? order(a, b) : undefined
    default:
      return order(a, b)
  }
}

const comparePairs = (key: unknown, otherKey: unknown, value: unknown, otherValue: unknown): number | undefined => {
  const keys = compare(key, otherKey)
  const values = compare(value, otherValue)
  return keys === undefined || values === undefined ? undefined : keys || values
}

/** The first pair that differs decides, but no pair may be without a comparison, as in TinkerPop. */
const compareLists = (a: readonly unknown[], b: readonly unknown[]): number | undefined => {
  let first = 0
  const rest = pairByPair(a, b, (member, other) => {
    const result = compare(member, other)
    if (result === undefined) return undefined
    first ||= result
    return 0
  })
  return rest === undefined ? undefined : first || rest
}
