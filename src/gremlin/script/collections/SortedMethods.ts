import { MapEntry } from "../../../structure/collections/Collections.ts"
import type { Budget } from "../budget/Budget.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { Nearness, SortedMap, SortedSet } from "../values/SortedCollections.ts"
import { setMethods } from "./ListMethods.ts"
import { mapMethods } from "./MapMethods.ts"

// The methods that only sorted maps and sets have. The views of a part, such as headMap(), are left out.

/** The first key in the order, or the last one. Fails with OperandError for an empty map. */
const endKey = (value: SortedMap, at: 0 | -1): unknown => {
  const keys = [...value.keys()]
  if (keys.length > 0) return keys.at(at)
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
  const member = value.toList().at(at)
  value.delete(member)
  return member
}

const nearKey = (which: Nearness): Method => [
  1,
  1,
  (value: SortedMap | SortedSet, [key]: readonly unknown[], budget: Budget) => value.near(budget.key(key), which)
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
  floor: nearKey("floor"),
  ceiling: nearKey("ceiling"),
  lower: nearKey("lower"),
  higher: nearKey("higher")
}
