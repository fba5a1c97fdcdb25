import type { Budget } from "../budget/Budget.ts"

/**
 * The texts of the members with a text between them. Fails with OperandError if the result is too long, before it is made: the members
 * can be one long string many times.
 */
export const joinedText = (members: readonly unknown[], between: string, budget: Budget): string => {
  let length = -between.length
  const texts = members.map((member) => {
    const text = budget.text(member)
    budget.growing((length += text.length + between.length))
    return text
  })
  return budget.string(texts.join(between))
}
