import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { viewedBy } from "../../../structure/collections/MapValues.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { areEqualValues } from "../comparison/GroovyEquality.ts"
import { sortedMap } from "../comparison/SortedKeys.ts"
import { asIndex, cloneMethod, type Method, type Methods } from "../methods/MethodTable.ts"
import { asImmutable } from "../objects/ConstantCollections.ts"
import { binary, contains } from "../operators/Operators.ts"
import { underlying } from "../values/DefaultMap.ts"
import { EntrySet, KeySet, liveEntries } from "../values/MapParts.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { mapLike } from "../values/SortedCollections.ts"
import { mapCombinationMethods } from "./Combinations.ts"

const setProperty = (value: GremlinMap, key: unknown, member: unknown, budget: Budget): null => {
  value.set(budget.keyMember(key), budget.member(member, value))
  return null
}

const entriesFrom = (map: GremlinMap, from: number, to: number, budget: Budget): GremlinMap =>
  mapLike(map, budget.list([...map].slice(Math.max(0, from), Math.max(0, to))) as Array<[unknown, unknown]>)

/** `remove(key)`: the value of the key, which is removed. */
const removed: Method = [
  1,
  1,
  (value: GremlinMap, [key], budget) => {
    const before = value.get(budget.key(key)) ?? null
    value.delete(key)
    return before
  }
]

/** Methods of maps. */
export const mapMethods: Methods = {
  ...mapCombinationMethods,
  collect: [0, 0, (value: GremlinMap, _, budget) => budget.list(liveEntries(value))],
  clone: cloneMethod,
  asImmutable,
  size: [0, 0, (value: GremlinMap) => value.size],
  isEmpty: [0, 0, (value: GremlinMap) => value.size === 0],
  get: [
    1,
    2,
    (value: GremlinMap, [key, other], budget) => {
      if (value.has(budget.key(key))) return value.get(key)
      if (other === undefined) return null
      // Groovy stores the default, so that `m.get(key, []) << item` collects items.
      const stored = budget.member(other, value)
      value.set(budget.keyMember(key), stored)
      return stored
    }
  ],
  getAt: [1, 1, (value: GremlinMap, [key], budget) => value.get(budget.key(key)) ?? null],
  putIfAbsent: [
    2,
    2,
    (value: GremlinMap, [key, member], budget) => {
      const before = value.get(budget.key(key)) ?? null
      if (before === null) value.set(budget.keyMember(key), budget.member(member, value))
      return before
    }
  ],
  subMap: [
    1,
    1,
    (value: GremlinMap, [keys], budget) => {
      const wanted = budget.keys([...membersOf(keys, "subMap()")])
      return new GremlinMap(wanted.filter((key) => value.has(key)).map((key) => [key, value.get(key)] as const))
    }
  ],
  sort: [
    0,
    0,
    (value: GremlinMap, _, budget) => {
      const entries = [...value]
      budget.sorted(entries.map(([key]) => key))
      return sortedMap(entries)
    }
  ],
  plus: [1, 1, (value: GremlinMap, [other], budget) => binary("+", value, other, budget)],
  minus: [1, 1, (value: GremlinMap, [other], budget) => binary("-", value, other, budget)],
  leftShift: [1, 1, (value: GremlinMap, [other], budget) => binary("<<", value, other, budget)],
  toMapString: [0, 0, (value: GremlinMap, _, budget) => budget.text(value)],
  intersect: [
    1,
    1,
    (value: GremlinMap, [other], budget) => {
      if (!(other instanceof GremlinMap)) throw new OperandError(`intersect() takes a map, not ${typeName(other)}`)
      budget.compared(value)
      return mapLike(
        value,
        [...value].filter(([key, member]) => other.has(key) && areEqualValues(member, other.get(key), budget))
      )
    }
  ],
  clear: [
    0,
    0,
    (value: GremlinMap, _, budget) => {
      for (const key of budget.list([...value.keys()])) value.delete(key)
      return null
    }
  ],
  getOrDefault: [
    2,
    2,
    (value: GremlinMap, [key, other], budget) => (value.has(budget.key(key)) ? value.get(key) : other)
  ],
  containsKey: [1, 1, (value: GremlinMap, [key], budget) => value.has(budget.key(key))],
  containsValue: [
    1,
    1,
    (value: GremlinMap, [member], budget) => contains(budget.list([...value.values()]), member, budget)
  ],
  keySet: [
    0,
    0,
    (value: GremlinMap, _, budget) => {
      budget.list([...value.keys()])
      return new KeySet(value)
    }
  ],
  values: [0, 0, (value: GremlinMap) => viewedBy(underlying(value) as GremlinMap)],
  entrySet: [
    0,
    0,
    (value: GremlinMap, _, budget) => {
      budget.list([...value.keys()])
      return new EntrySet(value)
    }
  ],
  take: [1, 1, (value: GremlinMap, [n], budget) => entriesFrom(value, 0, asIndex(n), budget)],
  drop: [1, 1, (value: GremlinMap, [n], budget) => entriesFrom(value, asIndex(n), value.size, budget)],
  replace: [
    2,
    3,
    (value: GremlinMap, args, budget) => {
      const [key, member] = args
      const before = value.get(budget.key(key)) ?? null
      if (args.length === 2) {
        if (value.has(key)) value.set(key, budget.member(member, value))
        return before
      }
      const isReplaced = value.has(key) && areEqualValues(before, member, budget)
      if (isReplaced) value.set(key, budget.member(args[2], value))
      return isReplaced
    }
  ],
  iterator: [0, 0, (value: GremlinMap, _, budget) => new ScriptIterator(budget.list(liveEntries(value)))],
  put: [
    2,
    2,
    (value: GremlinMap, [key, member], budget) => {
      const before = value.get(budget.key(key)) ?? null
      value.set(budget.keyMember(key), budget.member(member, value))
      return before
    }
  ],
  // Options of a graph, `new BaseConfiguration()`, are a map.
  setProperty: [2, 2, (value: GremlinMap, [key, member], budget) => setProperty(value, key, member, budget)],
  addProperty: [2, 2, (value: GremlinMap, [key, member], budget) => setProperty(value, key, member, budget)],
  getProperty: [1, 1, (value: GremlinMap, [key], budget) => value.get(budget.key(key)) ?? null],
  putAll: [
    1,
    1,
    (value: GremlinMap, [other], budget) => {
      if (!(other instanceof GremlinMap)) throw new OperandError(`putAll() takes a map, not ${typeName(other)}`)
      const entries = budget.list([...other]) as Array<[unknown, unknown]>
      budget.members([...other.values()], value)
      for (const [key, member] of entries) value.set(budget.keyMember(key), member)
      return null
    }
  ],
  remove: removed,
  // The parser writes `remove((Object) key)` as this method, which lists and sets have in Groovy.
  removeElement: removed
}
