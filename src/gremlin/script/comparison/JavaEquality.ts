import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { IdentityList } from "../../../structure/collections/Equivalence.ts"
import { areSameNumbers } from "../../../structure/numbers/NumberOrder.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import type { Budget } from "../budget/Budget.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { areEqualValues } from "./GroovyEquality.ts"

/** True for a value that Java compares by identity although Groovy compares what it holds. */
const hasIdentity = (value: unknown): boolean =>
  value instanceof JavaArray ||
  value instanceof Uint8Array ||
  value instanceof TextBuilder ||
  value instanceof IdentityList

/**
 * Java's equals(), also of the members of lists and of the values of maps: numbers of two types differ, and so do a Character and a
 * text. Arrays and builders are equal to themselves only.
 */
export const areEqualObjects = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (isNumber(left) && isNumber(right)) return areSameNumbers(left, right)
  if (hasIdentity(left) || hasIdentity(right)) return left === right
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((member, at) => areEqualObjects(member, right[at], budget))
  }
  if (left instanceof GremlinMap && right instanceof GremlinMap) {
    const isEqual = ([key, value]: readonly [unknown, unknown]): boolean =>
      right.has(key) && areEqualObjects(value, right.get(key), budget)
    return left.size === right.size && [...left].every(isEqual)
  }
  if (left instanceof GremlinSet && right instanceof GremlinSet) {
    return left.size === right.size && [...left].every((member) => right.has(member))
  }
  return left instanceof Char === right instanceof Char && areEqualValues(left, right, budget)
}
