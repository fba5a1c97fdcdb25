import { ClosureExpression, type Parameter } from "../Statement.ts"
import { inBraces, readStatements } from "./BlockParser.ts"
import { COMMA, EQUALS, GREATER, MINUS, RIGHT_PAREN } from "./Characters.ts"
import { anything } from "./Kinds.ts"
import type { ParseContext } from "./ParseContext.ts"
import { unexpected } from "./Scanner.ts"

/** Maximum number of parameters of a closure or function. */
const MAX_PARAMETERS = 100

/** Reads a closure. The position is at its brace. */
export const readClosure = (context: ParseContext): ClosureExpression => {
  const start = context.position
  const yieldedBefore = context.yields
  context.yields = false
  let parameters: readonly Parameter[] | undefined
  const body = inBraces(context, "the closure", () => {
    parameters = hasArrow(context) ? readParameters(context, MINUS) : undefined
    if (parameters !== undefined) context.position += 2
    else context.declare("it")
    return readStatements(context, "brace")
  })
  context.yields = yieldedBefore
  return new ClosureExpression(start, parameters, body)
}

/** Number of characters that tell a set from a closure. A parser that reads in slices reads them again in each slice. */
const SCANNED_CHARS = 4096

/** True when parameters and `->` follow the brace, within {@link SCANNED_CHARS}. */
const hasArrow = (context: ParseContext): boolean => {
  const head =
    /\s*(?:(?:(?:final\s+)?(?:[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:<[\w$.,? ]{0,200}>)?(?:\[\]\s+|\s*\.\.\.\s*|\s+)|\.\.\.\s*)?[\p{L}_$][\p{L}\p{N}_$]*)\s*(?:=[^,{}>]{0,200})?(?:,\s*|(?=->)))*->/uy
  return head.test(context.text.slice(context.position, context.position + SCANNED_CHARS))
}

/** Reads parameters up to the character `end`, which is not read. */
export const readParameters = (context: ParseContext, end: typeof MINUS | typeof RIGHT_PAREN): readonly Parameter[] => {
  const parameters: Array<Parameter> = []
  context.enter()
  for (;;) {
    const code = context.skip()
    if (code === end && (end !== MINUS || context.peek(1) === GREATER)) break
    if (parameters.length > 0) {
      if (code !== COMMA) throw unexpected(context, "',' between parameters")
      context.position++
    }
    if (parameters.length === MAX_PARAMETERS) {
      throw context.failAt(context.position, `a closure has at most ${MAX_PARAMETERS} parameters`)
    }
    parameters.push(readParameter(context))
  }
  context.leave()
  return parameters
}

const readParameter = (context: ParseContext): Parameter => {
  context.skip()
  const at = context.position
  const head =
    /(?:final\s+)?(?:(?:def|var|([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*))(?:<[\w$.,? ]{0,200}>)?(\[\]\s+|\s*\.\.\.\s*|\s+)|\.\.\.\s*)?([\p{L}_$][\p{L}\p{N}_$]{0,9999})/uy
  head.lastIndex = at
  const match = head.exec(context.text)
  if (match === null) throw unexpected(context, "the name of a parameter")
  context.position = head.lastIndex
  const [, written = "", array = "", name = ""] = match
  const type = written.slice(written.lastIndexOf(".") + 1)
  const isArray = array.includes("[") || array.includes(".") || match[0].startsWith("...")
  context.declare(name)
  const isOptional = context.skip() === EQUALS
  let value: unknown = null
  if (isOptional) {
    context.position++
    context.isInDefault = true
    value = context.readExpression(context, anything, 0)
    context.isInDefault = false
  }
  const takesRest = isArray && !isOptional && [RIGHT_PAREN, MINUS].includes(context.skip())
  return { name, type: isArray && !takesRest ? "" : type, takesRest, isOptional, value }
}

/**
 * True when the brace at the position begins a closure, not a set. A set has commas between values. Only gremlin-lang has sets in
 * braces, and it has them only as arguments of steps: there a set may also be one expression, or empty.
 */
export const isClosure = (context: ParseContext, isStepArgument: boolean): boolean => {
  const { text } = context
  const start = context.position
  context.position++
  const arrow = hasArrow(context)
  context.position = start
  if (arrow) return true
  const found = scanBraces(text, start + 1)
  if (found.hasComma && !found.hasStatement) return false
  const inside = text.slice(start + 1, found.end)
  if (found.hasStatement || /(?:^|[^\w$.'"])it(?![\w$])/.test(inside)) return true
  return !isStepArgument || isCalledAfter(text, found.end)
}

/** True when the closure whose brace is at the position is called, as in `{ 1 }.call()`: its result may stand in a step. */
export const isCalledClosure = ({ position, text }: ParseContext): boolean =>
  isCalledAfter(text, scanBraces(text, position + 1).end)

/** True when a call follows the brace at an offset. */
const isCalledAfter = (text: string, end: number): boolean =>
  /^\s*(?:\.\s*call\s*\(|\()/.test(text.slice(end + 1, end + CALLED_CHARS))

/** Characters after a brace that are read to see whether it is called. */
const CALLED_CHARS = 20

/** Looks at the text between braces: whether it has a comma, or a separator or keyword of statements, outside of all brackets. */
const scanBraces = (text: string, start: number): { hasComma: boolean; hasStatement: boolean; end: number } => {
  const limit = Math.min(text.length, start + SCANNED_CHARS)
  let depth = 0
  let hasComma = false
  let hasStatement = false
  let at = start
  for (; at < limit; at++) {
    const character = text[at]!
    if (character === "'" || character === '"') at = afterString(text, at, limit)
    else if ("([{".includes(character)) depth++
    else if (")]}".includes(character)) {
      if (depth === 0) break
      depth--
    } else if (depth === 0) {
      if (character === ",") hasComma = true
      if (character === ";") hasStatement = true
      if (character === "=" && /[^=!<>]=[^=~]/.test(text.slice(at - 1, at + 2))) hasStatement = true
    }
  }
  hasStatement ||= /^\s*(?:println|print|return|if|for|while|try|def|throw|switch|assert)\b/.test(
    text.slice(start, start + 100)
  )
  return { hasComma, hasStatement, end: at }
}

/** The offset of the last character of the string that begins at an offset. */
const afterString = (text: string, start: number, limit: number): number => {
  const quote = text[start]
  for (let at = start + 1; at < limit; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === quote) return at
  }
  return limit
}
