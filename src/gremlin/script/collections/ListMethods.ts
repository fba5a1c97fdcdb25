import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { isNumber, numberKind } from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, cloneMethod, type Methods, part, positioned, within } from "../methods/MethodTable.ts"
import { asImmutable } from "../objects/ConstantCollections.ts"
import { isSameMember } from "../operators/Operators.ts"
import { SubList } from "../values/FixedList.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { memberMethods, replaced } from "./CollectionMethods.ts"
import { listCombinationMethods } from "./Combinations.ts"
import { dequeMethods } from "./DequeMethods.ts"

/** `remove(index)` of an Integer; of another value the first equal member. */
const removed = (value: unknown[], what: unknown, budget: Budget): unknown => {
  if (isNumber(what) && numberKind(what) === "Int") return value.splice(within(asIndex(what), value.length), 1)[0]
  budget.searched(value, what)
  const at = value.findIndex((it) => isSameMember(it, what))
  if (at >= 0) value.splice(at, 1)
  return at >= 0
}

/** The first or last member, which is removed. Fails with OperandError for an empty list. */
const popped = (value: unknown[], isFirst: boolean): unknown => {
  if (value.length === 0)
    throw new OperandError("the list is empty, so it has no result for this method", "NoSuchElementException")
  return isFirst ? value.shift() : value.pop()
}

/** The first or last member. Fails with OperandError for an empty list. */
const endOf = (value: readonly unknown[], at: 0 | -1): unknown => {
  if (value.length > 0) return value.at(at)
  throw new OperandError("the list is empty, so it has no first and no last member", "NoSuchElementException")
}

/** Fails with OperandError for an index before the list or behind its end. */
const checkInsertion = (at: number, size: number): void => {
  if (at >= 0 && at <= size) return
  const problem = `index ${at} is out of bounds for length ${size}`
  throw new OperandError(problem, "IndexOutOfBoundsException", `Index: ${at}, Size: ${size}`)
}

