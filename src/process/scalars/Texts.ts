import type { Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../scheduling/TimeSlice.ts"
import { afterLastSolid, firstSolid, isSpace } from "../../structure/characters/JavaSpace.ts"
import { TextSearch } from "../../structure/characters/TextSearch.ts"
import { beginningOf } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { LimitExceeded, TraversalError } from "../language/Errors.ts"
import { itemsOf } from "./Items.ts"

/** The steps over strings: length, toLower, toUpper, trim, lTrim, rTrim, replace, split, substring, concat. */

/** Longest input and output of these steps, in UTF-16 units: they work on it for some milliseconds without a yield. */
const MAX_TEXT_CHARS = 1_048_576

/** Longest text of a value that is not a string, such as a list: producing it takes about ten times as long. */
const MAX_WRITTEN_CHARS = 262_144

/** Throws LimitExceeded for a text that is longer than `longest`, in UTF-16 units. */
export const checkLength = (step: string, length: number, longest = MAX_TEXT_CHARS): void => {
  if (length <= longest) return
  throw new LimitExceeded(
    `${step}() works on texts of at most ${longest} characters, but this one has ${length} or more. Split it into parts first.`
  )
}

/** The text of any value, for a step that works on texts. Throws LimitExceeded if it is too long. */
export const textWithin = (step: string, value: unknown): string => {
  const longest = typeof value === "string" ? MAX_TEXT_CHARS : MAX_WRITTEN_CHARS
  const written = beginningOf(value, longest)
  checkLength(step, written.length, longest)
  return written
}

/** The function of such a step on one string. */
export type TextFunction = (text: string) => unknown

/** The function of such a step on one string, with yields. */
export type LongTextFunction = (text: string) => Task<unknown>

/** Turns a function that does not yield into a task. */
export const short = (apply: TextFunction): LongTextFunction =>
  // biome-ignore lint/correctness/useYield: it has the type of the functions that yield
  function* (text) {
    return apply(text)
  }

/** The step in global scope: applies `apply` to a string. Null stays null. Throws TraversalError for any other value. */
export const onText = (step: string, apply: LongTextFunction) =>
  function* (_slice: TimeSlice, input: unknown): Task<unknown> {
    if (typeof input === "string") return yield* checked(step, apply, input)
    if (input === null || input === undefined) return null
    throw new TraversalError(`The ${step}() step can only take string as argument, encountered ${typeName(input)}`)
  }

/** The step with Scope.local: applies `apply` to a string or to each string of a list. Throws TraversalError for other values. */
export const onTexts = (step: string, apply: LongTextFunction) =>
  function* (slice: TimeSlice, input: unknown): Task<unknown> {
    if (typeof input === "string") return yield* checked(step, apply, input)
    if (input === null || input === undefined) return null
    const items = itemsOf(input)
    const expected = `The ${step}(local) step can only take string or list of strings, encountered`
    if (items === undefined) throw new TraversalError(`${expected} ${typeName(input)}`)
    const results: Array<unknown> = []
    for (const item of items) {
      if (typeof item === "string") results.push(yield* checked(step, apply, item))
      else if (item === null || item === undefined) results.push(null)
      else throw new TraversalError(`${expected} ${typeName(item)} in list`)
      if (slice.isOverAfter(results.length, item)) yield
    }
    return results
  }

function* checked(step: string, apply: LongTextFunction, input: string): Task<unknown> {
  checkLength(step, input.length)
  const output = yield* apply(input)
  if (typeof output === "string") checkLength(step, output.length)
  return output
}

/** length(): the number of UTF-16 units, an Int. */
export const length: TextFunction = (text) => text.length

/** toLower(), in the root locale. */
export const toLower: TextFunction = (text) => text.toLowerCase()

/** toUpper(), in the root locale. */
export const toUpper: TextFunction = (text) => text.toUpperCase()

/** trim(): removes white space at both ends. */
export const trim: TextFunction = (text) => {
  const start = firstSolid(text)
  return text.slice(start, afterLastSolid(text, start))
}

/** lTrim(): removes white space at the start. */
export const lTrim: TextFunction = (text) => text.slice(firstSolid(text))

/** rTrim(): removes white space at the end. */
export const rTrim: TextFunction = (text) => text.slice(0, afterLastSolid(text, 0))

/** replace(): replaces every occurrence of `search`; none if an argument is null or `search` is empty. */
export const replace = (search: string | null, replacement: string | null): LongTextFunction =>
  search === null || replacement === null || search === ""
    ? short((text) => text)
    : (text) => replaced(text, search, replacement)

/** Replaces as replaceAll() does, and checks the length of the result while it grows. */
function* replaced(text: string, search: string, replacement: string): Task<string> {
  const parts: Array<string> = []
  let length = 0
  let from = 0
  const wanted = new TextSearch(search)
  for (let at = wanted.indexIn(text); at >= 0; at = wanted.indexIn(text, from)) {
    parts.push(text.slice(from, at), replacement)
    length += at - from + replacement.length
    checkLength("replace", length)
    from = at + search.length
    if (parts.length % CHUNK_ITEMS === 0) yield
  }
  return from === 0 ? text : (yield* joined(parts)) + text.slice(from)
}

/** The concatenation of the parts, with yields: the cost depends on the number of parts. */
function* joined(parts: ReadonlyArray<string>): Task<string> {
  const runs: Array<string> = []
  for (let from = 0; from < parts.length; from += CHUNK_ITEMS) {
    runs.push(parts.slice(from, from + CHUNK_ITEMS).join(""))
    yield
  }
  return runs.join("")
}

/**
 * split(): the parts between separators. Null splits at white space, "" into characters. Empty parts are omitted, except the
 * last one of a text that ends with the separator, as in splitByWholeSeparator() of Apache Commons, which TinkerPop uses.
 */
export const split = (separator: string | null): LongTextFunction => {
  if (separator === null) return splitAtSpace
  return separator === "" ? characters : (text) => partsOf(text, separator)
}

function* characters(text: string): Task<Array<string>> {
  if (text === "") return [""]
  const parts: Array<string> = []
  for (const character of text) {
    parts.push(character)
    if (parts.length % CHUNK_ITEMS === 0) yield
  }
  return parts
}

function* partsOf(text: string, separator: string): Task<Array<string>> {
  const parts: Array<string> = []
  let passed = 0
  const wanted = new TextSearch(separator)
  for (let from = 0; from <= text.length; ) {
    const found = wanted.indexIn(text, from)
    const end = found < 0 ? text.length : found
    if (end > from || (found < 0 && passed > 0)) parts.push(text.slice(from, end))
    from = end + separator.length
    if (found < 0) break
    if (++passed % CHUNK_ITEMS === 0) yield
  }
  return parts
}

function* splitAtSpace(text: string): Task<Array<string>> {
  const parts: Array<string> = []
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    if (i % CHARACTERS_PER_YIELD === CHARACTERS_PER_YIELD - 1) yield
    if (i < text.length && !isSpace(text.charCodeAt(i))) continue
    if (i > start) parts.push(text.slice(start, i))
    start = i + 1
  }
  return parts
}

/** Characters that are searched for white space between two yields. */
const CHARACTERS_PER_YIELD = 8 * CHUNK_ITEMS

/** substring(): from `start` up to but not including `end`, or to the end of the text. Negative positions count from the end. */
export const substring = (start: number, end: number | null): TextFunction => {
  const position = (length: number, at: number): number => (at < 0 ? Math.max(0, length + at) : Math.min(at, length))
  return (text) => {
    const from = position(text.length, start)
    const to = end === null ? text.length : position(text.length, end)
    return to <= from ? "" : text.slice(from, to)
  }
}

/** concat(): joins input and operands. Nulls are skipped; null when all are null. Throws TraversalError for other values. */
export const concat = (input: unknown, ...operands: readonly unknown[]): string | null => {
  let result: string | null = null
  for (const part of [input, ...operands]) {
    if (typeof part === "string") {
      result = result === null ? part : result + part
      checkLength("concat", result.length)
    } else if (part !== null && part !== undefined) {
      throw new TraversalError(`String concat() can only take string as argument, encountered ${typeName(part)}`)
    }
  }
  return result
}
