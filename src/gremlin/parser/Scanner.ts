import type { GremlinSyntaxError } from "../SyntaxErrors.ts"
import { isNamePart, LEFT_PAREN } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

// Tokens and errors that all parts of the grammar have in common.

/** Characters of the script that an error message quotes. */
const QUOTED_CHARS = 40

/** The name that comes next. The position stays. */
export const peekName = (context: ParseContext): string => {
  const before = context.position
  const broken = context.brokenAt
  context.skip()
  const name = context.readName()
  context.position = before
  context.brokenAt = broken
  return name
}

/** Skips a required character. Fails with `what` as the expected part when another one follows. */
export const expect = (context: ParseContext, code: number, what: string): void => {
  if (context.skip() !== code) throw unexpected(context, what)
  context.position++
}

/** Skips white space; true when a parenthesis opens next. */
export const opens = (context: ParseContext): boolean => context.skip() === LEFT_PAREN

/** The error at the position: what was found there, and what was expected. */
export const unexpected = (context: ParseContext, expected: string): GremlinSyntaxError => {
  context.skip()
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
