import { hasPhrase, isAlmost, wordsOf } from "../../structure/characters/FullText.ts"
import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { comparable, intersects, isWithin } from "../../structure/geoshapes/ShapeRelations.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { LimitExceeded, TraversalError, TraversalInvalid } from "../language/Errors.ts"
import type { SearchComparison } from "../language/Predicate.ts"
import { wholeExpression, wordsExpression } from "./RegularExpression.ts"

type Test = (value: unknown) => boolean

/**
 * The test of one of JanusGraph's predicates. Predicates over words ignore the case of letters; those over whole texts do not.
 * For a value of another type they are false and their negations true. Throws TraversalInvalid for an operand of the wrong
 * type.
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
        checkText(operator, value, MAX_COMPARED_CHARS)
        checkText(operator, operand, MAX_COMPARED_CHARS)
        return isAlmost(value.trim(), operand.trim())
      }
    case "textContainsRegex": {
      const search = wordsExpression(operand)
      return (value) => {
        checkText(operator, value, MAX_TEXT_CHARS)
        return search(wordsOf(value))
      }
    }
    default:
      return wordTest(operator, operand)
  }
}

/** The test of a predicate whose operand is a list of words. */
const wordTest = (operator: SearchComparison, operand: string): ((value: string) => boolean) => {
  checkText(operator, operand, MAX_TEXT_CHARS)
  const wanted = wordsOf(operand)
  const wordsIn = (value: string): ReadonlyArray<string> => {
    checkText(operator, value, MAX_TEXT_CHARS)
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
        checkText(operator, value, MAX_TEXT_CHARS)
        const words = wordsOf(value)
        if (wanted.length <= MAX_SCANNED_WORDS) return wanted.every((word) => words.includes(word))
        const known = new Set(words)
        return wanted.every((word) => known.has(word))
      }
  }
}

/** Up to this number of wanted words a scan of the text's words is faster than a set of them. */
const MAX_SCANNED_WORDS = 8

/** Longest text whose words are searched, in UTF-16 units. */
const MAX_TEXT_CHARS = 524_288
/** Longest texts that are compared by edit distance, in UTF-16 units. */
const MAX_COMPARED_CHARS = 65_536

const checkText = (operator: SearchComparison, text: string, most: number): void => {
  if (text.length <= most) return
  throw new LimitExceeded(
    `${operator}() searches texts of at most ${most} characters, but this one has ${text.length}. Search a part of it.`
  )
}

/** Limit of comparisons of a word of the text with a wanted word: this many take about 10 ms. */
const MAX_WORD_PAIRS = 500_000

const checkPairs = (operator: SearchComparison, pairs: number): void => {
  if (pairs <= MAX_WORD_PAIRS) return
  throw new LimitExceeded(
    `${operator}() compares at most ${MAX_WORD_PAIRS} pairs of a word of the text and a word of the operand, but this test ` +
      `has ${pairs}. Search for fewer words, or in a part of the text.`
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
  const wanted = comparable(operand.shape)
  const test = (value: Geoshape): boolean => {
    const found = comparable(value.shape)
    switch (operator) {
      case "geoWithin":
        return isWithin(found, wanted)
      case "geoContains":
        return isWithin(wanted, found)
      case "geoIntersect":
        return intersects(found, wanted)
      default:
        return !intersects(found, wanted)
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
