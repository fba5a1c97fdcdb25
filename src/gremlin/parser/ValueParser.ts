import { Kind } from "../../process/language/Kinds.ts"
import { Detached } from "../../structure/elements/Element.ts"
import { MalformedText } from "../../structure/errors/ValueErrors.ts"
import { uuidOfText } from "../../structure/scalars/Uuid.ts"
import { parseDate } from "../../structure/times/Dates.ts"
import { Expression, FreshExpression, type Operand, VertexExpression } from "../Script.ts"
import { holdsVariable } from "../script/arguments/Substitution.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import { DOUBLE_QUOTE, MINUS, PLUS, RIGHT_PAREN, SINGLE_QUOTE } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, unexpected } from "./Scanner.ts"
import { readString } from "./StringLiterals.ts"

/** Reads `datetime('2024-01-01T00:00:00Z')` or `datetime()`; the position is at the parenthesis. */
export const readDatetime = (context: ParseContext, start: number): Operand => {
  const text = readTextArgument(context, "datetime()")
  context.kind = Kind.date
  if (text === undefined) return new FreshExpression(start, "datetime")
  try {
    return parseDate(text)
  } catch (error) {
    if (error instanceof MalformedText) throw context.failAt(start, error.message)
    throw error
  }
}

/** Reads `UUID('...')` or `UUID()`; the position is at the parenthesis. */
export const readUuid = (context: ParseContext, start: number): Operand => {
  const text = readTextArgument(context, "UUID()")
  context.kind = Kind.uuid
  if (text === undefined) return new FreshExpression(start, "uuid")
  const uuid = uuidOfText(text)
  if (uuid !== undefined) return uuid
  throw context.failAt(start, `${JSON.stringify(text.slice(0, 60))} is not a UUID: 8-4-4-4-12 hexadecimal digits`)
}

/** Reads a string in parentheses; undefined for empty parentheses. The position is at the opening parenthesis. */
const readTextArgument = (context: ParseContext, what: string): string | undefined => {
  context.position++
  const quote = context.skip()
  if (quote === RIGHT_PAREN) {
    context.position++
    return undefined
  }
  if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) throw unexpected(context, `a string in ${what}`)
  const text = readString(context, quote)
  expect(context, RIGHT_PAREN, `')' of ${what}`)
  return text
}

/** Reads `new ReferenceVertex(id, label)`; the position is at the parenthesis. */
export const readVertex = (context: ParseContext, start: number, name: string): Operand => {
  const args = readAnyArguments(context, name)
  if (args.length < 1 || args.length > 2) {
    throw context.failAt(start, `${name}() takes an id and a label, such as ${name}(1, 'person')`)
  }
  const [id, label = "vertex"] = args
  context.kind = Kind.element
  if (id instanceof Expression || holdsVariable(id) || typeof label !== "string") {
    return new VertexExpression(start, id, label)
  }
  return new Detached().addVertex(id, label)
}

/**
 * Reads `Infinity`, `+Infinity` or `-Infinity`. The position is at the sign or the word. If something else follows, returns
 * undefined and leaves the position unchanged.
 */
export const readInfinity = (context: ParseContext): number | undefined => {
  const negative = context.peek() === MINUS
  const start = context.position
  if (negative || context.peek() === PLUS) context.position++
  if (context.readName() === "Infinity" && !context.isDeclared("Infinity")) {
    context.kind = Kind.decimal
    return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  context.position = start
  return undefined
}
