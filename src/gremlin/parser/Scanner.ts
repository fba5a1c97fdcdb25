import type { GremlinSyntaxError } from "../SyntaxErrors.ts"
import {
  ASTERISK,
  BYTE_ORDER_MARK,
  CARRIAGE_RETURN,
  FORM_FEED,
  isNamePart,
  isNameStart,
  LEFT_PAREN,
  LINE_FEED,
  NO_BREAK_SPACE,
  SLASH,
  SPACE,
  TAB
} from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

// White space, comments, names and the errors about them: the functions that all parts of the grammar use.

/** Characters of a name, less one. The parser looks at each character of a name several times. */
const LONGEST_NAME_CHARS = 10_000

/** Characters of the script that an error message quotes. */
const QUOTED_CHARS = 40

const isBlank = (code: number): boolean =>
  code === SPACE ||
  (code <= CARRIAGE_RETURN && (code === TAB || code === CARRIAGE_RETURN || code === FORM_FEED)) ||
  code === NO_BREAK_SPACE ||
  code === BYTE_ORDER_MARK

/** Skips white space and comments. Returns the code of the character that follows, or -1 at the end. */
export const skip = (context: ParseContext): number => {
  const at = context.position
  if (at >= context.end) return -1
  const code = context.text.charCodeAt(at)
  if (code > SLASH ? code < NO_BREAK_SPACE : code > SPACE && code !== SLASH) return code
  return skipBlanks(context)
}

const skipBlanks = (context: ParseContext): number => {
  const text = context.text
  let at = context.position
  let broken = false
  let code = 0
  for (;;) {
    code = at < context.end ? text.charCodeAt(at) : -1
    if (code === LINE_FEED) {
      broken = true
      at++
    } else if (isBlank(code)) at++
    else if (code === SLASH && isComment(context, at)) {
      const end = afterComment(context, at)
      broken ||= text.slice(at, end).includes("\n")
      at = end
    } else break
  }
  if (broken) context.brokenAt = at
  context.position = at
  return code
}

/** True when only white space lies between the position and the last line break. */
export const crossedLine = (context: ParseContext): boolean => context.brokenAt === context.position

const isComment = (context: ParseContext, at: number): boolean => {
  const next = context.text.charCodeAt(at + 1)
  return next === SLASH || next === ASTERISK
}

const afterComment = (context: ParseContext, at: number): number => {
  if (context.text.charCodeAt(at + 1) === SLASH) {
    const end = context.text.indexOf("\n", at)
    return end < 0 ? context.end : end
  }
  const end = context.text.indexOf("*/", at + 2)
  if (end < 0) throw context.failAt(at, "a comment begins here and never ends: close it with */")
  return end + 2
}

/** The code of the character at an offset from the position; NaN beyond the end. */
export const peek = (context: ParseContext, offset = 0): number => context.text.charCodeAt(context.position + offset)

/** Reads the name at the position; "" when there is none. */
export const readName = (context: ParseContext): string => {
  const text = context.text
  const start = context.position
  if (start >= context.end || !isNameStart(text.charCodeAt(start))) return ""
  const end = Math.min(context.end, start + LONGEST_NAME_CHARS)
  let at = start + 1
  while (at < end && isNamePart(text.charCodeAt(at))) at++
  if (at - start === LONGEST_NAME_CHARS)
    throw context.failAt(start, `a name has less than ${LONGEST_NAME_CHARS} characters`)
  context.position = at
  return text.slice(start, at)
}

/** The name that comes next. The position stays. */
export const peekName = (context: ParseContext): string => {
  const before = context.position
  const broken = context.brokenAt
  skip(context)
  const name = readName(context)
  context.position = before
  context.brokenAt = broken
  return name
}

/** Skips a required character. Fails with `what` as the expected part when another one follows. */
export const expect = (context: ParseContext, code: number, what: string): void => {
  if (skip(context) !== code) throw unexpected(context, what)
  context.position++
}

/** Skips white space; true when a parenthesis opens next. */
export const opens = (context: ParseContext): boolean => skip(context) === LEFT_PAREN

/** The error at the position: what was found there, and what was expected. */
export const unexpected = (context: ParseContext, expected: string): GremlinSyntaxError => {
  skip(context)
  return context.failAt(context.position, `${foundText(context)} where ${expected} was expected`)
}

/** The text at the position, quoted for a message. */
const foundText = (context: ParseContext): string => {
  if (context.position >= context.end) return "the script ends"
  return `there is ${JSON.stringify(wordAt(context, context.position))}`
}

/** The name, number or character at an offset, at most {@link QUOTED_CHARS} characters, for messages. */
export const wordAt = (context: ParseContext, start: number): string => {
  let at = start
  while (at < context.end && at - start < QUOTED_CHARS && isNamePart(context.text.charCodeAt(at))) at++
  return context.text.slice(start, Math.max(at, start + 1))
}
