import { JavaRandom } from "../../../structure/numbers/JavaRandom.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { isSameMember } from "../operators/Operators.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

// Methods of Java's deques, which are lists here, and of shuffled lists.

/** Removes the first or the last member that is equal to a value. True if there was one. */
const removedOf = (value: unknown[], member: unknown, isFirst: boolean, budget: Budget): boolean => {
  budget.searched(value, member)
  const isMember = (it: unknown): boolean => isSameMember(it, member)
  const at = isFirst ? value.findIndex(isMember) : value.findLastIndex(isMember)
  if (at >= 0) value.splice(at, 1)
  return at >= 0
}

/** Shuffles a list as java.util.Collections does: a Random with a seed gives the same order. Fails with OperandError for no Random. */
export const shuffle = (list: unknown[], random: unknown, budget: Budget): unknown[] => {
  const numbers = random === undefined ? new JavaRandom(BigInt(Math.floor(Math.random() * 2 ** 48))) : random
  if (!(numbers instanceof JavaRandom)) {
    throw new OperandError(`shuffling takes a Random, not ${typeName(random)}`, "MissingMethodException")
  }
  budget.spend(list.length, "shuffling")
  for (let size = list.length; size > 1; size--) {
    const other = numbers.nextInt(size)
    ;[list[size - 1], list[other]] = [list[other], list[size - 1]]
  }
  return list
}

/** Methods of lists. */
export const dequeMethods: Methods = {
  offerFirst: [1, 1, (value: unknown[], [member], budget) => value.unshift(budget.member(member, value)) > 0],
  offerLast: [1, 1, (value: unknown[], [member], budget) => value.push(budget.member(member, value)) > 0],
  element: [
    0,
    0,
    (value: unknown[]) => {
      if (value.length > 0) return value[0]
      throw new OperandError("the queue is empty, so it has no first member", "NoSuchElementException")
    }
  ],
  descendingIterator: [0, 0, (value: unknown[], _, budget) => new ScriptIterator(budget.list([...value].reverse()))],
  removeFirstOccurrence: [1, 1, (value: unknown[], [member], budget) => removedOf(value, member, true, budget)],
  removeLastOccurrence: [1, 1, (value: unknown[], [member], budget) => removedOf(value, member, false, budget)],
  shuffle: [0, 1, (value: unknown[], [random], budget) => void shuffle(value, random, budget)],
  shuffled: [0, 1, (value: unknown[], [random], budget) => shuffle(budget.list([...value]), random, budget)]
}
