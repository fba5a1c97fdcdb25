import { indexIn } from "../../../structure/characters/TextSearch.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, asText, type Methods } from "../methods/MethodTable.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"

// Methods of strings that compare parts of texts, with and without case.

/** Letters whose upper case is several characters for a whole text, but which Java compares one by one. */
const severalLetters = /[\ud800-\udfff\u1f80-\u1fff]/

/** A text in which letters that Java compares without case are equal. Fails with Unavailable for letters that it cannot tell. */
const caseless = (text: string, budget: Budget): string => {
  const whole = budget.whole(text)
  if (/^[\0-\x7f]*$/.test(whole)) return whole.toLowerCase()
  if (severalLetters.test(whole)) {
    throw new Unavailable(
      "scripts compare no letters such as \u1fb3, and none above U+FFFF, without case: use toLowerCase()"
    )
  }
  budget.spend(whole.length, "comparing without case")
  return Array.from(whole, (letter) => lowered(single(letter, letter.toUpperCase()))).join("")
}

/** The other case of a letter; the letter itself if its other case is several characters. */
const single = (letter: string, other: string): string => (other.length === 1 ? other : letter)

/** The lower case of a letter. Java has a single one for the I with a dot, too. */
const lowered = (letter: string): string => (letter === "\u0130" ? "i" : single(letter, letter.toLowerCase()))

/** `regionMatches(isCaseless, from, other, otherFrom, length)`, whose first argument may be left out. */
const regionMatches = (value: string, args: readonly unknown[], budget: Budget): boolean => {
  const isFlagged = args.length === 5
  const [isCaseless, given, other, otherGiven, size] = isFlagged ? args : [false, ...args]
  if (typeof isCaseless !== "boolean") throw new OperandError("a boolean was expected", "MissingMethodException")
  const [from, otherFrom, length] = [asIndex(given), asIndex(otherGiven), asIndex(size)]
  const text = asText(other)
  if (from < 0 || otherFrom < 0 || from > value.length - length || otherFrom > text.length - length) return false
  if (length <= 0) return true
  const [left, right] = [value.slice(from, from + length), text.slice(otherFrom, otherFrom + length)]
  return isCaseless ? caseless(left, budget) === caseless(right, budget) : left === right
}

/** Largest number of texts of startsWithAny(). */
const MAX_TEXTS = 1000

/** Methods of strings. */
export const caselessMethods: Methods = {
  regionMatches: [4, 5, (value: string, args, budget) => regionMatches(value, args, budget)],
  contentEquals: [
    1,
    1,
    (value: string, [other]) => value === (other instanceof TextBuilder ? other.text : asText(other))
  ],
  // As in Groovy, no text contains an empty one, or begins or ends with it, without case.
  containsIgnoreCase: [
    1,
    1,
    (value: string, [text], budget) =>
      asText(text) !== "" && indexIn(caseless(value, budget), caseless(asText(text), budget)) >= 0
  ],
  startsWithIgnoreCase: [
    1,
    1,
    (value: string, [text], budget) =>
      asText(text) !== "" && caseless(value, budget).startsWith(caseless(asText(text), budget))
  ],
  endsWithIgnoreCase: [
    1,
    1,
    (value: string, [text], budget) =>
      asText(text) !== "" && caseless(value, budget).endsWith(caseless(asText(text), budget))
  ],
  startsWithAny: [1, MAX_TEXTS, (value: string, texts) => texts.map(asText).some((text) => value.startsWith(text))],
  endsWithAny: [1, MAX_TEXTS, (value: string, texts) => texts.map(asText).some((text) => value.endsWith(text))]
}
