import { typeName } from "../../structure/TypeNames.ts"
import { LimitExceeded, TraversalError } from "../Errors.ts"
import { itemsOf } from "./Items.ts"

/** The steps over strings: length, toLower, toUpper, trim, lTrim, rTrim, replace, split, substring, concat. */

/** Longest text that these steps take in or make, UTF-16 units: what they do with it takes some milliseconds. */
export const LONGEST_TEXT = 1_048_576

/** Throws LimitExceeded for a text that is longer than {@link LONGEST_TEXT}. */
export const checkLength = (step: string, length: number): void => {
  if (length <= LONGEST_TEXT) return
  throw new LimitExceeded(
    `${step}() works on texts of at most ${LONGEST_TEXT} characters, and this one has ${length}. Work on parts of it.`
  )
}

/** What such a step does with one string. */
export type TextFunction = (text: string) => unknown

/** The step in its global scope: a string becomes what `apply` makes of it, null stays null. Fails with TraversalError on anything else. */
export const onText =
  (step: string, apply: TextFunction) =>
  (input: unknown): unknown => {
    if (typeof input === "string") return checked(step, apply, input)
    if (input === null || input === undefined) return null
    throw new TraversalError(`The ${step}() step can only take string as argument, encountered ${typeName(input)}`)
  }

/** The step with Scope.local: it goes into a list of strings; a string itself is taken as it is in global scope. */
export const onTexts =
  (step: string, apply: TextFunction) =>
  (input: unknown): unknown => {
    if (typeof input === "string") return checked(step, apply, input)
    if (input === null || input === undefined) return null
    const items = itemsOf(input)
    const expected = `The ${step}(local) step can only take string or list of strings, encountered`
    if (items === undefined) throw new TraversalError(`${expected} ${typeName(input)}`)
    return items.map((item) => {
      if (typeof item === "string") return checked(step, apply, item)
      if (item === null || item === undefined) return null
      throw new TraversalError(`${expected} ${typeName(item)} in list`)
    })
  }

const checked = (step: string, apply: TextFunction, input: string): unknown => {
  checkLength(step, input.length)
  const output = apply(input)
  if (typeof output === "string") checkLength(step, output.length)
  return output
}

/** Number of UTF-16 units, an Int. */
export const length: TextFunction = (text) => text.length

export const toLower: TextFunction = (text) => text.toLowerCase()

export const toUpper: TextFunction = (text) => text.toUpperCase()

/** White space as Java has it: no-break spaces are none. */
const isSpace = (unit: number): boolean =>
  (unit >= 0x09 && unit <= 0x0d) ||
  (unit >= 0x1c && unit <= 0x20) ||
  unit === 0x1680 ||
  (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007) ||
  unit === 0x2028 ||
  unit === 0x2029 ||
  unit === 0x205f ||
  unit === 0x3000

const firstSolid = (text: string): number => {
  let start = 0
  while (start < text.length && isSpace(text.charCodeAt(start))) start++
  return start
}

const afterLastSolid = (text: string, start: number): number => {
  let end = text.length
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return end
}

export const trim: TextFunction = (text) => {
  const start = firstSolid(text)
  return text.slice(start, afterLastSolid(text, start))
}

export const lTrim: TextFunction = (text) => text.slice(firstSolid(text))

export const rTrim: TextFunction = (text) => text.slice(0, afterLastSolid(text, 0))

/** Every occurrence of `search`; nothing is replaced when either argument is null or `search` is empty. */
export const replace = (search: string | null, replacement: string | null): TextFunction =>
  search === null || replacement === null || search === ""
    ? (text) => text
    : (text) => replaced(text, search, replacement)

/** As replaceAll(), which would first make a text of any length. */
const replaced = (text: string, search: string, replacement: string): string => {
  let out = ""
  let from = 0
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, from)) {
    out += text.slice(from, at) + replacement
    checkLength("replace", out.length)
    from = at + search.length
  }
  return from === 0 ? text : out + text.slice(from)
}

/** The parts between separators, empty ones left out; null separates at white space, "" into characters. */
export const split = (separator: string | null): TextFunction => {
  if (separator === null) return splitAtSpace
  if (separator === "") return (text) => (text === "" ? [""] : [...text])
  return (text) => text.split(separator).filter((part) => part !== "")
}

const splitAtSpace: TextFunction = (text) => {
  const parts: Array<string> = []
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !isSpace(text.charCodeAt(i))) continue
    if (i > start) parts.push(text.slice(start, i))
    start = i + 1
  }
  return parts
}

/** From `start` up to but not including `end`, or to the end of the text; negative positions count from its end. */
export const substring = (start: number, end: number | null): TextFunction => {
  const position = (length: number, at: number): number => (at < 0 ? Math.max(0, length + at) : Math.min(at, length))
  return (text) => {
    const from = position(text.length, start)
    const to = end === null ? text.length : position(text.length, end)
    return to <= from ? "" : text.slice(from, to)
  }
}

/** concat(): the input and the operands in a row, nulls left out; null when all are null. Fails with TraversalError on a part that is no string. */
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
