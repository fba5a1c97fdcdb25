import { createRequire } from "node:module"
import type * as Library from "re2js"
import type { RE2JS } from "re2js"
import { beginningOf } from "../../structure/texts/Text.ts"
import { LimitExceeded, TraversalError, TraversalInvalid } from "../language/Errors.ts"
import { rewriteJavaPattern } from "./JavaPattern.ts"
import { patternSize } from "./PatternSize.ts"

/** Compiled patterns in the cache. Clients fill it, so it is bounded; the oldest entry is evicted. */
const MAX_CACHED_PATTERNS = 256

/** Longer patterns are not cached, because they could hold much memory. */
const MAX_CACHED_CHARS = 1000

/** Limit of a pattern, in characters and in states: compiling it takes about 5 ms. */
const MAX_PATTERN_SIZE = 4_096
/** Longest text that is matched against any pattern, in UTF-16 units. */
const MAX_TEXT_CHARS = 65_536
/** Limit of one match, in states times characters. A step takes up to 40 ns, so this is at most about 20 ms. */
const MAX_MATCH_STEPS = 500_000
/** Characters of a pattern that an error message quotes. */
const QUOTED_CHARS = 100
const unicodeClass = /\\[pP]/g
/** Limit of Unicode classes in a pattern, because each has hundreds of ranges. */
const MAX_UNICODE_CLASSES = 100

/** \b and \B in a pattern without its other escapes. */
const boundary = /\\[bB]/
/** Characters that are parts of words in Java and not in RE2. */
const wordCharacter = /(?![\0-\x7f])[\p{L}\p{Nd}\p{Mn}]/u

/** A pattern that is compiled. */
interface Compiled {
  readonly pattern: string
  readonly re: RE2JS
  /** The pattern has \b or \B. */
  readonly hasBoundary: boolean
}

const cache = new Map<string, Compiled>()

/** The library is loaded with the first pattern, which takes 10 ms: most servers never need it, and all would start later. */
const library = (): typeof Library => createRequire(import.meta.url)("re2js")

/**
 * The test of TextP.regex: true when the pattern matches anywhere in the text. The pattern has Java's syntax and is run by RE2,
 * whose time is bounded by states times characters. Throws TraversalInvalid for an invalid pattern and for constructs that RE2
 * does not have (look-around, back-references, possessive quantifiers), and LimitExceeded for a pattern that is too large. The
 * test throws LimitExceeded for a text that is too long.
 */
export const regularExpression = (pattern: string): ((text: string) => boolean) => {
  const compiled = compiledOf(pattern)
  return (text) => compiled.re.test(checked(text, compiled))
}

/** The test of JanusGraph's textRegex: true when the pattern matches the whole text. Throws as {@link regularExpression}. */
export const wholeExpression = (pattern: string): ((text: string) => boolean) => {
  const compiled = compiledOf(pattern)
  return (text) => compiled.re.testExact(checked(text, compiled))
}

/** The test of JanusGraph's textContainsRegex: true when the pattern matches a whole word. Throws as {@link regularExpression}. */
export const wordsExpression = (pattern: string): ((words: Iterable<string>) => boolean) => {
  const compiled = compiledOf(pattern)
  return (words) => {
    let steps = 0
    const seen = new Set<string>()
    for (const word of words) {
      if (seen.has(word)) continue
      seen.add(word)
      steps += WORD_STEPS + word.length * compiled.re.programSize()
      if (steps > MAX_MATCH_STEPS) {
        throw new LimitExceeded(
          `A regular expression of ${compiled.re.programSize()} states is too large for the words of this text: states times ` +
            `characters are limited to ${MAX_MATCH_STEPS}. Use a smaller pattern, or match a part of the text.`
        )
      }
      if (compiled.re.testExact(checked(word, compiled))) return true
    }
    return false
  }
}

/** A match of a pattern of a script: the whole match first, then its groups; null for a group that took no part. */
interface FoundMatch {
  readonly start: number
  readonly end: number
  readonly groups: ReadonlyArray<string | null>
}

/**
 * A pattern of a script. It tests a text, and finds the matches in a text: one after the other with `finder`, or with `all` at most
 * `most` at once. Throws as {@link regularExpression}. A match may look at the rest of the text, so that many matches take a time that
 * no length bounds: `all` throws LimitExceeded after {@link MAX_FINDING_MILLIS}.
 */
