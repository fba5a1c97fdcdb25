import { Kind } from "../../process/language/Kinds.ts"
import { stringOfUnits } from "../../structure/characters/CodeUnits.ts"
import type { GremlinSyntaxError } from "../SyntaxErrors.ts"
import { BACKSLASH, DOLLAR, DOUBLE_QUOTE } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

/** By character after a backslash: the character that the escape means. 0 if the escape is unknown or longer. */
const escapes = new Uint16Array(128)
for (const [character, meaning] of ["b\b", "t\t", "n\n", "f\f", "r\r", '""', "''", "\\\\", "$$"]) {
  escapes[character!.charCodeAt(0)] = meaning!.charCodeAt(0)
}

/**
 * Reads a string literal without holes. The position must be at its first quote. Three quotes delimit a string of several lines. Throws
 * GremlinSyntaxError.
 */
export const readString = (context: ParseContext, quote: number): string => {
  const text = context.text
  const start = context.position
  const triple = text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote
  const first = start + (triple ? 3 : 1)
  context.kind = Kind.string
  for (let at = first; at < context.end; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) return readEscaped(context, start, first, quote, triple)
    if (code === quote && (!triple || isTriple(context, at, quote))) {
      context.position = at + (triple ? 3 : 1)
      return text.slice(first, at)
    }
  }
  throw unterminated(context, start, quote)
}

const isTriple = (context: ParseContext, at: number, quote: number): boolean => {
  return context.text.charCodeAt(at + 1) === quote && context.text.charCodeAt(at + 2) === quote
}

const unterminated = (context: ParseContext, start: number, quote: number): GremlinSyntaxError => {
  const mark = quote === DOUBLE_QUOTE ? '"' : "'"
  return context.failAt(start, `the string that begins here is not closed: close it with ${mark}`)
}

/** Reads a literal that contains a backslash. The literal begins at `start`, and its content begins at `first`. */
const readEscaped = (context: ParseContext, start: number, first: number, quote: number, triple: boolean): string => {
  const text = context.text
  let last = first
  while (last < context.end && !(text.charCodeAt(last) === quote && (!triple || isTriple(context, last, quote)))) {
    last += text.charCodeAt(last) === BACKSLASH ? 2 : 1
  }
  if (last >= context.end) throw unterminated(context, start, quote)
  const value = decoded(context, first, last)
  context.position = last + (triple ? 3 : 1)
  return value
}

/** The text between two offsets with its escape sequences replaced. */
export const decoded = (context: ParseContext, first: number, last: number): string => {
  const text = context.text
  const units = new Uint16Array(last - first)
  let length = 0
  for (let at = first; at < last; ) {
    const code = text.charCodeAt(at)
    if (code !== BACKSLASH) {
      units[length++] = code
      at++
      continue
    }
    const meaning = escapes[text.charCodeAt(at + 1)] ?? 0
    if (meaning !== 0) {
      units[length++] = meaning
      at += 2
    } else {
      const { unit, end } = longEscape(context, at)
      if (unit >= 0) units[length++] = unit
      at = end
    }
  }
  return stringOfUnits(units, length)
}

/**
 * True when the string in double quotes at the position has a hole, `${...}` or `$name`. Stops at the first quote or hole.
 */
export const hasHole = (context: ParseContext, isHole: (text: string, at: number) => boolean): boolean => {
  const { text } = context
  const start = context.position
  const triple = isTriple(context, start, DOUBLE_QUOTE)
  for (let at = start + (triple ? 3 : 1); at < context.end; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === DOLLAR && isHole(text, at)) return true
    else if (code === DOUBLE_QUOTE && (!triple || isTriple(context, at, DOUBLE_QUOTE))) return false
  }
  return false
}

/** True when the string at the position begins with three quotes. */
export const beginsTriple = (context: ParseContext, quote: number): boolean =>
  isTriple(context, context.position, quote)

/**
 * Reads an escape sequence that {@link escapes} does not contain. `unit` is its code unit; -1 for an escaped line break, which
 * adds no character. `end` is the offset after the sequence.
 */
const longEscape = (context: ParseContext, at: number): { readonly unit: number; readonly end: number } => {
  const text = context.text
  const next = text[at + 1] ?? ""
  if (next === "u") {
    let from = at + 2
    while (text[from] === "u") from++
    const digits = text.slice(from, from + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw context.failAt(at, "\\u needs four hexadecimal digits, as in \\u00e9")
    return { unit: Number.parseInt(digits, 16), end: from + 4 }
  }
  if (next >= "0" && next <= "7") {
    const digits = /^(?:[0-3][0-7]{0,2}|[0-7]{1,2})/.exec(text.slice(at + 1, at + 4))![0]
    return { unit: Number.parseInt(digits, 8), end: at + 1 + digits.length }
  }
  if (next === "\n") return { unit: -1, end: at + 2 }
  if (next === "\r" && text[at + 2] === "\n") return { unit: -1, end: at + 3 }
  throw context.failAt(at, `\\${next} is not an escape sequence; write \\\\ for a backslash itself`)
}
