import { isPredicate } from "../../../process/language/Predicate.ts"
import { indexIn } from "../../../structure/characters/TextSearch.ts"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { areSameConstants } from "../../../structure/collections/HostConstant.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import { isNaNValue } from "../../../structure/numbers/NumberOrder.ts"
import { isInt, isNumber, numberKind } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { ClassName } from "../../../structure/scalars/ClassNames.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"
import type { BinaryOperator } from "../../Script.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import type { Budget } from "../budget/Budget.ts"
import { areEqualValues, haveOtherOffsets } from "../comparison/GroovyEquality.ts"
import { orderOf } from "../comparison/GroovyOrder.ts"
import { isTrue } from "../comparison/Truth.ts"
import { composed } from "../objects/ClosureValues.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { isAssignable, isInstanceOf } from "../types/ClassMethods.ts"
import { checkGrows } from "../values/Changeable.ts"
import { withoutChars } from "../values/CharOperands.ts"
import { isMembers, membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { ScriptPattern } from "../values/Patterns.ts"
import { RangeList } from "../values/RangeList.ts"
import { mapLike, setLike } from "../values/SortedCollections.ts"
import { bitwise, wrong } from "./BitOperators.ts"
import { joined, repeatedList, timesOf, without } from "./ListOperators.ts"
import { calculated, isFloating } from "./NumberOperators.ts"
import { power } from "./Powers.ts"
import { joined as joinedPredicates } from "./PredicateMethods.ts"

// The operators of scripts. They throw OperandError for operands that they do not accept.

/** Operators whose right operand is always evaluated. The interpreter implements the others. */
export type StrictOperator = Exclude<BinaryOperator, "&&" | "||" | "?:" | "=~" | "==~">

/**
 * The value of `left operator right`. `<<` appends to the list `left` in place. Throws OperandError for operands that the
 * operator does not accept.
 */
export const binary = (operator: StrictOperator, left: unknown, right: unknown, budget: Budget): unknown =>
  left instanceof Char || right instanceof Char
    ? applied(operator, ...withoutChars(operator, left, right), budget)
    : applied(operator, left, right, budget)

const applied = (operator: StrictOperator, left: unknown, right: unknown, budget: Budget): unknown => {
  switch (operator) {
    case "==":
      return areEqual(left, right, budget)
    case "!=":
      return !areEqual(left, right, budget)
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isOrdered(operator, left, right, budget)
    case "<=>":
      return ordered(left, right, budget)
    case "===":
    case "!==":
      return isSame(left, right) === (operator === "===")
    case "in":
      return isCase(right, left, budget)
    case "!in":
      return !isCase(right, left, budget)
    case "<<":
      return appended(left, right, budget)
    case ">>":
      if (left instanceof ScriptClosure && right instanceof ScriptClosure) return composed(">>", left, right, budget)
      return bitwise(operator, left, right, budget)
    case "&":
    case "|":
      if (isPredicate(left)) return joinedPredicates(operator === "&" ? "and" : "or", left, right, budget)
      return bitwise(operator, left, right, budget)
    case ">>>":
    case "^":
      return bitwise(operator, left, right, budget)
    case "**":
      return power(left, right, budget)
    case "+":
      return plus(left, right, budget)
    default:
      return arithmetic(operator, left, right, budget)
  }
}

/** The sign of the comparison, as Groovy's `<=>` gives it: null is less than all other values. */
const ordered = (left: unknown, right: unknown, budget: Budget): number => {
  if (typeof left === "number" && typeof right === "number") {
    if (left < right) return -1
    if (left > right) return 1
    // Zeros have signs, and NaN has a place: the general comparison knows them.
    if (left === right && left !== 0) return 0
  }
  budget.ordered(left, right)
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1
  const result = orderOf(left, right)
  if (result !== undefined) return Math.sign(result)
  throw wrong("<=>", left, right)
}

const isSame = (left: unknown, right: unknown): boolean =>
  left === right || (typeof left !== "object" && typeof left === typeof right && equals(left, right))

/**
 * Groovy's `isCase`, by which `in`, switch and grep() compare: a class by its instances, a list, set or range by its members, a
 * pattern by the whole text, a map by the value of the key, a string by the text of the value, any other value by equality.
 */
export const isCase = (pattern: unknown, value: unknown, budget: Budget): boolean => {
  if (pattern === null) return value === null
  if (pattern instanceof ClassName) {
    return value instanceof ClassName ? isAssignable(pattern, value) : isInstanceOf(value, pattern)
  }
  if (isMembers(pattern)) return contains(pattern, value, budget)
  if (pattern instanceof GremlinMap) return isTrue(pattern.get(budget.key(value)))
  if (pattern instanceof ScriptPattern) return value !== null && pattern.matches(budget.text(value))
  if (typeof pattern === "string") return value !== null && pattern === budget.text(value, beginningOf)
  if (pattern instanceof ScriptClosure) {
    throw new OperandError("'in' takes no closure in scripts: call it, such as filter(x)")
  }
  return areEqual(pattern, value, budget)
}

/** `<<` appends to a list, adds to a set or a map, joins strings and shifts integers. */
const appended = (left: unknown, right: unknown, budget: Budget): unknown => {
  if (left instanceof ScriptClosure && right instanceof ScriptClosure) return composed("<<", left, right, budget)
  checkGrows(left, "<<")
  if (Array.isArray(left)) left.push(budget.member(right, left))
  else if (left instanceof GremlinSet) left.add(budget.keyMember(right))
  else if (left instanceof GremlinMap && right instanceof GremlinMap) {
    budget.spend(right.size, "<<")
    budget.members([...right.values()], left)
    for (const [key, value] of right) left.set(budget.keyMember(key), value)
  } else if (left instanceof GremlinMap && right instanceof MapEntry) {
    left.set(budget.keyMember(right.key), budget.member(right.value, left))
  } else if (typeof left === "string") return new TextBuilder(left, "StringBuffer").append(right, budget)
  else if (left instanceof TextBuilder) left.append(right, budget)
  else return bitwise("<<", left, right, budget)
  return left
}

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : value instanceof GremlinMap ? value.size : 1

const areEqual = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (sizeOf(left) === sizeOf(right)) budget.compared(left)
  return areEqualValues(left, right, budget)
}

