import { noCode } from "../SyntaxErrors.ts"
import {
  AMPERSAND,
  ASTERISK,
  BAR,
  CARET,
  DOT,
  EQUALS,
  EXCLAMATION,
  GREATER,
  isNamePart,
  LESS,
  MINUS,
  PERCENT,
  PLUS,
  SLASH
} from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

/**
 * True if what follows at the beginning of a line begins another statement, as in Groovy: a sign, a string in slashes, and `**`. Any other
 * operator continues the line before it.
 */
const beginsStatement = (context: ParseContext, code: number): boolean =>
  context.endsLine &&
  (code === PLUS || code === MINUS || code === SLASH || (code === ASTERISK && context.peek(1) === ASTERISK))

/** The binary operator that follows; "" if there is none. `=`, `+=`, `++` and the like are not binary operators. */
export const peekOperator = (context: ParseContext): string => {
  const code = context.skip()
  if (beginsStatement(context, code)) return ""
  const next = context.peek(1)
  switch (code) {
    case ASTERISK:
      if (next === ASTERISK) return context.peek(2) === EQUALS ? "" : "**"
      return next === EQUALS ? "" : "*"
    case PLUS:
    case SLASH:
    case PERCENT:
      return next === EQUALS || next === code ? "" : String.fromCharCode(code)
    case MINUS:
      if (next === GREATER) {
        // The arrow may end the default value of a parameter, or the value of a case.
        if (context.depth > context.blockDepth || context.isInDefault) return ""
        throw context.failAt(
          context.position,
          noCode("'->' is only allowed between the parameters and the body of a closure")
        )
      }
      return next === EQUALS || next === MINUS ? "" : "-"
    case DOT:
      return next === DOT ? (context.peek(2) === LESS ? "..<" : "..") : ""
    case EQUALS:
    case LESS:
    case GREATER:
    case EXCLAMATION:
      return peekComparison(context, code, next)
    case AMPERSAND:
    case BAR:
    case CARET:
      if (next === EQUALS) return ""
      return next === code && code !== CARET ? String.fromCharCode(code, code) : String.fromCharCode(code)
    default:
      return peekWord(context, 0)
  }
}

/** Longer operators come before their own prefixes. */
const comparisons = ["===", "!==", "==~", "<=>", ">>>", "==", "!=", "=~", "<=", ">=", "<<", ">>", "<", ">"]

/** An operator that begins with `=`, `<`, `>` or `!`; "" if an assignment or anything else is at the position. */
const peekComparison = (context: ParseContext, code: number, next: number): string => {
  if (code === EXCLAMATION && next !== EQUALS) return peekWord(context, 1) === "" ? "" : `!${peekWord(context, 1)}`
  const { position, text } = context
  const found = comparisons.find((operator) => text.startsWith(operator, position)) ?? ""
  const isAssignment = (found === "<<" || found.startsWith(">>")) && context.peek(found.length) === EQUALS
  return isAssignment || (found.startsWith("!") && found.length === 1) ? "" : found
}

/**
 * An operator that is a word, with the beginning of its right side on the same line. At the beginning of a line the word may be the name
 * of a variable instead: `as = 3`.
 */
const WORD_AND_OPERAND = /(?:as|instanceof)[ \t]+[\p{L}_$]|in(?:[ \t]+[\p{L}\p{N}"'[({_$-]|[[({])/uy

/** `in`, `as` or `instanceof` at an offset from the position; "" if none of them is there as a whole word. */
const peekWord = (context: ParseContext, offset: number): string => {
  const at = context.position + offset
  const two = context.text.slice(at, at + 2)
  if (two !== "in" && (two !== "as" || offset !== 0)) return ""
  const isTest = two === "in" && context.text.startsWith("instanceof", at) && !isNamePart(context.peek(offset + 10))
  if (!isTest && isNamePart(context.peek(offset + 2))) return ""
  WORD_AND_OPERAND.lastIndex = at
  if (context.endsLine && !WORD_AND_OPERAND.test(context.text)) return ""
  return isTest ? "instanceof" : two
}
