import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { BACKSLASH, QUOTE } from "./JsonCharacters.ts"
import { LongStringProblem, longString, parsedPart, STRING_CHUNK_CHARS } from "./JsonStrings.ts"

/** The state of a reader of JSON that reading its strings needs. */
export interface StringSource {
  readonly text: string
  readonly slices: ResumableDescent | null
  position: number
  /** True while a value is skipped: its strings are not kept. */
  readonly isSkipping: boolean
  /**
   * Offset of the first backslash at or after the last string. Infinity when there is none before `searchedTo`, so that most
   * strings need no search of their own.
   */
  nextBackslash: number
  searchedTo: number
  /** Throws a ProtocolError. */
  fail(problem: string, at?: number): never
}

/** The part of a long text that is searched for a backslash at a time. */
const BACKSLASH_SEARCH_CHARS = 8 * STRING_CHUNK_CHARS

/** The beginning of a string that is searched for its closing quote without copying a chunk of the text. */
const SHORT_STRING_CHARS = 64

/** A slice of a string of more characters keeps the whole string in memory; shorter slices are copies. */
const LONGEST_COPIED_CHARS = 12

const UNCLOSED = "A string without end begins"
const MALFORMED_ESCAPE = "A string has a malformed escape"

/**
 * Finds the closing quote of the string whose content begins at `from`, and moves behind it. -1, without moving, when the string is
 * so long that {@link readLongString} must read it.
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
 * The string between two quotes. Line ends and other control characters are kept: JSON wants them escaped, but people post
 * scripts of several lines with curl.
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

const findBackslash = (source: StringSource, from: number): void => {
  if (source.slices === null) {
    const at = source.text.indexOf("\\", from)
    source.nextBackslash = at < 0 ? Number.POSITIVE_INFINITY : at
    source.searchedTo = Number.POSITIVE_INFINITY
    return
  }
  // Every slice starts again: searching all of a long text each time would take longer than reading it.
  const at = source.text.slice(from, from + BACKSLASH_SEARCH_CHARS).indexOf("\\")
  source.nextBackslash = at < 0 ? Number.POSITIVE_INFINITY : from + at
  source.searchedTo = at < 0 ? from + BACKSLASH_SEARCH_CHARS : Number.POSITIVE_INFINITY
}

/** The closing quote of a string with escapes; an offset above `limit` when it lies beyond; -1 when the text ends. */
const endOfEscaped = (text: string, from: number, limit: number): number => {
  for (let at = from; at < text.length; at++) {
    if (at > limit) return at
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return -1
}

/** The next quotation mark up to `limit`; -1 when there is none. */
const quoteWithin = (text: string, from: number, limit: number): number => {
  const near = Math.min(from + SHORT_STRING_CHARS, limit)
  for (let at = from; at < near; at++) if (text.charCodeAt(at) === QUOTE) return at
  const found = text.slice(near, limit + 1).indexOf('"')
  return found < 0 ? -1 : near + found
}
