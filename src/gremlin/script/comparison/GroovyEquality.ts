import { Bytecode, type Instruction } from "../../../process/language/Bytecode.ts"
import { ConnectiveP, isPredicate, NotP, P } from "../../../process/language/Predicate.ts"
import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { equivalent, IdentityList } from "../../../structure/collections/Equivalence.ts"
import { areSameConstants } from "../../../structure/collections/HostConstant.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import { areSameNumbers, isNaNValue } from "../../../structure/numbers/NumberOrder.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { OffsetDateTime } from "../../../structure/times/Temporal.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import { substituteBytecode } from "../arguments/Substitution.ts"
import type { Budget } from "../budget/Budget.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { withoutChars } from "../values/CharOperands.ts"
import { isCollection, isTraversal } from "../values/Copies.ts"
import { membersOf } from "../values/Members.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"

/** True for two dates whose offsets differ: as in Java they are not equal, even at the same instant. */
export const haveOtherOffsets = (left: unknown, right: unknown): boolean =>
  left instanceof OffsetDateTime && right instanceof OffsetDateTime && left.offsetSeconds !== right.offsetSeconds

/**
 * Groovy's `==`, also of the members of collections: numbers by value, NaN equal to itself, a Character equal to its text, dates with
 * their offsets, builders by their text, maps by equal keys, traversals by their steps.
 */
export const areEqualValues = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (left === right) return true
  // Primitive values of one type are equal only if they are identical, or both NaN.
  if (typeof left !== "object" && typeof left === typeof right) return Number.isNaN(left) && Number.isNaN(right)
  if (Array.isArray(left) && Array.isArray(right) && !(left instanceof IdentityList || right instanceof IdentityList)) {
    return left.length === right.length && left.every((member, at) => areEqualValues(member, right[at], budget))
  }
  if (left instanceof GremlinMap && right instanceof GremlinMap) return areEqualMaps(left, right, budget)
  if (left instanceof GremlinSet && right instanceof GremlinSet) return areEqualSets(left, right, budget)
  return left instanceof Char || right instanceof Char
    ? equals(...withoutChars("==", left, right))
    : areEqualObjects(left, right, budget)
}

/** True for a byte[] and a list. */
const isEachList = (left: unknown, right: unknown): boolean =>
  (left instanceof Uint8Array && Array.isArray(right)) || (right instanceof Uint8Array && Array.isArray(left))

/** Java's equals(), by which Optionals compare their values. Fails with Unavailable for collections. */
const areEqualInside = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (isCollection(left) || isCollection(right)) {
    throw new Unavailable("scripts do not compare Optionals of collections: compare their values")
  }
  if (left instanceof Char !== right instanceof Char) return false
  return isNumber(left) && isNumber(right) ? areSameNumbers(left, right) : areEqualValues(left, right, budget)
}

const areEqualObjects = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (isEachList(left, right)) {
    // As in Groovy, an array is equal to a list with the same members.
    return areEqualValues([...membersOf(left, "==")], [...membersOf(right, "==")], budget)
  }
  if (isNumber(left) && isNumber(right)) return (isNaNValue(left) && isNaNValue(right)) || equals(left, right)
  if (left instanceof TextBuilder) {
    return right instanceof TextBuilder && left.type === right.type && left.text === right.text
  }
  if (left instanceof Optional) {
    if (!(right instanceof Optional) || left.value === undefined || right.value === undefined) {
      return right instanceof Optional && left.value === right.value
    }
    return areEqualInside(left.value, right.value, budget)
  }
  if (haveOtherOffsets(left, right)) return false
  if (areSameConstants(left, right)) return true
  if (isPredicate(left)) return isPredicate(right) && equivalent(left, right)
  if (isTraversal(left)) return isTraversal(right) && areSameWork(left, right, budget)
  return equals(left, right)
}

const areEqualMaps = (left: GremlinMap, right: GremlinMap, budget: Budget): boolean => {
  if (left.size !== right.size) return false
  for (const [key, value] of left) {
    if (!right.has(key) || !areEqualValues(value, right.get(key), budget)) return false
  }
  return true
}

/** True for a value that is equal to values with other keys than its own. */
const hasOtherEquals = (value: unknown): boolean =>
  (typeof value === "object" && !isNumber(value)) || (isNumber(value) && isNaNValue(value))

const areEqualSets = (left: GremlinSet, right: GremlinSet, budget: Budget): boolean => {
  if (left.size !== right.size) return false
  const others: Array<unknown> = []
  for (const member of right) others.push(member)
  const members = [...left]
  if (!members.some(hasOtherEquals) && !others.some(hasOtherEquals)) return equals(left, right)
  const unmatched = members.filter((member) => !right.has(member))
  const rest = others.filter((member) => !left.has(member))
  budget.spend(unmatched.length * rest.length, "comparing sets")
  for (const member of unmatched) {
    const at = rest.findIndex((other) => areEqualValues(member, other, budget))
    if (at < 0) return false
    rest.splice(at, 1)
  }
  return true
}

/** True for traversals with equal steps that have both run, or both not run. Their sources make no difference, as in TinkerPop. */
const areSameWork = (left: Bytecode | ScriptTraversal, right: Bytecode | ScriptTraversal, budget: Budget): boolean =>
  hasRun(left) === hasRun(right) && areSameSteps(filled(left), filled(right), budget)

const hasRun = (traversal: Bytecode | ScriptTraversal): boolean =>
  traversal instanceof ScriptTraversal && traversal.results !== undefined

const filled = (traversal: Bytecode | ScriptTraversal): Bytecode => {
  if (traversal instanceof Bytecode) return traversal
  const { bytecode, variables } = traversal
  return variables.size === 0 ? bytecode : substituteBytecode(bytecode, ({ name }) => variables.get(name))
}

/** True for traversals with equal steps. */
const areSameSteps = (left: Bytecode, right: Bytecode, budget: Budget): boolean => {
  const [steps, others] = [left.stepInstructions, right.stepInstructions]
  budget.spend(steps.length, "comparing traversals")
  return steps.length === others.length && steps.every((step, at) => isSameStep(step, others[at]!, budget))
}

const isSameStep = (left: Instruction, right: Instruction, budget: Budget): boolean => {
  if (left.operator !== right.operator) return false
  const isAnyOrder = /^(?:in|out|both)E?$/.test(left.operator)
  const args = isAnyOrder ? left.args.toSorted() : [...left.args]
  const others = isAnyOrder ? right.args.toSorted() : [...right.args]
  return areEqualValues(args, others, budget) && args.every((arg, at) => isInSameOrder(arg, others[at], budget))
}

/** False for equal predicates whose lists have another order: a step with within(1, 2) is not equal to one with within(2, 1). */
const isInSameOrder = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (left instanceof NotP && right instanceof NotP) return isInSameOrder(left.predicate, right.predicate, budget)
  if (left instanceof ConnectiveP && right instanceof ConnectiveP) {
    return left.predicates.every((part, at) => isInSameOrder(part, right.predicates[at], budget))
  }
  return !(left instanceof P && right instanceof P) || areEqualValues(left.value, right.value, budget)
}
