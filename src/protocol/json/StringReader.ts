import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { BACKSLASH, QUOTE } from "./JsonCharacters.ts"
import { LongStringProblem, longString, parsedPart, STRING_CHUNK_CHARS } from "./JsonStrings.ts"

/** The state of a JSON reader that the functions of this module use. */
export interface StringSource {
  readonly text: string
  /** The time slices of a long message; null if the message is read at once. */
  readonly slices: ResumableDescent | null
  /** Offset of the next character. */
  position: number
  /** True while the reader skips a value, whose strings it does not keep. */
  readonly isSkipping: boolean
  /**
   * Offset of the backslash that the last search found; Infinity if it found none. One search serves all strings up to this
   * backslash or up to `searchedTo`.
   */
  nextBackslash: number
  /** Offset where the last search ended. Infinity if it found a backslash or reached the end of the text. */
  searchedTo: number
  /** Throws a ProtocolError. `at`: the offset of the problem. */
  fail(problem: string, at?: number): never
}

/** Characters of a long text that one search for a backslash visits. */
const BACKSLASH_SEARCH_CHARS = 8 * STRING_CHUNK_CHARS

/** Characters at the beginning of a string in which the closing quote is searched without a copy of a chunk. */
const SHORT_STRING_CHARS = 64

/** Longest slice, in characters, that V8 copies. A longer slice refers to the whole text and keeps it in memory. */
const LONGEST_COPIED_CHARS = 12

const UNCLOSED = "An unclosed string begins"
const MALFORMED_ESCAPE = "A string has a malformed escape"

/**
 * Returns the offset of the closing quote of the string whose content begins at `from`, and sets the position after it. Returns -1
 * and keeps the position if the string is so long that {@link readLongString} must read it. Fails if the string has no end.
 */
export const closingQuote = (source: StringSource, from: number): number => {
  const { slices, text } = source
  const limit = slices === null ? Number.POSITIVE_INFINITY : from + STRING_CHUNK_CHARS
  if (source.nextBackslash < from || source.searchedTo < limit) findBackslash(source, from)
  let end = slices === null ? text.indexOf('"', from) : quoteWithin(text, from, limit)
  if (end < 0 && slices !== null) return -1
  if (source.nextBackslash < end) {
    end = endOfEscaped(text, from, limit)
    if (end > limit) return -1
  }
  if (end < 0) source.fail(UNCLOSED)
  source.position = end + 1
  return end
}

/**
 * The string between two quotes. JSON requires escapes for line ends and other control characters. This function accepts them
 * without escapes, because users post multi-line scripts with curl.
 */
export const readString = (source: StringSource, from: number, end: number): string => {
  if (source.nextBackslash >= end && end - from <= LONGEST_COPIED_CHARS) return source.text.slice(from, end)
  return parsedPart(source.text, from, end) ?? source.fail(MALFORMED_ESCAPE, from)
}

/** Reads a string of any length in slices. Its content begins at `from`. */
export const readLongString = (source: StringSource, from: number): string => {
  const { end, text } = longString(source.text, from, source.slices!, source.isSkipping)
  if (end === LongStringProblem.unclosed) source.fail(UNCLOSED)
  if (end === LongStringProblem.malformedEscape) source.fail(MALFORMED_ESCAPE, from)
  source.position = end + 1
  return text
}

/** Searches for the next backslash from the offset `from`. */
const findBackslash = (source: StringSource, from: number): void => {
  if (source.slices === null) {
    const at = source.text.indexOf("\\", from)
    source.nextBackslash = at < 0 ? Number.POSITIVE_INFINITY : at
    source.searchedTo = Number.POSITIVE_INFINITY
    return
  }
  // Every time slice searches again. If each searched the whole text, the searches would take longer than the reading.
  const at = source.text.slice(from, from + BACKSLASH_SEARCH_CHARS).indexOf("\\")
  source.nextBackslash = at < 0 ? Number.POSITIVE_INFINITY : from + at
  source.searchedTo = at < 0 ? from + BACKSLASH_SEARCH_CHARS : Number.POSITIVE_INFINITY
}

/** Offset of the closing quote of a string with escapes. Above `limit` if there is no quote up to it; -1 if the text ends. */
const endOfEscaped = (text: string, from: number, limit: number): number => {
  for (let at = from; at < text.length; at++) {
    if (at > limit) return at
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return -1
}

/** Offset of the next quotation mark up to `limit`; -1 if there is none. */
const quoteWithin = (text: string, from: number, limit: number): number => {
  const near = Math.min(from + SHORT_STRING_CHARS, limit)
  for (let at = from; at < near; at++) if (text.charCodeAt(at) === QUOTE) return at
  const found = text.slice(near, limit + 1).indexOf('"')
  return found < 0 ? -1 : near + found
}
