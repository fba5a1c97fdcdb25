import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../collections/Collections.ts"
import { Tree } from "../collections/Tree.ts"
import { Edge, Property, Vertex, VertexProperty } from "../elements/Element.ts"
import { Path } from "../elements/Path.ts"
import { ValueTooLarge } from "../errors/ValueErrors.ts"
import { compareNumbers } from "../numbers/NumberOrder.ts"
import { type GremlinNumber, isNumber } from "../numbers/Numbers.ts"
import { Char } from "../scalars/Char.ts"
import { EnumValue, enums, T } from "../scalars/Enums.ts"
import { Uuid } from "../scalars/Uuid.ts"
import { text } from "../texts/Text.ts"
import { typeName } from "../texts/TypeNames.ts"
import { partsOfInstant } from "../times/Instants.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../times/Temporal.ts"

/**
 * The total order over all values that order() sorts by (Gremlin's orderability): first by the type's place in the
 * list below, then by value; NaN is above +Infinity, and members of collections are compared by the same order.
 */

/** The positions of the types in the order. */
export const Space = {
  null: 0,
  boolean: 1,
  number: 2,
  date: 3,
  string: 4,
  uuid: 5,
  vertex: 6,
  edge: 7,
  vertexProperty: 8,
  property: 9,
  path: 10,
  set: 11,
  list: 12,
  map: 13,
  mapEntry: 14,
  unknown: 15
} as const

/** The position of a value's type. Bulk sets are sets and trees are maps, as in TinkerPop. */
export const spaceOf = (value: unknown): number => {
  switch (typeof value) {
    case "string":
      return Space.string
    case "number":
    case "bigint":
      return Space.number
    case "boolean":
      return Space.boolean
    default:
      return value === null || value === undefined ? Space.null : objectSpace(value)
  }
}

const objectSpace = (value: unknown): number => {
  if (value instanceof Vertex) return Space.vertex
  if (Array.isArray(value)) return Space.list
  if (isNumber(value)) return Space.number
  if (value instanceof GremlinMap || value instanceof Tree) return Space.map
  if (value instanceof Edge) return Space.edge
  if (value instanceof VertexProperty) return Space.vertexProperty
  if (value instanceof Property) return Space.property
  if (value instanceof Path) return Space.path
  if (value instanceof GremlinSet || value instanceof BulkSet) return Space.set
  if (value instanceof OffsetDateTime || value instanceof Timestamp) return Space.date
  if (value instanceof Uuid) return Space.uuid
  return value instanceof MapEntry ? Space.mapEntry : Space.unknown
}

/**
 * Negative when `a` comes first, positive when `b` does, 0 when they are equal in the order. Enum constants are ordered as strings by
 * their names, unless they are parts of other values: T.id and T.label among the keys of an elementMap(). Fails with ValueTooLarge for
 * very large collections.
 *
 * @param work the work of the comparison of lists that these two values are members of
 */
export const order = (a: unknown, b: unknown, work?: ComparisonWork): number =>
  orderParts(a instanceof EnumValue ? a.name : a, b instanceof EnumValue ? b.name : b, work)

/** Orders two values that are parts of others, where enum constants have the place of other types. */
const orderParts = (a: unknown, b: unknown, work?: ComparisonWork): number => {
  if (typeof a === "number" && typeof b === "number" && a === b) return 0
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  const space = spaceOf(a)
  const other = spaceOf(b)
  return space === other ? orderWithin(space, a, b, work) : space - other
}

const orderWithin = (space: number, a: unknown, b: unknown, work: ComparisonWork | undefined): number => {
  switch (space) {
    case Space.null:
      return 0
    case Space.boolean:
      return Number(a) - Number(b)
    case Space.number:
      return compareNumbers(a as GremlinNumber, b as GremlinNumber)
    case Space.date:
      return compareDates(a as OffsetDateTime | Timestamp, b as OffsetDateTime | Timestamp)
    case Space.uuid:
      return compareTexts((a as Uuid).text, (b as Uuid).text)
    case Space.vertex:
    case Space.edge:
    case Space.vertexProperty:
      return orderParts((a as Vertex).id, (b as Vertex).id, work)
    case Space.property:
      return orderPairs(a as Property, b as Property, work)
    case Space.path:
      return orderLists((a as Path).objects, (b as Path).objects, work)
    case Space.list:
      return orderLists(a as readonly unknown[], b as readonly unknown[], work)
    case Space.set:
      return orderLists(sortedMembers(a as GremlinSet, work), sortedMembers(b as GremlinSet, work), work)
    case Space.map:
      return orderLists(sortedEntries(a as GremlinMap | Tree, work), sortedEntries(b as GremlinMap | Tree, work), work)
    case Space.mapEntry:
      return orderPairs(a as MapEntry, b as MapEntry, work)
    default:
      return orderUnknown(a as object, b as object)
  }
}

/** Compares by UTF-16 units, as Java compares strings. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares the instants. Offsets have no effect. */
const compareDates = (a: OffsetDateTime | Timestamp, b: OffsetDateTime | Timestamp): number =>
  a.epochMillis - b.epochMillis || compareLongs(distantOf(a), distantOf(b)) || nanosOf(a) - nanosOf(b)

const compareLongs = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** The milliseconds of a date that are rounded otherwise; 0 for other dates. */
const distantOf = (date: OffsetDateTime | Timestamp): bigint => (date instanceof Timestamp && date.distant) || 0n

const nanosOf = (date: OffsetDateTime | Timestamp): number => (date instanceof OffsetDateTime ? date.nanos : 0)

