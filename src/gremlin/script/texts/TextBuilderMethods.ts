import { Char } from "../../../structure/scalars/Char.ts"
import { beginningOf, reversed } from "../../../structure/texts/Text.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, asText, type Methods, part, within } from "../methods/MethodTable.ts"
import type { TextBuilder } from "../objects/TextBuilder.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { stringMethods } from "./TextMethods.ts"

/** Replaces a part of the text. As in Java, the end may be behind the text. */
const replaced = (builder: TextBuilder, from: unknown, to: unknown, by: string, budget: Budget): TextBuilder => {
  const text = budget.whole(builder.text)
  const [start, end] = part(text.length, from, Math.min(asIndex(to), text.length))
  builder.text = budget.string(text.slice(0, start) + by + text.slice(end))
  return builder
}

/** The methods of strings that a builder has, too. They change nothing. */
const readMethods: Methods = Object.fromEntries(
  ["length", "size", "charAt", "indexOf", "lastIndexOf", "substring", "isEmpty", "contains"].map((name) => {
    const [least, most, run] = stringMethods[name]!
    return [name, [least, most, (builder: TextBuilder, args, budget) => run(builder.text as never, args, budget)]]
  })
)

/** Methods of a StringBuilder. */
export const textBuilderMethods: Methods = {
  ...readMethods,
  append: [1, 1, (builder: TextBuilder, [value], budget) => builder.append(value, budget)],
  leftShift: [1, 1, (builder: TextBuilder, [value], budget) => builder.append(value, budget)],
  insert: [
    2,
    2,
    (builder: TextBuilder, [at, value], budget) =>
      replaced(builder, at, at, budget.text(value ?? null, beginningOf), budget)
  ],
  delete: [2, 2, (builder: TextBuilder, [from, to], budget) => replaced(builder, from, to, "", budget)],
  deleteCharAt: [
    1,
    1,
    (builder: TextBuilder, [at], budget) => {
      const index = within(asIndex(at), builder.text.length)
      return replaced(builder, index, index + 1, "", budget)
    }
  ],
  replace: [3, 3, (builder: TextBuilder, [from, to, by], budget) => replaced(builder, from, to, asText(by), budget)],
  reverse: [
    0,
    0,
    (builder: TextBuilder, _, budget) => {
      builder.text = reversed(budget.whole(builder.text))
      return builder
    }
  ],
  setCharAt: [
    2,
    2,
    (builder: TextBuilder, [index, character], budget) => {
      const [at, { text }] = [asIndex(index), builder]
      if (!(character instanceof Char)) throw new OperandError("setCharAt() takes a char: write 'x' as char")
      if (at < 0 || at >= text.length) {
        const problem = `index ${at}, length ${text.length}`
        throw new OperandError(problem, "StringIndexOutOfBoundsException", problem)
      }
      builder.text = budget.string(budget.whole(text).slice(0, at) + character.text + text.slice(at + 1))
      return null
    }
  ],
  setLength: [
    1,
    1,
    (builder: TextBuilder, [length], budget) => {
      const wanted = asIndex(length)
      if (wanted < 0)
        throw new OperandError(`setLength() takes a length of 0 or more, not ${wanted}`, "IndexOutOfBoundsException")
      const { text } = builder
      builder.text = text.slice(0, wanted) + budget.repeated("\0", Math.max(0, wanted - text.length))
      budget.string(builder.text)
      return null
    }
  ]
}
