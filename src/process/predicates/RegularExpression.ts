import { RE2JS, RE2JSException } from "re2js"
import { LimitExceeded, TraversalInvalid } from "../language/Errors.ts"
import { rewriteJavaPattern } from "./JavaPattern.ts"
import { patternSize } from "./PatternSize.ts"

/** How many compiled patterns are kept. Clients fill the cache, so it has a bound; the oldest goes first. */
const cacheSize = 256

/** Longer patterns are compiled each time: kept, they could hold much memory. */
const longestCached = 1000

/** Most characters of a pattern, and states that it is compiled to: that many take some 5 ms. */
const LONGEST_PATTERN = 4_096
/** Longest text that is matched against a pattern, however small. */
const LONGEST_SEARCHED = 65_536
/** Most steps of one match, which are states times characters: that many take some 20 ms at worst, 40 ns each. */
const LONGEST_SEARCH = 500_000
/** Classes of Unicode have hundreds of ranges: how many a pattern may have. */
const unicodeClass = /\\[pP]/g
const MOST_CLASSES = 100

const cache = new Map<string, RE2JS>()

/**
 * The test that TextP.regex makes: true when the pattern is found anywhere in the text. The pattern has Java's syntax;
 * it is run by RE2, whose time is at most the states of the pattern times the characters of the text. Fails with
 * TraversalInvalid for a pattern that is wrong, or needs what RE2 has not (look-around, back-references, possessive
 * quantifiers); fails with LimitExceeded for one that is too large, and where it is matched against too long a text.
 */
export const regularExpression = (pattern: string): ((text: string) => boolean) => {
  const compiled = compiledOf(pattern)
  return (text) => compiled.test(checked(text, compiled))
}

/** The same for a pattern that the whole text must match, as JanusGraph's textRegex asks. */
export const wholeExpression = (pattern: string): ((text: string) => boolean) => {
  const compiled = compiledOf(pattern)
  return (text) => compiled.testExact(checked(text, compiled))
}

/** True for words of which the pattern matches one as a whole, as textContainsRegex asks. Fails as the others do. */
export const wordsExpression = (pattern: string): ((words: Iterable<string>) => boolean) => {
  const compiled = compiledOf(pattern)
  return (words) => {
    let steps = 0
    const seen = new Set<string>()
    for (const word of words) {
      if (seen.has(word)) continue
      seen.add(word)
      steps += WORD_STEPS + word.length * compiled.programSize()
      if (steps > LONGEST_SEARCH) {
        throw new LimitExceeded(
          `A regular expression of ${compiled.programSize()} states is matched against the words of a text as long as states ` +
            `times characters are at most ${LONGEST_SEARCH}. Use a smaller pattern, or match a part of the text.`
        )
      }
      if (compiled.testExact(checked(word, compiled))) return true
    }
    return false
  }
}

/** What beginning a match takes, in steps. */
const WORD_STEPS = 5

const checked = (text: string, compiled: RE2JS): string => {
  const steps = text.length * compiled.programSize()
  if (text.length <= LONGEST_SEARCHED) {
    if (steps <= LONGEST_SEARCH) return text
    throw new LimitExceeded(
      `A regular expression of ${compiled.programSize()} states is matched against texts of at most ` +
        `${Math.floor(LONGEST_SEARCH / compiled.programSize())} characters (states times characters are limited to ` +
        `${LONGEST_SEARCH}), and this one has ${text.length}. Use a smaller pattern, or match a part of the text.`
    )
  }
  throw new LimitExceeded(
    `A regular expression is matched against texts of at most ${LONGEST_SEARCHED} characters, and this one has ` +
      `${text.length}. Use containing(), or match a part of it.`
  )
}

const compiledOf = (pattern: string): RE2JS => {
  const known = cache.get(pattern)
  const compiled = known ?? compile(pattern)
  if (known === undefined && pattern.length <= longestCached) {
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value!)
    cache.set(pattern, compiled)
  }
  return compiled
}

const compile = (pattern: string): RE2JS => {
  if (pattern.length > LONGEST_PATTERN) {
    throw new LimitExceeded(
      `A regular expression has at most ${LONGEST_PATTERN} characters, and this one has ${pattern.length}.`
    )
  }
  const rewritten = rewriteJavaPattern(pattern)
  const size = patternSize(rewritten)
  if (size > LONGEST_PATTERN) {
    throw new LimitExceeded(
      `A regular expression has at most ${LONGEST_PATTERN} states, and this one has about ${size}, with all that it ` +
        "repeats. Use smaller numbers in its {n,m}."
    )
  }
  const classes = rewritten.match(unicodeClass)?.length ?? 0
  if (classes > MOST_CLASSES) {
    throw new LimitExceeded(
      `A regular expression has at most ${MOST_CLASSES} classes of Unicode such as \\p{L}, and this one has ${classes}.`
    )
  }
  try {
    return RE2JS.compile(rewritten)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error.message.replace("error parsing regexp: ", "")
    throw new TraversalInvalid(`The regular expression '${pattern}' cannot be used: ${reason}.`)
  }
}
