import { anything } from "../../process/language/Kinds.ts"
import { ClosureExpression, type Parameter } from "../Statement.ts"
import { inBraces, readStatements } from "./BlockParser.ts"
import { type Braced, BraceScans } from "./BraceScans.ts"
import { COMMA, EQUALS, GREATER, MINUS, RIGHT_PAREN } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"
import { unexpected } from "./Scanner.ts"
import { TYPE_ARGUMENTS } from "./TypeNames.ts"

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
    else context.names.declare("it")
    return readStatements(context, "brace")
  })
  context.yields = yieldedBefore
  return new ClosureExpression(start, parameters, body)
}

/** Number of characters in which parameters and `->` are looked for. A parser that reads in slices reads them again in each slice. */
const SCANNED_CHARS = 4096

/** White space and comments. */
const BLANKS = "(?:\\s|//[^\\n\\r]*[\\n\\r]|/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/)*"
const TYPE = `[A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*(?:${TYPE_ARGUMENTS})?(?:\\[\\]\\s+|\\s*\\.\\.\\.\\s*|\\s+)`
const NAME = "[\\p{L}_$][\\p{L}\\p{N}_$]*"
const PARAMETER = `(?:(?:final\\s+)?${TYPE}|\\.\\.\\.\\s*)?${NAME}${BLANKS}(?:=[^,{}>]{0,200})?`
const ARROW = new RegExp(`${BLANKS}(?:${PARAMETER}(?:,${BLANKS}|(?=->)))*->`, "uy")

/** True when parameters and `->` follow the brace, within {@link SCANNED_CHARS}. */
const hasArrow = ({ position, text }: ParseContext): boolean => {
  ARROW.lastIndex = 0
  return ARROW.test(text.slice(position, position + SCANNED_CHARS))
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

/** The type and the name of a parameter. */
const HEAD = new RegExp(
  `(?:final\\s+)?(?:(?:def|var|([A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*))(?:${TYPE_ARGUMENTS})?` +
    "(\\[\\]\\s+|\\s*\\.\\.\\.\\s*|\\s+)|\\.\\.\\.\\s*)?([\\p{L}_$][\\p{L}\\p{N}_$]{0,9999})",
  "uy"
)

const readParameter = (context: ParseContext): Parameter => {
  context.skip()
  const at = context.position
  HEAD.lastIndex = at
  const match = HEAD.exec(context.text)
  if (match === null) throw unexpected(context, "the name of a parameter")
  context.position = HEAD.lastIndex
  const [, written = "", array = "", name = ""] = match
  const type = written.slice(written.lastIndexOf(".") + 1)
  const isArray = array.includes("[") || array.includes(".") || match[0].startsWith("...")
  context.names.declare(name)
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
  const { end, hasComma, hasIt, hasStatement } = bracesAt(context, start)
  if (hasStatement) return true
  if (hasComma) return false
  return hasIt || !isStepArgument || isCalledAfter(text, end)
}

/** What the braces at an offset hold. */
const bracesAt = (context: ParseContext, start: number): Braced =>
  (context.braces ??= new BraceScans(context.text)).at(start)

/** True when the closure whose brace is at the position is called, as in `{ 1 }.call()`: its result may stand in a step. */
export const isCalledClosure = (context: ParseContext): boolean =>
  isCalledAfter(context.text, bracesAt(context, context.position).end)

/** True when a call follows the brace at an offset. */
const isCalledAfter = (text: string, end: number): boolean =>
  /^\s*(?:\.\s*call\s*\(|\()/.test(text.slice(end + 1, end + CALLED_CHARS))

/** Characters after a brace that are read to see whether it is called. */
const CALLED_CHARS = 20
