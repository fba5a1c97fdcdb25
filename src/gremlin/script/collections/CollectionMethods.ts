import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import type { Budget } from "../budget/Budget.ts"
import { areEqualValues } from "../comparison/GroovyEquality.ts"
import { SortOrder } from "../comparison/GroovyOrder.ts"
import { NumberAwareSet, withoutEqual } from "../comparison/NumberAware.ts"
import { isTrue } from "../comparison/Truth.ts"
import { asIndex, asText, type Methods } from "../methods/MethodTable.ts"
import { binary, contains } from "../operators/Operators.ts"
import { joinedText } from "../texts/JoinedText.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { RangeList } from "../values/RangeList.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { combinationMethods } from "./Combinations.ts"
import { sliceMethods } from "./Slices.ts"

/** Items that each sum of several may process besides the limit of an operation, so that many small numbers are added. */
const ITEMS_PER_SUM = 8

/** The smallest (sign -1) or largest (sign 1) member; null without members. Fails with OperandError for values that have no order. */
export const extremeOf = (values: readonly unknown[], sign: 1 | -1, budget: Budget): unknown => {
  budget.compared(values)
  // As in Groovy, null is neither the smallest nor the largest member.
  return values.reduce<unknown>((best, it) => {
    if (it === null || best === null) return it ?? best
    return (binary("<=>", it, best, budget) as number) * sign > 0 ? it : best
  }, null)
}

/** The members in Groovy's order. As in Groovy, sort() changes a list and returns it. */
const sorted = (value: unknown, isInPlace: boolean, budget: Budget): unknown => {
  const members = membersOf(value, "sort()")
  budget.sorted(members)
  const order = new SortOrder(budget)
  const found = [...members].sort((left, right) => order.compare(left, right))
  return isInPlace ? replaced(value, found) : found
}

/** Replaces the members of a list. Returns the list, or the new members for a value that is not a list. */
export const replaced = (value: unknown, found: Array<unknown>): unknown => {
  // As in Groovy, the values of a map are sorted into a new list.
  if (!Array.isArray(value) || value instanceof MapValues) return found
  for (let at = 0; at < found.length; at++) value[at] = found[at]
  value.length = found.length
  return value
}

/** The members of a collection that is not empty. */
const someMembers = (value: unknown, what: string): readonly unknown[] => {
  const members = membersOf(value, what)
  if (members.length === 0)
    throw new OperandError(
      `${what} of an empty collection has no result`,
      "NoSuchElementException",
      `Cannot access ${what} element from an empty ${Array.isArray(value) ? "List" : "Iterable"}`
    )
  return members
}

/** The members joined by `+`, after `first`. Fails with OperandError if the sums process too many items together. */
export const sumOf = (members: readonly unknown[], first: unknown, what: string, budget: Budget): unknown => {
  let allowed = budget.spent
  return members.reduce((total, it) => {
    const sum = binary("+", total, it, budget)
    // The sums of maps, for example, become larger with each member.
    budget.limit((allowed += ITEMS_PER_SUM), what)
    return sum
  }, first)
}

const memberAt = (value: unknown, index: number, what: string): unknown => someMembers(value, what).at(index)

/** The members, with each list and set among them replaced by its own members. */
const flattened = (members: readonly unknown[], budget: Budget): Array<unknown> => {
  const flat: Array<unknown> = []
  const add = (items: Iterable<unknown>): void => {
    for (const item of items) {
      if (Array.isArray(item) || item instanceof GremlinSet) add(item)
      else flat.push(item)
      if (flat.length % 4096 === 0) budget.spend(flat.length, "flatten()")
    }
  }
  budget.text("")
  add(members)
  return budget.list(flat)
}

/** For each index that all lists have, the list of their members at this index. */
const transposed = (lists: readonly unknown[], budget: Budget): Array<unknown> => {
  const rows = lists.map((list) => membersOf(list, "transpose()"))
  const width = rows.length === 0 ? 0 : Math.min(...rows.slice(0, 1000).map((row) => row.length))
  budget.spend(width * rows.length, "transpose()")
  budget.members(rows.flatMap((row) => row.slice(0, width)))
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]))
}

/** The number of members. A set is not copied. */
const sizeOf = (value: unknown, what: string): number =>
  value instanceof GremlinSet ? value.size : membersOf(value, what).length

/** The first member. A set is not copied. Fails with OperandError for an empty collection. */
const firstOf = (value: unknown, what: string): unknown =>
  value instanceof GremlinSet && value.size > 0 ? value.values().next().value : memberAt(value, 0, what)

