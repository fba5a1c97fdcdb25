import type { GremlinMap, GremlinSet, MapEntry } from "../collections/Collections.ts"
import { areOtherIdentities, keyOf } from "../collections/Equivalence.ts"
import type { Tree } from "../collections/Tree.ts"
import type { Property, Vertex } from "../elements/Element.ts"
import type { Path } from "../elements/Path.ts"
import { compareNumbers, isNaNValue } from "../numbers/NumberOrder.ts"
import type { GremlinNumber } from "../numbers/Numbers.ts"
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

/**
 * Compares two values by Gremlin's comparability, which the predicates lt, lte, gt, gte, inside, outside and between use.
 * Returns a negative number if `a` is less than `b`, 0 if they are equal, and a positive number if `a` is greater. Returns
 * undefined if they cannot be compared: NaN with any value, null with any value except null, values of different types, and
 * collections with two members at the same position that cannot be compared. A predicate over an undefined result is false.
 * Fails with ValueTooLarge for very large collections.
 *
 * @param work the work of the comparison of two collections that contain these values
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

/** The first pair that differs gives the result. As in TinkerPop, the result is undefined if any pair cannot be compared. */
const compareLists = (
  a: readonly unknown[],
  b: readonly unknown[],
  outer: ComparisonWork | undefined
): number | undefined => {
  if (areOtherIdentities(a, b)) return undefined
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
