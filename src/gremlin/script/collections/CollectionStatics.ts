import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { TypeMismatch } from "../../../structure/errors/ValueErrors.ts"
import { isInt } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { ConstantMap, ConstantSet } from "../objects/ConstantCollections.ts"
import { binary, isSameMember } from "../operators/Operators.ts"
import { checkChange } from "../values/Changeable.ts"
import { ConstantList } from "../values/FixedList.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { extremeOf, memberMethods } from "./CollectionMethods.ts"
import { shuffle } from "./DequeMethods.ts"
import { listMethods, setMethods } from "./ListMethods.ts"

/** A method of a class: the number of its arguments, and what it does. */
type Static = readonly [count: number, run: (args: readonly unknown[], budget: Budget) => unknown]

/** The list that a method of Collections changes. Fails with OperandError for another value. */
const changed = (value: unknown, name: string): Array<unknown> => {
  if (!Array.isArray(value)) throw new OperandError(`Collections.${name}() takes a list, not ${typeName(value)}`)
  checkChange(value, "set")
  return value
}

/** A number that must be an Int, as for Java. */
const asPlace = (value: unknown): number => {
  if (typeof value === "number" && isInt(value)) return value
  throw new OperandError(`an Integer was expected, not ${typeName(value)}`)
}

/** Java's equals(), also of the members of lists. */
const areSameObjects = (left: unknown, right: unknown): boolean => {
  if (!Array.isArray(left) || !Array.isArray(right)) {
    return left instanceof Char === right instanceof Char && isSameMember(left, right)
  }
  return left.length === right.length && left.every((member, at) => areSameObjects(member, right[at]))
}

/** Fails with TypeMismatch for values of several classes: Java compares values of one class only. `call` names the method. */
export const assertOneClass = (members: readonly unknown[], call: string): void => {
  const [first] = members
  const other = members.find((member) => typeName(member) !== typeName(first))
  if (other === undefined) return
  const problem = `${call}() compares values of one class, not ${typeName(first)} and ${typeName(other)}`
  throw new TypeMismatch(`${problem}: list.${call.slice(call.indexOf(".") + 1)}() compares both`)
}

const extreme = (list: unknown, sign: 1 | -1, budget: Budget): unknown => {
  const members = membersOf(list, sign > 0 ? "Collections.max()" : "Collections.min()")
  if (members.length === 0)
    throw new OperandError("an empty collection has no largest member", "NoSuchElementException")
  assertOneClass(members, sign > 0 ? "Collections.max" : "Collections.min")
  return extremeOf(members, sign, budget)
}

/** `Collections.addAll(list, a, b)` and `Collections.shuffle(list, random)`. Fails with OperandError for wrong arguments. */
export const changeOf = (name: "addAll" | "shuffle", args: readonly unknown[], budget: Budget): unknown => {
  const [of, ...others] = args
  if (name === "shuffle") {
    if (args.length < 1 || args.length > 2) throw new OperandError("Collections.shuffle() takes a list, and a Random")
    shuffle(changed(of, name), others[0], budget)
    return null
  }
  const isSet = of instanceof GremlinSet
  if (!isSet && !Array.isArray(of))
    throw new OperandError(`Collections.addAll() takes a list or a set, not ${typeName(of)}`)
  // As in Java, an array stands for its members.
  const added = others.length === 1 && others[0] instanceof JavaArray ? [...others[0]] : others
  checkChange(of, "addAll")
  return (isSet ? setMethods : listMethods).addAll![2](of as never, [added], budget)
}

/** Methods of java.util.Collections that take no closure. */
export const collectionStatics: { readonly [name: string]: Static } = {
  emptyList: [0, () => ConstantList.holding([])],
  emptyMap: [0, () => new ConstantMap([])],
  emptySet: [0, () => new ConstantSet([])],
  singleton: [1, ([member], budget) => new ConstantSet([budget.keyMember(member)])],
  singletonList: [1, ([member], budget) => ConstantList.holding(budget.list([budget.member(member)]))],
  singletonMap: [2, ([key, member], budget) => new ConstantMap([[budget.keyMember(key), budget.member(member)]])],
  max: [1, ([list], budget) => extreme(list, 1, budget)],
  min: [1, ([list], budget) => extreme(list, -1, budget)],
  sort: [
    1,
    ([list], budget) => {
      const members = changed(list, "sort")
      assertOneClass(members, "Collections.sort")
      if (members.length > 1) binary("<=>", members[0], members[1], budget)
      memberMethods.sort![2](members as never, [], budget)
      return null
    }
  ],
  reverse: [
    1,
    ([list], budget) => {
      budget.visited(changed(list, "reverse").reverse())
      return null
    }
  ],
  swap: [
    3,
    ([list, one, other]) => {
      const members = changed(list, "swap")
      const [i, j] = [asPlace(one), asPlace(other)]
      if (Math.min(i, j) < 0 || Math.max(i, j) >= members.length) {
        throw new OperandError(`Collections.swap() takes two indexes of the list`, "IndexOutOfBoundsException")
      }
      ;[members[i], members[j]] = [members[j], members[i]]
      return null
    }
  ],
  nCopies: [
    2,
    ([count, member], budget) => {
      const times = asPlace(count)
      if (times < 0) throw new OperandError(`Collections.nCopies() takes a number of 0 or more, not ${times}`)
      budget.spend(times, "Collections.nCopies()")
      budget.members([member], undefined, times)
      return ConstantList.holding(budget.list(new Array(times).fill(member)))
    }
  ],
  frequency: [
    2,
    ([list, member], budget) => {
      const members = membersOf(list, "Collections.frequency()")
      budget.searched(members, member)
      return members.filter((it) => areSameObjects(it, member)).length
    }
  ]
}
