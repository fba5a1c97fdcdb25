import type { GremlinSyntaxError } from "../SyntaxErrors.ts"
import { isNamePart, LEFT_PAREN } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

// Reads tokens and makes errors for all parts of the grammar.

/** Maximum number of characters of the script that an error message quotes. */
const QUOTED_CHARS = 40

/** Returns the next name and keeps the position. */
export const peekName = (context: ParseContext): string => {
  const before = context.position
  const broken = context.brokenAt
  context.skip()
  const name = context.readName()
  context.position = before
  context.brokenAt = broken
  return name
}

/** Skips the character with this code. Fails if another character follows; the message says that `what` was expected. */
export const expect = (context: ParseContext, code: number, what: string): void => {
  if (context.skip() !== code) throw unexpected(context, what)
  context.position++
}

/** Skips white space. Returns true if the next character is an opening parenthesis. */
export const opens = (context: ParseContext): boolean => context.skip() === LEFT_PAREN

/** The error at the position. Its message names the text that was found and the text that was expected. */
export const unexpected = (context: ParseContext, expected: string): GremlinSyntaxError => {
  context.skip()
  return context.failAt(context.position, `${foundText(context)} where ${expected} was expected`)
}

/** The text at the position, quoted for a message. */
const foundText = (context: ParseContext): string => {
  if (context.position >= context.end) return "the script ends"
  return `found ${JSON.stringify(wordAt(context, context.position))}`
}

/** The name, number or character at an offset, at most {@link QUOTED_CHARS} characters, for messages. */
export const wordAt = (context: ParseContext, start: number): string => {
  let at = start
  while (at < context.end && at - start < QUOTED_CHARS && isNamePart(context.text.charCodeAt(at))) at++
  return context.text.slice(start, Math.max(at, start + 1))
}
