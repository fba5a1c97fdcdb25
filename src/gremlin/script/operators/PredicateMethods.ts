import {
  ConnectiveP,
  isPredicate,
  javaForm,
  NotP,
  P,
  type Predicate,
  TextP
} from "../../../process/language/Predicate.ts"
import { equivalent } from "../../../structure/collections/Equivalence.ts"
import type { Budget } from "../budget/Budget.ts"
import { addItems } from "../budget/ValueItems.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { isCollection } from "../values/Copies.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** The value of a comparison or of its negation; null for several that are joined, as in Java. Lists are copied. */
export const predicateValue = (predicate: Predicate): unknown => {
  let form = javaForm(predicate)
  if (form instanceof NotP) form = form.predicate
  return form instanceof P ? form.value : null
}

/** A predicate whose collections the script cannot change, for a traversal. */
export const withOwnValues = (predicate: Predicate, budget: Budget): Predicate => {
  if (predicate instanceof NotP) return new NotP(withOwnValues(predicate.predicate, budget))
  if (predicate instanceof ConnectiveP) {
    return new ConnectiveP(
      predicate.operator,
      predicate.predicates.map((part) => withOwnValues(part, budget))
    )
  }
  if (!isCollection(predicate.value)) return predicate
  const value = budget.keyMember(predicate.value)
  return predicate instanceof TextP ? new TextP(predicate.operator, value) : new P(predicate.operator, value)
}

/**
 * Two predicates, joined by and() or or(). Fails with OperandError if the second is none, or if both have too many parts: a script that
 * joins a predicate with itself doubles them each time.
 */
export const joined = (operator: "and" | "or", left: Predicate, right: unknown, budget: Budget): Predicate => {
  if (!isPredicate(right)) throw new OperandError(`${operator}() takes a predicate such as gt(1)`)
  budget.spend(addItems(right, addItems(left, 0, 0), 0), `${operator}()`)
  return javaForm(new ConnectiveP(operator, [left, right]))
}

const textMethod: Method = [0, 0, (value: Predicate, _, budget) => budget.text(value)]

/** Methods of predicates. `test()` runs in the host. */
export const predicateMethods: Methods = {
  getValue: [0, 0, (value: Predicate) => predicateValue(value)],
  getOriginalValue: [0, 0, (value: Predicate) => predicateValue(value)],
  getPredicates: [
    0,
    0,
    (value: Predicate) => {
      const form = javaForm(value)
      if (form instanceof ConnectiveP) return [...form.predicates]
      throw new OperandError("getPredicates() needs predicates that and() or or() joins")
    }
  ],
  and: [1, 1, (value: Predicate, [other], budget) => joined("and", value, other, budget)],
  or: [1, 1, (value: Predicate, [other], budget) => joined("or", value, other, budget)],
  negate: [0, 0, (value: Predicate) => (value instanceof NotP ? value.predicate : new NotP(value))],
  clone: [0, 0, (value: Predicate) => value],
  toString: textMethod,
  equals: [1, 1, (value: Predicate, [other], budget) => equivalent(budget.key(value), other)]
}
