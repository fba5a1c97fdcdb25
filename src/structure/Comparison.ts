import type { GremlinMap, GremlinSet, MapEntry } from "./Collections.ts"
import type { Property, Vertex } from "./Element.ts"
import { keyOf } from "./Equivalence.ts"
import { compareNumbers, isNaNValue } from "./NumberOrder.ts"
import type { GremlinNumber } from "./Numbers.ts"
import {
  type ComparisonWork,
  naturallyComparable,
  order,
  pairByPair,
  Space,
  sortedEntries,
  sortedMembers,
  spaceOf
} from "./Ordering.ts"
import type { Path } from "./Path.ts"
import type { Tree } from "./Tree.ts"

/**
 * Gremlin's comparability, which the predicates lt, lte, gt, gte, inside, outside and between use. Returns a negative number, 0
 * or a positive number, and undefined where two values cannot be compared: NaN with anything, null with anything but null, values of
 * different types, and collections with members in the same place that cannot be compared. Every predicate over an
 * undefined comparison is false. Fails with ValueTooLarge for very large collections.
 *
 * @param work the work of the comparison of lists that these two values are members of
 */
export const compare = (a: unknown, b: unknown, work?: ComparisonWork): number | undefined => {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  const space = spaceOf(a)
  return space === spaceOf(b) ? compareWithin(space, a, b, work) : undefined
}

const compareWithin = (space: number, a: unknown, b: unknown, work: ComparisonWork | undefined): number | undefined => {
  switch (space) {
    case Space.number: {
      const comparable = !isNaNValue(a as GremlinNumber) && !isNaNValue(b as GremlinNumber)
      return comparable ? compareNumbers(a as GremlinNumber, b as GremlinNumber) : undefined
    }
    case Space.vertex:
    case Space.edge:
    case Space.vertexProperty:
      return compare((a as Vertex).id, (b as Vertex).id, work)
    case Space.property:
      return comparePairs(a as Property, b as Property, work)
    case Space.mapEntry:
      return comparePairs(a as MapEntry, b as MapEntry, work)
    case Space.path:
      return compareLists((a as Path).objects, (b as Path).objects, work)
    case Space.list:
      return compareLists(a as readonly unknown[], b as readonly unknown[], work)
    case Space.set:
      return compareLists(sortedMembers(a as GremlinSet, work), sortedMembers(b as GremlinSet, work), work)
    case Space.map:
      return compareLists(
        sortedEntries(a as GremlinMap | Tree, work),
        sortedEntries(b as GremlinMap | Tree, work),
        work
      )
    case Space.unknown:
      return naturallyComparable(a, b) || keyOf(a) === keyOf(b) ? order(a, b, work) : undefined
    default:
      return order(a, b, work)
  }
}

const comparePairs = (
  a: Property | MapEntry,
  b: Property | MapEntry,
  work: ComparisonWork | undefined
): number | undefined => {
  const keys = compare(a.key, b.key, work)
  const values = compare(a.value, b.value, work)
  return keys === undefined || values === undefined ? undefined : keys || values
}

/** The first pair that differs decides, but every pair must be comparable, as in TinkerPop. */
const compareLists = (
  a: readonly unknown[],
  b: readonly unknown[],
  outer: ComparisonWork | undefined
): number | undefined => {
  let first = 0
  const compareMembers = (member: unknown, other: unknown, work: ComparisonWork): number | undefined => {
    const result = compare(member, other, work)
    if (result === undefined) return undefined
    first ||= result
    return 0
  }
  const rest = pairByPair(a, b, compareMembers, outer)
  return rest === undefined ? undefined : first || rest
}
