import { isListOrSet } from "../../../structure/collections/Collections.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import type { GremlinNumber } from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { NumberAwareSet } from "../comparison/NumberAware.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"

// The operators +, - and * of lists and sets.

/** The members of a list, then those of a collection or the one other value: the operator `+`. */
export const joined = (left: readonly unknown[], right: unknown, budget: Budget): Array<unknown> =>
  budget.list([...left, ...budget.members(isListOrSet(right) ? membersOf(right, "+") : [right])])

/** The members that are not among those of `right`, or not equal to it. */
export const without = (left: readonly unknown[], right: unknown, budget: Budget): Array<unknown> => {
  const removed = new NumberAwareSet(isListOrSet(right) ? [...membersOf(right, "-")] : [right], budget, false)
  budget.compared(left)
  return left.filter((item) => !removed.has(item))
}

/** The right operand of `*` for a string or a list: `"ab" * 3` is "ababab", and `[1, 2] * 2` is [1, 2, 1, 2]. */
export const timesOf = (times: GremlinNumber): number => {
  const count = Math.trunc(toDouble(times))
  if (!(count >= 0))
    throw new OperandError("the number after * must not be negative when a string or a list is repeated")
  return count
}

/** The members of a list, several times: the operator `*`. */
export const repeatedList = (list: readonly unknown[], times: number, budget: Budget): Array<unknown> => {
  budget.spend(list.length * times, "*")
  const members = budget.members(list, undefined, times)
  return budget.list(Array.from({ length: list.length * times }, (_, at) => members[at % list.length]))
}
