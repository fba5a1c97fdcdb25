import { RE2JS, RE2JSException } from "re2js"
import { LimitExceeded, TraversalInvalid } from "./Errors.ts"
import { rewriteJavaPattern } from "./JavaPattern.ts"

/** How many compiled patterns are kept. Clients fill the cache, so it has a bound; the oldest goes first. */
const cacheSize = 256

/** Longer patterns are compiled each time: kept, they could hold much memory. */
const longestCached = 1000

/** Longest pattern, and longest text that one is matched against: each takes some 20 ms at worst. */
const LONGEST_PATTERN = 4_096
const LONGEST_SEARCHED = 65_536

const cache = new Map<string, RE2JS>()

/**
 * The test that TextP.regex makes: true when the pattern is found anywhere in the text. The pattern has Java's syntax;
 * it is run by RE2, whose time grows with the text's length only, whatever the pattern. Fails with TraversalInvalid for
 * a pattern that is wrong, or needs what RE2 has not (look-around, back-references, possessive quantifiers).
 */
export const regularExpression = (pattern: string): ((text: string) => boolean) => {
  const compiled = compiledOf(pattern)
  return (text) => compiled.test(checked(text))
}

/** The same for a pattern that the whole text must match, as JanusGraph's textRegex asks. */
export const wholeExpression = (pattern: string): ((text: string) => boolean) => {
  const compiled = compiledOf(pattern)
  return (text) => compiled.testExact(checked(text))
}

const checked = (text: string): string => {
  if (text.length <= LONGEST_SEARCHED) return text
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
  try {
    return RE2JS.compile(rewriteJavaPattern(pattern))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error.message.replace("error parsing regexp: ", "")
    throw new TraversalInvalid(`The regular expression '${pattern}' cannot be used: ${reason}.`)
  }
}