export const compiledPattern = (pattern: string) => {
  const compiled = compiledOf(pattern)
  const foundBy = (matcher: ReturnType<RE2JS["matcher"]>): FoundMatch => {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, at) => matcher.group(at) ?? null)
    return { start: matcher.start(), end: matcher.end(), groups }
  }
  const finder = (text: string): (() => FoundMatch | undefined) => {
    const matcher = compiled.re.matcher(checked(text, compiled))
    return () => (matcher.find() ? foundBy(matcher) : undefined)
  }
  return {
    states: compiled.re.programSize(),
    test: (text: string): boolean => compiled.re.test(checked(text, compiled)),
    testWhole: (text: string): boolean => compiled.re.testExact(checked(text, compiled)),
    whole: (text: string): FoundMatch | undefined => {
      const matcher = compiled.re.matcher(checked(text, compiled))
      return matcher.matches() ? foundBy(matcher) : undefined
    },
    finder,
    all: (text: string, most: number): readonly FoundMatch[] => {
      const next = finder(text)
      const from = performance.now()
      const found: Array<FoundMatch> = []
      for (let match = next(); match !== undefined; match = next()) {
        found.push(match)
        if (found.length >= most) break
        if (performance.now() - from > MAX_FINDING_MILLIS) throw tooSlow(found.length)
      }
      return found
    }
  }
}

/** Limit for finding all matches in a text at once, which delays other requests. 65,536 short matches take about 100 ms. */
const MAX_FINDING_MILLIS = 500

const tooSlow = (count: number): LimitExceeded =>
  new LimitExceeded(
    `Finding ${count} matches of a regular expression has taken ${MAX_FINDING_MILLIS} ms, which is the limit, because each match ` +
      "reads far ahead in the text. Use a pattern without .* before other characters, or match a part of the text."
  )

/** Cost of starting a match, in steps. */
const WORD_STEPS = 5

const checked = (text: string, compiled: Compiled): string => {
  const steps = text.length * compiled.re.programSize()
  if (text.length <= MAX_TEXT_CHARS) {
    if (steps <= MAX_MATCH_STEPS) {
      if (compiled.hasBoundary && wordCharacter.test(text)) throw otherBoundaries(compiled)
      return text
    }
    throw new LimitExceeded(
      `A regular expression of ${compiled.re.programSize()} states is matched against texts of at most ` +
        `${Math.floor(MAX_MATCH_STEPS / compiled.re.programSize())} characters (states times characters are limited to ` +
        `${MAX_MATCH_STEPS}), but this one has ${text.length}. Use a smaller pattern, or match a part of the text.`
    )
  }
  throw new LimitExceeded(
    `A regular expression is matched against texts of at most ${MAX_TEXT_CHARS} characters, but this one has ` +
      `${text.length}. Use containing(), or match a part of it.`
  )
}

const otherBoundaries = ({ pattern }: Compiled): TraversalError =>
  new TraversalError(
    `The regular expression '${beginningOf(pattern, QUOTED_CHARS)}' is matched against a text with letters or digits beyond ASCII: \\b and ` +
      "\\B are not supported there. Use a class such as [^\\p{L}\\d_] or the ends ^ and $ instead."
  )

const compiledOf = (pattern: string): Compiled => {
  const known = cache.get(pattern)
  const compiled = known ?? compile(pattern)
  if (known === undefined && pattern.length <= MAX_CACHED_CHARS) {
    if (cache.size >= MAX_CACHED_PATTERNS) cache.delete(cache.keys().next().value!)
    cache.set(pattern, compiled)
  }
  return compiled
}

const compile = (pattern: string): Compiled => {
  if (pattern.length > MAX_PATTERN_SIZE) {
    throw new LimitExceeded(
      `A regular expression has at most ${MAX_PATTERN_SIZE} characters, but this one has ${pattern.length}.`
    )
  }
  const rewritten = rewriteJavaPattern(pattern)
  const size = patternSize(rewritten)
  if (size > MAX_PATTERN_SIZE) {
    throw new LimitExceeded(
      `A regular expression has at most ${MAX_PATTERN_SIZE} states, but this one has about ${size} with all its ` +
        "repetitions. Use smaller numbers in {n,m}."
    )
  }
  const classes = rewritten.match(unicodeClass)?.length ?? 0
  if (classes > MAX_UNICODE_CLASSES) {
    throw new LimitExceeded(
      `A regular expression has at most ${MAX_UNICODE_CLASSES} Unicode classes such as \\p{L}, but this one has ${classes}. Some ` +
        "properties count as several, at most as eight: \\p{IsGraph} as seven."
    )
  }
  const { RE2JS, RE2JSException } = library()
  try {
    const hasBoundary = boundary.test(rewritten.replace(/\\[^bB]/gs, ""))
    return { pattern, re: RE2JS.compile(rewritten), hasBoundary }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error.message.replace("error parsing regexp: ", "")
    throw new TraversalInvalid(`The regular expression '${pattern}' cannot be used: ${reason}.`)
  }
}