const orderPairs = (a: Property | MapEntry, b: Property | MapEntry, work: ComparisonWork | undefined): number =>
  orderParts(a.key, b.key, work) || orderParts(a.value, b.value, work)

const orderLists = (a: readonly unknown[], b: readonly unknown[], work: ComparisonWork | undefined): number =>
  pairByPair(a, b, orderParts, work) as number

/** Maximum number of members that one comparison visits, including those of inner collections. */
const MAX_COMPARED_MEMBERS = 1_048_576
/** Maximum number of members of one set or map, which are sorted before the comparison. */
const MAX_SORTED_MEMBERS = 16_384

/** Sorting a member of a set or an entry of a map costs as much as this number of comparisons. */
const COMPARISONS_PER_SORTED_MEMBER = 20

/** Number of members of a list that are compared between two checks of the limit. A power of two. */
const MEMBERS_PER_CHECK = 16_384

/** Counts the members that one comparison has visited, in the two values and in all collections inside them. */
export class ComparisonWork {
  #members = 0

  /** Fails with ValueTooLarge after {@link MAX_COMPARED_MEMBERS}. */
  check(members: number): void {
    this.count(members)
    if (this.#members > MAX_COMPARED_MEMBERS) throw tooLarge()
  }

  /** Counts members without a check. The next call of {@link check} checks them. */
  count(members: number): void {
    this.#members += members
  }
}

/**
 * Compares two lists pair by pair, up to the first pair whose members differ or cannot be compared (not 0). If there is no such pair,
 * the shorter list is less. Fails with ValueTooLarge after too many members.
 *
 * @param outer the work of the comparison that this one is a part of
 */
export const pairByPair = (
  a: readonly unknown[],
  b: readonly unknown[],
  compareMembers: (a: unknown, b: unknown, work: ComparisonWork) => number | undefined,
  outer: ComparisonWork | undefined
): number | undefined => {
  const work = outer ?? new ComparisonWork()
  const length = Math.min(a.length, b.length)
  let at = 0
  for (; at < length; at++) {
    const member = a[at]
    // NaN is not equal to NaN here, so a list with NaN is not equal to itself.
    if (typeof member === "object" || member !== b[at]) {
      const result = compareMembers(member, b[at], work)
      if (result !== 0) {
        work.count(at % MEMBERS_PER_CHECK)
        return result
      }
    }
    if (at % MEMBERS_PER_CHECK === MEMBERS_PER_CHECK - 1) work.check(MEMBERS_PER_CHECK)
  }
  work.count(at % MEMBERS_PER_CHECK)
  return a.length - b.length
}

const checkSorted = (members: number, work: ComparisonWork | undefined): void => {
  if (members > MAX_SORTED_MEMBERS) throw tooLarge()
  work?.check(members * COMPARISONS_PER_SORTED_MEMBER)
}

const tooLarge = (): ValueTooLarge =>
  new ValueTooLarge(
    `A comparison of two collections visits at most ${MAX_COMPARED_MEMBERS} members, and at most ${MAX_SORTED_MEMBERS} of a set or map. ` +
      "These collections have more. Compare parts of them."
  )

/** The members of a set in order, so that two sets can be compared pair by pair. */
export const sortedMembers = (set: GremlinSet | BulkSet, work: ComparisonWork | undefined): unknown[] => {
  checkSorted(set.size, work)
  return [...set].sort((a, b) => orderParts(a, b, work))
}

/** The entries of a map in order of their keys. */
export const sortedEntries = (map: GremlinMap | Tree, work: ComparisonWork | undefined): MapEntry[] => {
  const entries: Array<MapEntry> = []
  const source = map instanceof Tree ? map.children : map
  checkSorted(source.size, work)
  source.forEach((value, key) => {
    entries.push(new MapEntry(key, value))
  })
  return entries.sort((a, b) => orderParts(a, b, work))
}

/** Compares values of other types: by the name of the type, then by value where it has an order, else by text. */
const orderUnknown = (a: object, b: object): number =>
  compareTexts(typeName(a), typeName(b)) || orderNaturally(a, b) || 0

/** The place of a constant in its enumeration of Java, where T.label is the first. */
const placeOf = (value: EnumValue): number =>
  value === T.label ? -1 : Object.keys(enums[value.enumName]).indexOf(value.name)

const orderNaturally = (a: object, b: object): number => {
  if (a instanceof Duration && b instanceof Duration) {
    return a.seconds < b.seconds ? -1 : a.seconds > b.seconds ? 1 : a.nanos - b.nanos
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  if (a instanceof EnumValue && b instanceof EnumValue) return placeOf(a) - placeOf(b)
  if (a instanceof Temporal && b instanceof Temporal && a.name === "Instant") return compareInstants(a, b)
  return compareTexts(text(a), text(b))
}

/** Compares two instants. Texts that are no instants are compared as texts. */
const compareInstants = (a: Temporal, b: Temporal): number => {
  const [first, second] = [partsOfInstant(a), partsOfInstant(b)]
  if (first === undefined || second === undefined) return compareTexts(a.text, b.text)
  if (first.seconds !== second.seconds) return first.seconds < second.seconds ? -1 : 1
  return first.nanos - second.nanos
}

/** True for two values of other types that have an order by value, such as two durations. */
export const naturallyComparable = (a: unknown, b: unknown): boolean =>
  (a instanceof Duration && b instanceof Duration) ||
  (a instanceof Char && b instanceof Char) ||
  (a instanceof Uint8Array && b instanceof Uint8Array) ||
  (a instanceof EnumValue && b instanceof EnumValue && a.enumName === b.enumName) ||
  (a instanceof Temporal && b instanceof Temporal && a.name === b.name)
