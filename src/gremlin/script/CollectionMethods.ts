import { GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { equals } from "../../structure/Equality.ts"
import { order } from "../../structure/Ordering.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { ScriptIterator } from "../Scope.ts"
import { type Budget, membersOf, OperandError } from "./Budget.ts"
import { asIndex, asText, type Methods, part, within } from "./MethodTable.ts"
import { binary, contains } from "./Operators.ts"

/** The smallest (sign -1) or largest (sign 1) member in Gremlin's order; null without members. */
const extreme = (values: readonly unknown[], sign: 1 | -1, budget: Budget): unknown => {
  budget.spend(values.length, "comparing all members")
  return values.reduce((best, it) => (order(it, best) * sign > 0 ? it : best), values[0]) ?? null
}

/** Methods of lists, sets and paths. */
export const memberMethods: Methods = {
  size: [0, 0, (value: unknown) => membersOf(value, "size()").length],
  isEmpty: [0, 0, (value: unknown) => membersOf(value, "isEmpty()").length === 0],
  contains: [1, 1, (value: unknown, [member], budget) => contains(value, member, budget)],
  containsAll: [
    1,
    1,
    (value: unknown, [others], budget) =>
      membersOf(others, "containsAll()").every((member) => contains(value, member, budget))
  ],
  count: [
    1,
    1,
    (value: unknown, [member], budget) => {
      const members = membersOf(value, "count()")
      budget.spend(members.length, "count()")
      return members.filter((it) => equals(it, member)).length
    }
  ],
  iterator: [0, 0, (value: unknown) => new ScriptIterator(membersOf(value, "iterator()"))],
  toList: [0, 0, (value: unknown, _, budget) => budget.list([...membersOf(value, "toList()")])],
  toSet: [0, 0, (value: unknown, _, budget) => new GremlinSet(budget.list([...membersOf(value, "toSet()")]))],
  unique: [0, 0, (value: unknown, _, budget) => [...new GremlinSet(budget.list([...membersOf(value, "unique()")]))]],
  first: [0, 0, (value: unknown) => membersOf(value, "first()")[0] ?? null],
  last: [0, 0, (value: unknown) => membersOf(value, "last()").at(-1) ?? null],
  join: [
    1,
    1,
    (value: unknown, [separator], budget) => {
      const members = membersOf(value, "join()")
      const between = asText(separator)
      budget.spend(members.length, "join()")
      let length = 0
      const texts = members.map((it) => {
        const text = budget.text(it)
        budget.growing((length += text.length + between.length))
        return text
      })
      return budget.string(texts.join(between))
    }
  ],
  sum: [
    0,
    0,
    (value: unknown, _, budget) => {
      const members = membersOf(value, "sum()")
      budget.spend(members.length, "sum()")
      return members.reduce((total, it) => (total === null ? it : binary("+", total, it, budget)), null)
    }
  ],
  min: [0, 0, (value: unknown, _, budget) => extreme(membersOf(value, "min()"), -1, budget)],
  max: [0, 0, (value: unknown, _, budget) => extreme(membersOf(value, "max()"), 1, budget)],
  sort: [
    0,
    0,
    (value: unknown, _, budget) => {
      const members = membersOf(value, "sort()")
      budget.spend(Math.ceil(members.length * Math.log2(members.length + 1)), "sort()")
      return [...members].sort(order)
    }
  ],
  reverse: [0, 0, (value: unknown, _, budget) => budget.list([...membersOf(value, "reverse()")].reverse())],
  take: [
    1,
    1,
    (value: unknown, [n], budget) => budget.list(membersOf(value, "take()").slice(0, Math.max(0, asIndex(n))))
  ],
  drop: [1, 1, (value: unknown, [n], budget) => budget.list(membersOf(value, "drop()").slice(Math.max(0, asIndex(n))))],
  plus: [1, 1, (value: unknown, [other], budget) => binary("+", value, other, budget)],
  minus: [1, 1, (value: unknown, [other], budget) => binary("-", value, other, budget)]
}

/** Methods of lists. */
export const listMethods: Methods = {
  ...memberMethods,
  get: [1, 1, (value: unknown[], [index]) => value[within(asIndex(index), value.length)]],
  getAt: [1, 1, (value: unknown[], [index]) => value.at(asIndex(index)) ?? null],
  indexOf: [1, 1, (value: unknown[], [member]) => value.findIndex((it) => equals(it, member))],
  subList: [2, 2, (value: unknown[], [from, to], budget) => budget.list(value.slice(...part(value.length, from, to)))],
  add: [1, 1, (value: unknown[], [member], budget) => value.push(budget.member(member)) > 0],
  addAll: [
    1,
    1,
    (value: unknown[], [members], budget) => {
      for (const member of budget.list([...membersOf(members, "addAll()")])) value.push(budget.member(member))
      return true
    }
  ],
  remove: [1, 1, (value: unknown[], [index]) => value.splice(within(asIndex(index), value.length), 1)[0]],
  clear: [0, 0, (value: unknown[]) => void value.splice(0)]
}

/** Methods of sets. */
export const setMethods: Methods = {
  ...memberMethods,
  add: [1, 1, (value: GremlinSet, [member], budget) => value.add(budget.member(member))],
  remove: [1, 1, (value: GremlinSet, [member]) => value.delete(member)]
}

/** Methods of maps. */
export const mapMethods: Methods = {
  size: [0, 0, (value: GremlinMap) => value.size],
  isEmpty: [0, 0, (value: GremlinMap) => value.size === 0],
  get: [1, 2, (value: GremlinMap, [key, other = null]) => (value.has(key) ? value.get(key) : other)],
  getAt: [1, 1, (value: GremlinMap, [key]) => value.get(key) ?? null],
  getOrDefault: [2, 2, (value: GremlinMap, [key, other]) => (value.has(key) ? value.get(key) : other)],
  containsKey: [1, 1, (value: GremlinMap, [key]) => value.has(key)],
  containsValue: [
    1,
    1,
    (value: GremlinMap, [member], budget) => contains(budget.list([...value.values()]), member, budget)
  ],
  keySet: [0, 0, (value: GremlinMap, _, budget) => new GremlinSet(budget.list([...value.keys()]))],
  values: [0, 0, (value: GremlinMap, _, budget) => budget.list([...value.values()])],
  entrySet: [
    0,
    0,
    (value: GremlinMap, _, budget) => budget.list(Array.from(value, ([key, item]) => new MapEntry(key, item)))
  ],
  iterator: [
    0,
    0,
    (value: GremlinMap, _, budget) =>
      new ScriptIterator(budget.list(Array.from(value, ([key, item]) => new MapEntry(key, item))))
  ],
  put: [
    2,
    2,
    (value: GremlinMap, [key, member], budget) => {
      const before = value.get(key) ?? null
      value.set(budget.member(key), budget.member(member))
      return before
    }
  ],
  putAll: [
    1,
    1,
    (value: GremlinMap, [other], budget) => {
      if (!(other instanceof GremlinMap)) throw new OperandError(`putAll() takes a map, not ${typeName(other)}`)
      const entries = budget.list([...other]) as Array<[unknown, unknown]>
      for (const [key, member] of entries) value.set(budget.member(key), budget.member(member))
      return null
    }
  ],
  remove: [
    1,
    1,
    (value: GremlinMap, [key]) => {
      const before = value.get(key) ?? null
      value.delete(key)
      return before
    }
  ]
}