/** True for NaN beside another Float or Double, which no comparison holds for. Beside other numbers NaN is the greatest. */
const isFloatingNaN = (left: unknown, right: unknown): boolean =>
  isNumber(left) && isNumber(right) && isFloating(left) && isFloating(right) && (isNaNValue(left) || isNaNValue(right))

const isOrdered = (operator: "<" | "<=" | ">" | ">=", left: unknown, right: unknown, budget: Budget): boolean => {
  budget.ordered(left, right)
  if (isFloatingNaN(left, right)) return false
  // As for <=>, null is less than all other values.
  const isNull = left === null || right === null
  const result = isNull ? Number(right === null) - Number(left === null) : orderOf(left, right)
  if (result === undefined) throw wrong(operator, left, right)
  switch (operator) {
    case "<":
      return result < 0
    case "<=":
      return result <= 0
    case ">":
      return result > 0
    default:
      return result >= 0
  }
}

/**
 * Returns whether the container contains the value: a collection as a member, a map as a key, a string as a part. Throws
 * OperandError for other containers.
 */
export const contains = (container: unknown, value: unknown, budget: Budget): boolean => {
  if (container instanceof GremlinSet || container instanceof GremlinMap) return container.has(budget.key(value))
  if (container instanceof BulkSet) return container.count(budget.key(value)) > 0
  budget.visited(container)
  if (typeof container === "string" && typeof value === "string") return indexIn(container, value) >= 0
  const members = membersOf(container, "looking for a member")
  budget.searched(members, value)
  // Texts, and JavaScript's numbers, which are Ints or Doubles by their value, are the same member exactly if they are identical.
  const isQuick = typeof value === "string" || (typeof value === "number" && value !== 0 && isInt(value))
  // Groovy compares the values of numbers in a range of Longs, but not in one of Ints.
  if (container instanceof RangeList && typeof container[0] === "bigint") return members.some((it) => equals(it, value))
  for (let at = 0; at < members.length; at++) {
    const member = members[at]
    if (isQuick && typeof member === typeof value ? member === value : isSameMember(member, value)) return true
  }
  return false
}

/** Java's equals(), by which lists look for members: numbers of different types are not equal. */
export const isSameMember = (left: unknown, right: unknown): boolean =>
  (!isNumber(left) || !isNumber(right) || numberKind(left) === numberKind(right)) &&
  (equals(left, right) ||
    areSameConstants(left, right) ||
    (isNumber(left) && isNaNValue(left) && isNumber(right) && isNaNValue(right))) &&
  !haveOtherOffsets(left, right)

/** True for a value that `+` joins with a text to its right. As in Groovy, most other objects have no `+`. */
const isJoinable = (left: unknown): boolean => left === null || isNumber(left) || left instanceof GremlinMap

const plus = (left: unknown, right: unknown, budget: Budget): unknown => {
  if (isNumber(left) && isNumber(right)) return calculated("+", left, right, budget)
  const isJoined =
    typeof left === "string" || left instanceof TextBuilder || (typeof right === "string" && isJoinable(left))
  if (isJoined) return budget.string(budget.text(left) + budget.text(right))
  if (left instanceof GremlinMap && right instanceof GremlinMap) {
    budget.spend(left.size + right.size, "+")
    return mapLike(left, [...left, ...right])
  }
  if (Array.isArray(left)) return joined(left, right, budget)
  if (left instanceof GremlinSet) return setLike(left, joined([...left], right, budget))
  throw wrong("+", left, right)
}

const arithmetic = (operator: "-" | "*" | "/" | "%", left: unknown, right: unknown, budget: Budget): unknown => {
  if (isNumber(left) && isNumber(right)) return calculated(operator, left, right, budget)
  if (operator === "-" && typeof left === "string" && !(right instanceof ScriptPattern)) {
    // As in Groovy, the first place of the text is left out.
    const removed = budget.text(right)
    const at = indexIn(left, removed)
    return at < 0 ? left : budget.string(left.slice(0, at) + left.slice(at + removed.length))
  }
  if (operator === "-" && Array.isArray(left)) return without(left, right, budget)
  if (operator === "-" && left instanceof GremlinSet) return setLike(left, without([...left], right, budget))
  if (operator === "-" && left instanceof GremlinMap && right instanceof GremlinMap) {
    budget.compared(left)
    return mapLike(
      left,
      [...left].filter(([key, value]) => !right.has(key) || !areEqualValues(value, right.get(key), budget))
    )
  }
  if (operator === "*" && isNumber(right)) {
    if (typeof left === "string") return budget.repeated(left, timesOf(right))
    if (Array.isArray(left)) return repeatedList(left, timesOf(right), budget)
    if (left instanceof GremlinSet) return new GremlinSet(repeatedList([...left], Math.min(timesOf(right), 1), budget))
  }
  throw wrong(operator, left, right)
}
