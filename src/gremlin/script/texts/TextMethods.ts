import { isBlank, trimmed } from "../../../structure/characters/JavaSpace.ts"
import { indexIn, lastIndexIn, TextSearch } from "../../../structure/characters/TextSearch.ts"
import { reversed } from "../../../structure/texts/Text.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, asText, type Methods, textPart, withinText } from "../methods/MethodTable.ts"
import { binary } from "../operators/Operators.ts"
import { toNumber } from "../types/Casts.ts"
import { characterOf } from "../values/Characters.ts"
import { textByteMethods } from "./ByteMethods.ts"
import { caselessMethods } from "./CaselessText.ts"
import { characterTextMethods } from "./CharacterText.ts"
import { groovyTextMethods } from "./GroovyText.ts"
import { patternTextMethods } from "./PatternText.ts"
import { separated } from "./SeparatedText.ts"
import { textDigests } from "./TextDigests.ts"

const replaced = (value: string, from: string, to: string, budget: Budget): string => {
  if (from === "") {
    // As in Java, the text is inserted around all characters.
    budget.growing((value.length + 1) * (to.length + 1))
    return budget.string(
      to +
        separated(value, "", "replacing", budget)
          .map((part) => part + to)
          .join("")
    )
  }
  const parts = separated(value, from, "replacing", budget)
  budget.growing(value.length + (parts.length - 1) * (to.length - from.length))
  return budget.string(parts.join(to))
}

/** As in Java, a position outside of a text stands for its beginning or its end. */
const clamped = (at: number, length: number): number => Math.min(Math.max(at, 0), length)

/** Methods of strings. */
export const stringMethods: Methods = {
  ...groovyTextMethods,
  ...patternTextMethods,
  ...characterTextMethods,
  ...textDigests,
  ...textByteMethods,
  ...caselessMethods,
  length: [0, 0, (value: string) => value.length],
  size: [0, 0, (value: string) => value.length],
  isEmpty: [0, 0, (value: string) => value === ""],
  isBlank: [0, 0, (value: string, _, budget) => isBlank(budget.whole(value))],
  toUpperCase: [0, 0, (value: string, _, budget) => budget.string(budget.whole(value).toUpperCase())],
  toLowerCase: [0, 0, (value: string, _, budget) => budget.string(budget.whole(value).toLowerCase())],
  trim: [0, 0, (value: string, _, budget) => trimmed(budget.whole(value))],
  reverse: [0, 0, (value: string, _, budget) => reversed(budget.whole(value))],
  contains: [1, 1, (value: string, [text]) => indexIn(value, asText(text)) >= 0],
  startsWith: [1, 1, (value: string, [text]) => value.startsWith(asText(text))],
  endsWith: [1, 1, (value: string, [text]) => value.endsWith(asText(text))],
  indexOf: [
    1,
    2,
    (value: string, [text, from]) =>
      new TextSearch(asText(text)).indexIn(value, from === undefined ? 0 : clamped(asIndex(from), value.length))
  ],
  lastIndexOf: [
    1,
    2,
    (value: string, [text, from], budget) => {
      const [whole, wanted] = [budget.whole(value), asText(text)]
      if (from === undefined) return lastIndexIn(whole, wanted)
      const last = asIndex(from)
      return last < 0 ? -1 : lastIndexIn(whole.slice(0, last + wanted.length), wanted)
    }
  ],
  charAt: [1, 1, (value: string, [index]) => characterOf(value[withinText(asIndex(index), value)])],
  substring: [1, 2, (value: string, [from, to]) => textPart(value, from, to)],
  concat: [1, 1, (value: string, [text], budget) => budget.string(value + asText(text))],
  plus: [1, 1, (value: string, [other], budget) => binary("+", value, other, budget)],
  replace: [2, 2, (value: string, [from, to], budget) => replaced(value, asText(from), asText(to), budget)],
  equalsIgnoreCase: [
    1,
    1,
    (value: string, [text], budget) => budget.whole(value).toLowerCase() === budget.whole(asText(text)).toLowerCase()
  ],
  toInteger: [0, 0, (value: string) => toNumber(value, "Int")],
  toShort: [0, 0, (value: string) => toNumber(value, "Short")],
  toCharacter: [0, 0, (value: string) => characterOf(value[withinText(0, value)])],
  toLong: [0, 0, (value: string) => toNumber(value, "Long")],
  toDouble: [0, 0, (value: string) => toNumber(value, "Double")],
  toFloat: [0, 0, (value: string) => toNumber(value, "Float")],
  toBigInteger: [0, 0, (value: string) => toNumber(value, "BigInteger")],
  toBigDecimal: [0, 0, (value: string) => toNumber(value, "BigDecimal")],
  toBoolean: [0, 0, (value: string, _, budget) => /^(true|y|1)$/i.test(budget.whole(value).trim())]
}
