import { hasPhrase, isAlmost, wordsOf } from "../../structure/FullText.ts"
import { Geoshape, intersects, isWithin } from "../../structure/Geoshape.ts"
import { briefText } from "../../structure/Text.ts"
import { LimitExceeded, TraversalError, TraversalInvalid } from "../language/Errors.ts"
import type { SearchComparison } from "../language/Predicate.ts"
import { wholeExpression, wordsExpression } from "./RegularExpression.ts"

type Test = (value: unknown) => boolean

/**
 * The test of one of JanusGraph's predicates. Those over words do not mind the case of letters, those over whole texts
 * do; a value of another type meets none of them, and every negation. Fails with TraversalInvalid for an operand that the
 * predicate cannot take.
 */
export const searchTest = (operator: SearchComparison, operand: unknown): Test => {
  if (operator.startsWith("textNot")) {
    const test = searchTest(`text${operator.slice(7)}` as SearchComparison, operand)
    return (value) => !test(value)
  }
  if (operator.startsWith("geo")) return geoTest(operator, operand)
  if (typeof operand !== "string") {
    throw new TraversalInvalid(`${operator}() needs a string, but was given ${briefText(operand)}.`)
  }
  const test = textTest(operator, operand)
  return (value) => typeof value === "string" && test(value)
}

const textTest = (operator: SearchComparison, operand: string): ((value: string) => boolean) => {
  switch (operator) {
    case "textPrefix":
      return (value) => value.startsWith(operand)
    case "textRegex":
      return wholeExpression(operand)
    case "textFuzzy":
      return (value) => {
        checkText(operator, value, LONGEST_COMPARED)
        checkText(operator, operand, LONGEST_COMPARED)
        return isAlmost(value.trim().toLowerCase(), operand.trim().toLowerCase())
      }
    case "textContainsRegex": {
      const search = wordsExpression(operand)
      return (value) => {
        checkText(operator, value, LONGEST_TEXT)
        return search(wordsOf(value))
      }
    }
    default:
      return wordTest(operator, operand)
  }
}

/** What asks for words that are given as words. */
const wordTest = (operator: SearchComparison, operand: string): ((value: string) => boolean) => {
  checkText(operator, operand, LONGEST_TEXT)
  const wanted = wordsOf(operand)
  const wordsIn = (value: string): ReadonlyArray<string> => {
    checkText(operator, value, LONGEST_TEXT)
    const words = wordsOf(value)
    checkPairs(operator, words.length * wanted.length)
    return words
  }
  if (wanted.length === 0) return () => operand.trim() === ""
  switch (operator) {
    case "textContainsPhrase":
      return (value) => hasPhrase(wordsIn(value), wanted)
    case "textContainsPrefix":
      return (value) => every(wanted, wordsIn(value), (word, prefix) => word.startsWith(prefix))
    case "textContainsFuzzy":
      return (value) => every(wanted, wordsIn(value), isAlmost)
    default:
      return (value) => {
        checkText(operator, value, LONGEST_TEXT)
        const words = wordsOf(value)
        if (wanted.length <= FEW) return wanted.every((word) => words.includes(word))
        const known = new Set(words)
        return wanted.every((word) => known.has(word))
      }
  }
}

/** Words that are looked for without making a set of those of the text. */
const FEW = 8

/** Longest text whose words are looked at, and longest ones that are compared letter by letter. */
const LONGEST_TEXT = 524_288
const LONGEST_COMPARED = 65_536

const checkText = (operator: SearchComparison, text: string, most: number): void => {
  if (text.length <= most) return
  throw new LimitExceeded(
    `${operator}() looks at texts of at most ${most} characters, and this one has ${text.length}. Look in a part of it.`
  )
}

/** Most pairs of a word of a text and one that is looked for: so many take some 10 ms. */
const MOST_PAIRS = 500_000

const checkPairs = (operator: SearchComparison, pairs: number): void => {
  if (pairs <= MOST_PAIRS) return
  throw new LimitExceeded(
    `${operator}() compares at most ${MOST_PAIRS} pairs of a word of the text and a word that is looked for, and here are ` +
      `${pairs}. Look for fewer words, or in a part of the text.`
  )
}

const every = (
  wanted: ReadonlyArray<string>,
  words: ReadonlyArray<string>,
  fits: (word: string, wanted: string) => boolean
): boolean => wanted.every((each) => words.some((word) => fits(word, each)))

const geoTest = (operator: SearchComparison, operand: unknown): Test => {
  if (!(operand instanceof Geoshape)) {
    throw new TraversalInvalid(
      `${operator}() needs a shape such as Geoshape.circle(latitude, longitude, kilometres), but was given ${briefText(operand)}.`
    )
  }
  const { shape } = operand
  const test = (value: Geoshape): boolean => {
    switch (operator) {
      case "geoWithin":
        return isWithin(value.shape, shape)
      case "geoContains":
        return isWithin(shape, value.shape)
      case "geoIntersect":
        return intersects(value.shape, shape)
      default:
        return !intersects(value.shape, shape)
    }
  }
  return (value) => {
    if (!(value instanceof Geoshape)) return false
    try {
      return test(value)
    } catch (error) {
      if (error instanceof RangeError) throw new TraversalError(`${operator}(): ${error.message}.`)
      throw error
    }
  }
}