/** Methods of lists, sets and paths. */
export const memberMethods: Methods = {
  ...combinationMethods,
  ...sliceMethods,
  size: [0, 0, (value: unknown) => sizeOf(value, "size()")],
  isEmpty: [0, 0, (value: unknown) => sizeOf(value, "isEmpty()") === 0],
  contains: [1, 1, (value: unknown, [member], budget) => contains(value, member, budget)],
  containsAll: [
    1,
    1,
    (value: unknown, [others], budget) => {
      if (value instanceof RangeList) {
        const wanted = membersOf(others, "containsAll()")
        budget.spend(value.length * wanted.length, "containsAll()")
        return wanted.every((member) => contains(value, member, budget))
      }
      const known = new GremlinSet(budget.keys([...membersOf(value, "containsAll()")]))
      budget.compared(others)
      return membersOf(others, "containsAll()").every((member) => known.has(member))
    }
  ],
  count: [
    1,
    1,
    (value: unknown, [member], budget) => {
      const members = membersOf(value, "count()")
      budget.searched(members, member)
      return members.filter((it) => areEqualValues(it, member, budget)).length
    }
  ],
  iterator: [0, 0, (value: unknown) => new ScriptIterator(membersOf(value, "iterator()"))],
  toList: [0, 0, (value: unknown, _, budget) => budget.list([...membersOf(value, "toList()")])],
  toSet: [0, 0, (value: unknown, _, budget) => new GremlinSet(budget.keys([...membersOf(value, "toSet()")]))],
  unique: [
    0,
    1,
    (value: unknown, [isInPlace = true], budget) => {
      const found = withoutEqual([...membersOf(value, "unique()")], budget)
      return isInPlace === true ? replaced(value, found) : found
    }
  ],
  toUnique: [
    0,
    0,
    (value: unknown, _, budget) => [...new GremlinSet(budget.keys([...membersOf(value, "toUnique()")]))]
  ],
  first: [0, 0, (value: unknown) => firstOf(value, "first()")],
  last: [0, 0, (value: unknown) => memberAt(value, -1, "last()")],
  join: [
    0,
    1,
    (value: unknown, [separator = ""], budget) => {
      const members = membersOf(value, "join()")
      const between = asText(separator)
      budget.spend(members.length, "join()")
      return joinedText(members, between, budget)
    }
  ],
  sum: [
    0,
    1,
    (value: unknown, [first = null], budget) => {
      const members = membersOf(value, "sum()")
      budget.spend(members.length, "sum()")
      if (first !== null) return sumOf(members, first, "sum()", budget)
      const start = members.findIndex((it) => it !== null)
      return start < 0 ? null : sumOf(members.slice(start + 1), members[start], "sum()", budget)
    }
  ],
  min: [0, 0, (value: unknown, _, budget) => extremeOf(membersOf(value, "min()"), -1, budget)],
  max: [0, 0, (value: unknown, _, budget) => extremeOf(membersOf(value, "max()"), 1, budget)],
  sort: [0, 1, (value: unknown, [isInPlace = true], budget) => sorted(value, isInPlace === true, budget)],
  toSorted: [0, 0, (value: unknown, _, budget) => sorted(value, false, budget)],
  withIndex: [
    0,
    1,
    (value: unknown, [first = 0], budget) =>
      budget.list(budget.members(membersOf(value, "withIndex()")).map((it, index) => [it, index + asIndex(first)]))
  ],
  indexed: [
    0,
    0,
    (value: unknown, _, budget) =>
      new GremlinMap(
        budget.list(membersOf(value, "indexed()").map((it, index) => [index, it])) as Array<[number, unknown]>
      )
  ],
  flatten: [0, 0, (value: unknown, _, budget) => flattened(membersOf(value, "flatten()"), budget)],
  transpose: [0, 0, (value: unknown, _, budget) => transposed(membersOf(value, "transpose()"), budget)],
  head: [0, 0, (value: unknown) => firstOf(value, "head()")],
  tail: [0, 0, (value: unknown, _, budget) => budget.list(someMembers(value, "tail()").slice(1))],
  init: [0, 0, (value: unknown, _, budget) => budget.list(someMembers(value, "init()").slice(0, -1))],
  takeRight: [
    1,
    1,
    (value: unknown, [n], budget) => {
      const members = membersOf(value, "takeRight()")
      return budget.list(members.slice(Math.max(0, members.length - Math.max(0, asIndex(n)))))
    }
  ],
  dropRight: [
    1,
    1,
    (value: unknown, [n], budget) => {
      const members = membersOf(value, "dropRight()")
      return budget.list(members.slice(0, Math.max(0, members.length - Math.max(0, asIndex(n)))))
    }
  ],
  intersect: [
    1,
    1,
    (value: unknown, [others], budget) => {
      const wanted = new NumberAwareSet([...membersOf(others, "intersect()")], budget)
      budget.compared(value)
      const found = membersOf(value, "intersect()").filter((it) => wanted.has(it))
      return value instanceof GremlinSet ? new GremlinSet(budget.list(found)) : budget.list(found)
    }
  ],
  disjoint: [
    1,
    1,
    (value: unknown, [others], budget) => {
      const wanted = new NumberAwareSet([...membersOf(others, "disjoint()")], budget)
      budget.compared(value)
      return !membersOf(value, "disjoint()").some((it) => wanted.has(it))
    }
  ],
  any: [0, 0, (value: unknown) => membersOf(value, "any()").some(isTrue)],
  every: [0, 0, (value: unknown) => membersOf(value, "every()").every(isTrue)],
  findAll: [0, 0, (value: unknown, _, budget) => budget.list(membersOf(value, "findAll()").filter(isTrue))],
  reverse: [0, 0, (value: unknown, _, budget) => budget.list([...membersOf(value, "reverse()")].reverse())],
  take: [
    1,
    1,
    (value: unknown, [n], budget) => budget.list(membersOf(value, "take()").slice(0, Math.max(0, asIndex(n))))
  ],
  drop: [1, 1, (value: unknown, [n], budget) => budget.list(membersOf(value, "drop()").slice(Math.max(0, asIndex(n))))],
  average: [
    0,
    0,
    (value: unknown, _, budget) => {
      const members = someMembers(value, "average()")
      const total = sumOf(members.slice(1), members[0], "average()", budget)
      return binary("/", total, members.length, budget)
    }
  ],
  multiply: [1, 1, (value: unknown, [times], budget) => binary("*", value, times, budget)],
  plus: [1, 1, (value: unknown, [other], budget) => binary("+", value, other, budget)],
  minus: [1, 1, (value: unknown, [other], budget) => binary("-", value, other, budget)],
  leftShift: [1, 1, (value: unknown, [member], budget) => binary("<<", value, member, budget)],
  toListString: [0, 0, (value: unknown, _, budget) => budget.text(value)]
}
