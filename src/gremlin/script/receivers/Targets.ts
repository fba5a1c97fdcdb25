import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { asIndex, within, withinArray } from "../methods/MethodTable.ts"
import { binary } from "../operators/Operators.ts"
import { converted } from "../types/Conversions.ts"
import { checkGrows } from "../values/Changeable.ts"
import { assertChangeable, SizedList } from "../values/FixedList.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { LiveEntry, unchangeableValues } from "../values/MapParts.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { RangeList } from "../values/RangeList.ts"
import { callMethod, readIndex, readMember } from "./ValueMethods.ts"

/** The value that an assignment such as `+=` reads before it stores. Fails with OperandError. */
export const readTarget = (container: unknown, index: unknown, isMember: boolean, budget: Budget): unknown => {
  if (container === null) throw new OperandError("nothing can be read inside null", "NullPointerException")
  return isMember ? readMember(container, String(index)) : readIndex(container, index, budget)
}

/** Stores a value in a list or a map. Returns the value. Fails with OperandError. */
export const storeIn = (container: unknown, index: unknown, value: unknown, budget: Budget): unknown => {
  if (container instanceof GremlinMap) {
    const member = budget.member(value, container)
    container.set(budget.keyMember(index), member)
    return member
  }
  if (container instanceof RangeList) throw container.unchangeable()
  if (container instanceof MapValues) throw unchangeableValues()
  if (container instanceof SizedList) within(Math.max(0, asIndex(index)), container.length)
  else assertChangeable(container)
  if (container instanceof LiveEntry && index === "value") {
    container.put(budget.member(value, container))
    return value
  }
  if (Array.isArray(container) && Array.isArray(index)) {
    checkGrows(container, "[...] = with several indexes")
    storeSeveral(container, index, value, budget)
    return value
  }
  if (container instanceof CalledValue && container.assign(index, value)) return value
  const stored = budget.member(value, container)
  if (container instanceof JavaArray) {
    const member = converted(stored, container.type, budget)
    container[withinArray(asIndex(index), container.length)] = member
    return member
  } else if (Array.isArray(container)) {
    const at = asIndex(index) < 0 ? asIndex(index) + container.length : asIndex(index)
    if (at < 0)
      throw new OperandError(`index ${at} is out of bounds for length ${container.length}`, "IndexOutOfBoundsException")
    // As in Groovy, the list grows up to the index.
    if (at > container.length) budget.list(new Array(Math.min(at - container.length, 1_000_000)))
    while (container.length < at) container.push(null)
    container[at] = stored
  } else {
    const problem = `nothing can be assigned inside ${typeName(container)}`
    throw container === null ? new OperandError(problem, "NullPointerException") : new OperandError(problem)
  }
  return stored
}

/**
 * `list[0..1] = value` replaces a part of the list by the members of the value, and `list[0, 2] = [a, b]` stores a value in each index.
 * Fails with OperandError.
 */
const storeSeveral = (list: Array<unknown>, index: readonly unknown[], value: unknown, budget: Budget): void => {
  const values = Array.isArray(value) ? budget.members([...value], list) : [budget.member(value, list)]
  if (index instanceof RangeList) {
    const { from, to } = index.bordersFor(list.length)
    budget.spend(Math.max(list.length, from) + values.length, "replacing a part of a list")
    while (list.length < from) list.push(null)
    list.splice(from, to - from)
    // As in Groovy, a list that is put into itself has already lost the part.
    list.splice(from, 0, ...(value === list ? list.slice() : values))
    return
  }
  // The indexes may be the list itself, which changes meanwhile.
  const positions = [...index]
  if (value !== null && !Array.isArray(value) && !(value instanceof GremlinSet)) {
    // As in Groovy, a single value is set, which neither counts from the end nor makes the list longer.
    for (const at of positions) list[within(asIndex(at), list.length)] = value
    return
  }
  const stored = value instanceof GremlinSet ? budget.members([...value], list) : values
  if (value === null || stored.length !== positions.length) {
    throw new OperandError(
      `a list of ${index.length} values is needed for ${index.length} indexes`,
      "IllegalArgumentException"
    )
  }
  for (const [at, position] of positions.entries()) storeIn(list, asIndex(position), stored[at], budget)
}

/**
 * The value of `x++` or `x--`: as in Groovy next() or previous() of the value, such as the next character. Fails with OperandError
 * for a value without these methods.
 */
export const neighbour = (value: unknown, operator: "++" | "--", budget: Budget): unknown =>
  isNumber(value) || value === null
    ? binary(operator === "++" ? "+" : "-", value, 1, budget)
    : callMethod(value, operator === "++" ? "next" : "previous", [], budget)

/** The values that an assignment to several variables stores. As in Groovy, a string gives its characters. Fails with OperandError. */
export const severalOf = (value: unknown): readonly unknown[] =>
  typeof value === "string" ? value.split("") : membersOf(value, "an assignment to several variables")
