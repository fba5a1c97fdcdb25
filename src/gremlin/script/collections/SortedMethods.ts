import { GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import type { Nearness } from "../../../structure/containers/SortedPages.ts"
import type { Budget } from "../budget/Budget.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { lent } from "../objects/ConstantCollections.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { SortedMap, type SortedSet } from "../values/SortedCollections.ts"
import { setMethods } from "./ListMethods.ts"
import { mapMethods } from "./MapMethods.ts"

// The methods that only sorted maps and sets have. The views of a part, such as headMap(), are copies that cannot be changed.

/** The first key in the order, or the last one. Fails with OperandError for an empty map. */
const endKey = (value: SortedMap, at: 0 | -1): unknown => {
  if (value.size > 0) return at === 0 ? value.firstKey : value.lastKey
  throw new OperandError("an empty map has no first and no last key", "NoSuchElementException", "")
}

const entryAt = (value: SortedMap, at: 0 | -1): MapEntry | null => {
  if (value.size === 0) return null
  const key = endKey(value, at)
  return new MapEntry(key, value.get(key))
}

const polledEntry = (value: SortedMap, at: 0 | -1): MapEntry | null => {
  const entry = entryAt(value, at)
  if (entry !== null) value.delete(entry.key)
  return entry
}

const polled = (value: SortedSet, at: 0 | -1): unknown => {
  if (value.size === 0) return null
  const member = at === 0 ? value.first : value.last
  value.delete(member)
  return member
}

const nearKey = (which: Nearness): Method => [
  1,
  1,
  (value: SortedMap | SortedSet, [key]: readonly unknown[], budget: Budget) => value.near(budget.key(key), which)
]

const nearEntry = (which: Nearness): Method => [
  1,
  1,
  (value: SortedMap, [key]: readonly unknown[], budget: Budget) => {
    const found = value.near(budget.key(key), which)
    return found === null ? null : new MapEntry(found, value.get(found))
  }
]

/** A copy of a view, which cannot be changed. */
const viewed = (copy: GremlinMap | GremlinSet, call: string, budget: Budget): unknown =>
  lent(
    copy,
    `the result of ${call}() cannot be changed, because it is no view here: change the sorted collection itself`,
    budget
  )

/** The keys of a map, or the members of a set, in their order. */
const keysOf = (value: SortedMap | SortedSet): unknown[] =>
  value instanceof SortedMap ? [...value.keys()] : value.toList()

/** An end of a part of sorted keys: a key, and whether it belongs to the part. */
type End = readonly [key: unknown, isIncluded: unknown]

/** The keys between two ends. Fails with OperandError if they are in the wrong order. */
const keysBetween = (
  value: SortedMap | SortedSet,
  from: End | undefined,
  to: End | undefined,
  budget: Budget
): unknown[] => {
  for (const end of [from, to]) {
    if (end === undefined) continue
    // As in Java, an end must be comparable, also for an empty collection.
    value.order(budget.key(end[0]), end[0])
    if (typeof end[1] !== "boolean") throw new OperandError("a boolean was expected", "MissingMethodException")
  }
  if (from !== undefined && to !== undefined && value.order(from[0], to[0]) > 0) {
    throw new OperandError("the part ends before it begins", "IllegalArgumentException", "fromKey > toKey")
  }
  const isAfter = (key: unknown): boolean =>
    from === undefined || value.order(key, from[0]) >= (from[1] === true ? 0 : 1)
  const isBefore = (key: unknown): boolean => to === undefined || value.order(key, to[0]) <= (to[1] === true ? 0 : -1)
  return budget.list(keysOf(value)).filter((key) => isAfter(key) && isBefore(key))
}

/** The ends that the arguments of subMap() and subSet() name. */
const endsOf = (args: readonly unknown[]): readonly [End, End] =>
  args.length === 4
    ? [
        [args[0], args[1]],
        [args[2], args[3]]
      ]
    : [
        [args[0], true],
        [args[1], false]
      ]

const partOfMap = (value: SortedMap, keys: readonly unknown[], call: string, budget: Budget): unknown =>
  viewed(new GremlinMap(keys.map((key) => [key, value.get(key)] as const)), call, budget)

const partOfSet = (members: readonly unknown[], call: string, budget: Budget): unknown =>
  viewed(new GremlinSet(members), call, budget)

const backwards = (value: SortedMap | SortedSet, budget: Budget): unknown[] => budget.list(keysOf(value).reverse())

/** `subMap(keys)` of Groovy, `subMap(from, to)` and `subMap(from, isFrom, to, isTo)` of Java. */
const subMap: Method = [
  1,
  4,
  (value: SortedMap, args: readonly unknown[], budget: Budget) => {
    if (args.length === 1) return mapMethods.subMap![2](value as never, args, budget)
    if (args.length === 3) throw new Unavailable("subMap() takes 1, 2 or 4 arguments, not 3")
    return partOfMap(value, keysBetween(value, ...endsOf(args), budget), "subMap", budget)
  }
]

const subSet: Method = [
  2,
  4,
  (value: SortedSet, args: readonly unknown[], budget: Budget) => {
    if (args.length === 3) throw new Unavailable("subSet() takes 2 or 4 arguments, not 3")
    return partOfSet(keysBetween(value, ...endsOf(args), budget), "subSet", budget)
  }
]

/** Methods of sorted maps. */
export const sortedMapMethods: Methods = {
  ...mapMethods,
  firstKey: [0, 0, (value: SortedMap) => endKey(value, 0)],
  lastKey: [0, 0, (value: SortedMap) => endKey(value, -1)],
  firstEntry: [0, 0, (value: SortedMap) => entryAt(value, 0)],
  lastEntry: [0, 0, (value: SortedMap) => entryAt(value, -1)],
  pollFirstEntry: [0, 0, (value: SortedMap) => polledEntry(value, 0)],
  pollLastEntry: [0, 0, (value: SortedMap) => polledEntry(value, -1)],
  floorEntry: nearEntry("floor"),
  ceilingEntry: nearEntry("ceiling"),
  lowerEntry: nearEntry("lower"),
  higherEntry: nearEntry("higher"),
  headMap: [
    1,
    2,
    (value: SortedMap, [to, isTo = false], budget) =>
      partOfMap(value, keysBetween(value, undefined, [to, isTo], budget), "headMap", budget)
  ],
  tailMap: [
    1,
    2,
    (value: SortedMap, [from, isFrom = true], budget) =>
      partOfMap(value, keysBetween(value, [from, isFrom], undefined, budget), "tailMap", budget)
  ],
  subMap,
  descendingMap: [
    0,
    0,
    (value: SortedMap, _, budget) => partOfMap(value, backwards(value, budget), "descendingMap", budget)
  ],
  descendingKeySet: [
    0,
    0,
    (value: SortedMap, _, budget) => partOfSet(backwards(value, budget), "descendingKeySet", budget)
  ],
  navigableKeySet: [
    0,
    0,
    (value: SortedMap, _, budget) => partOfSet(budget.list([...value.keys()]), "navigableKeySet", budget)
  ],
  floorKey: nearKey("floor"),
  ceilingKey: nearKey("ceiling"),
  lowerKey: nearKey("lower"),
  higherKey: nearKey("higher")
}

/** Methods of sorted sets. */
export const sortedSetMethods: Methods = {
  ...setMethods,
  pollFirst: [0, 0, (value: SortedSet) => polled(value, 0)],
  pollLast: [0, 0, (value: SortedSet) => polled(value, -1)],
  headSet: [
    1,
    2,
    (value: SortedSet, [to, isTo = false], budget) =>
      partOfSet(keysBetween(value, undefined, [to, isTo], budget), "headSet", budget)
  ],
  tailSet: [
    1,
    2,
    (value: SortedSet, [from, isFrom = true], budget) =>
      partOfSet(keysBetween(value, [from, isFrom], undefined, budget), "tailSet", budget)
  ],
  subSet,
  descendingSet: [0, 0, (value: SortedSet, _, budget) => partOfSet(backwards(value, budget), "descendingSet", budget)],
  descendingIterator: [0, 0, (value: SortedSet, _, budget) => new ScriptIterator(backwards(value, budget))],
  floor: nearKey("floor"),
  ceiling: nearKey("ceiling"),
  lower: nearKey("lower"),
  higher: nearKey("higher")
}