/** Methods of lists. */
export const listMethods: Methods = {
  ...memberMethods,
  ...listCombinationMethods,
  ...dequeMethods,
  clone: cloneMethod,
  asImmutable,
  toArray: [0, 0, (value: unknown[], _, budget) => new JavaArray("Object", budget.list([...value]))],
  get: [1, 1, (value: unknown[], [index]) => value[within(asIndex(index), value.length)]],
  getAt: [1, 1, (value: unknown[], [index]) => positioned(value, asIndex(index))],
  indexOf: [
    1,
    1,
    (value: unknown[], [member], budget) => {
      budget.searched(value, member)
      return value.findIndex((it) => isSameMember(it, member))
    }
  ],
  subList: [
    2,
    2,
    (value: unknown[], [from, to], budget) => SubList.holding(budget.list(value.slice(...part(value.length, from, to))))
  ],
  add: [
    1,
    2,
    (value: unknown[], args, budget) => {
      if (args.length === 1) return value.push(budget.member(args[0], value)) > 0
      const at = asIndex(args[0])
      checkInsertion(at, value.length)
      budget.spend(value.length - at, "add()")
      value.splice(at, 0, budget.member(args[1], value))
      return null
    }
  ],
  addAll: [
    1,
    2,
    (value: unknown[], args, budget) => {
      const added = budget.list([...membersOf(args.at(-1), "addAll()")])
      budget.members(added, value)
      const at = args.length === 1 ? value.length : asIndex(args[0])
      checkInsertion(at, value.length)
      budget.spend(value.length - at, "addAll()")
      const behind = value.splice(at)
      for (const member of [...added, ...behind]) value.push(member)
      return added.length > 0
    }
  ],
  set: [
    2,
    2,
    (value: unknown[], [index, member], budget) => {
      const at = within(asIndex(index), value.length)
      const before = value[at]
      value[at] = budget.member(member, value)
      return before
    }
  ],
  push: [1, 1, (value: unknown[], [member], budget) => value.unshift(budget.member(member, value)) > 0],
  pop: [0, 0, (value: unknown[]) => popped(value, true)],
  removeLast: [0, 0, (value: unknown[]) => popped(value, false)],
  poll: [0, 0, (value: unknown[]) => value.shift() ?? null],
  peek: [0, 0, (value: unknown[]) => value[0] ?? null],
  addFirst: [1, 1, (value: unknown[], [member], budget) => void value.unshift(budget.member(member, value))],
  addLast: [1, 1, (value: unknown[], [member], budget) => void value.push(budget.member(member, value))],
  offer: [1, 1, (value: unknown[], [member], budget) => value.push(budget.member(member, value)) > 0],
  getFirst: [0, 0, (value: unknown[]) => endOf(value, 0)],
  getLast: [0, 0, (value: unknown[]) => endOf(value, -1)],
  peekFirst: [0, 0, (value: unknown[]) => value[0] ?? null],
  peekLast: [0, 0, (value: unknown[]) => value.at(-1) ?? null],
  removeFirst: [0, 0, (value: unknown[]) => popped(value, true)],
  pollFirst: [0, 0, (value: unknown[]) => value.shift() ?? null],
  pollLast: [0, 0, (value: unknown[]) => value.pop() ?? null],
  swap: [
    2,
    2,
    (value: unknown[], [one, other]) => {
      const [i, j] = [within(asIndex(one), value.length), within(asIndex(other), value.length)]
      ;[value[i], value[j]] = [value[j], value[i]]
      return value
    }
  ],
  remove: [1, 1, (value: unknown[], [index], budget) => removed(value, index, budget)],
  removeElement: [
    1,
    1,
    (value: unknown[], [member], budget) => {
      budget.searched(value, member)
      const at = value.findIndex((it) => isSameMember(it, member))
      if (at >= 0) value.splice(at, 1)
      return at >= 0
    }
  ],
  removeAt: [1, 1, (value: unknown[], [index]) => value.splice(within(asIndex(index), value.length), 1)[0]],
  removeAll: [
    1,
    1,
    (value: unknown[], [others], budget) => {
      const gone = new GremlinSet(budget.keys([...membersOf(others, "removeAll()")]))
      budget.compared(value)
      const kept = value.filter((it) => !gone.has(it))
      const isChanged = kept.length < value.length
      replaced(value, kept)
      return isChanged
    }
  ],
  lastIndexOf: [
    1,
    1,
    (value: unknown[], [member], budget) => {
      budget.searched(value, member)
      return value.findLastIndex((it) => isSameMember(it, member))
    }
  ],
  clear: [0, 0, (value: unknown[]) => void value.splice(0)]
}

/** Removes the members of a set that are, or are not, among others. True if there were any. */
const keptIn = (value: GremlinSet, others: unknown, wanted: boolean, budget: Budget): boolean => {
  const named = new GremlinSet(budget.keys([...membersOf(others, wanted ? "retainAll()" : "removeAll()")]))
  const gone = budget.list([...value]).filter((member) => named.has(member) !== wanted)
  for (const member of gone) value.delete(member)
  return gone.length > 0
}

/** Methods of sets. */
export const setMethods: Methods = {
  ...memberMethods,
  clone: cloneMethod,
  asImmutable,
  toArray: [0, 0, (value: GremlinSet, _, budget) => new JavaArray("Object", budget.list([...value]))],
  add: [1, 1, (value: GremlinSet, [member], budget) => value.add(budget.key(budget.keyMember(member)))],
  addAll: [
    1,
    1,
    (value: GremlinSet, [others], budget) => {
      const added = budget.list([...membersOf(others, "addAll()")])
      const { size } = value
      for (const member of added) value.add(budget.key(budget.keyMember(member)))
      return value.size > size
    }
  ],
  removeAll: [1, 1, (value: GremlinSet, [others], budget) => keptIn(value, others, false, budget)],
  retainAll: [1, 1, (value: GremlinSet, [others], budget) => keptIn(value, others, true, budget)],
  clear: [
    0,
    0,
    (value: GremlinSet, _, budget) => {
      for (const member of budget.list([...value])) value.delete(member)
      return null
    }
  ],
  remove: [1, 1, (value: GremlinSet, [member], budget) => value.delete(budget.key(member))],
  removeElement: [1, 1, (value: GremlinSet, [member], budget) => value.delete(budget.key(member))]
}
