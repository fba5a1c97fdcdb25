import { anything, Kind } from "../../process/language/Kinds.ts"
import { InstanceExpression } from "../ProgramExpressions.ts"
import {
  BinaryExpression,
  type BinaryOperator,
  CastExpression,
  ConditionalExpression,
  type Operand,
  UnaryExpression
} from "../Script.ts"
import {
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  MINUS,
  PLUS,
  QUESTION,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SEMICOLON,
  SINGLE_QUOTE
} from "./Characters.ts"
import { readFollowing } from "./LinkParser.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, stepLoop } from "./Loops.ts"
import { peekOperator } from "./OperatorTokens.ts"
import type { ParseContext } from "./ParseContext.ts"
import { rangeOf } from "./RangeParser.ts"
import { expect } from "./Scanner.ts"
import { readText } from "./TemplateParser.ts"
import { readTypeAfter } from "./TypeNames.ts"

/** Binary operators by precedence, the lowest first. */
const levels: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["||"]),
  new Set(["&&"]),
  new Set(["|"]),
  new Set(["^"]),
  new Set(["&"]),
  new Set(["==", "!=", "===", "!==", "<=>", "=~", "==~"]),
  new Set(["<", "<=", ">", ">=", "in", "!in", "as", "instanceof", "!instanceof"]),
  new Set(["<<", ">>", ">>>", "..", "..<"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"]),
  new Set(["**"])
]

/** Reads an expression; see Grammar.expression in ParseContext.ts. */
export const readExpression = (context: ParseContext, accepts: number, asked: number): Operand => {
  const quote = context.skip()
  const start = context.position
  let first: Operand
  if (quote === SINGLE_QUOTE || quote === DOUBLE_QUOTE) {
    // Fast path: most expressions consist of one string, which is a whole argument.
    first = readText(context, quote)
    const next = context.skip()
    if (next === RIGHT_PAREN || next === COMMA) return first
    first = readFollowing(context, first, start)
  } else first = context.readOperand(context, accepts, asked)
  const code = context.skip()
  if (code === RIGHT_PAREN || code === COMMA || code < 0 || code === SEMICOLON || code === RIGHT_BRACKET) return first
  return readOperators(context, first, start)
}

/** Reads the operators that follow the first operand of an expression. */
const readOperators = (context: ParseContext, first: Operand, start: number): Operand => {
  const value = readLevel(context, 0, first, start)
  if (context.skip() !== QUESTION || context.peek(1) === DOT || context.peek(1) === EQUALS) return value
  context.enterOperand()
  const position = context.position
  context.position++
  let result: Operand
  if (context.peek() === COLON) {
    context.position++
    const operand = context.readExpression(context, anything, 0)
    result = new BinaryExpression(start, value, [{ operator: "?:", operand, position }])
  } else {
    const whenTrue = context.readExpression(context, anything, 0)
    expect(context, COLON, "':' of the condition a ? b : c")
    result = new ConditionalExpression(start, value, whenTrue, context.readExpression(context, anything, 0))
  }
  context.leaveOperand()
  context.kind = Kind.variable
  return result
}

/** Reads the operators after the operand `first` that have this precedence level or a higher one. */
const readLevel = (context: ParseContext, level: number, first: Operand, start: number): Operand => {
  const operators = levels[level]
  if (operators === undefined) return first
  const left = readLevel(context, level + 1, first, start)
  if (!operators.has(peekOperator(context))) return left
  const read = enterLoop(context, LoopKind.operators, {
    value: left,
    rest: [] as Array<BinaryExpression["rest"][number]>
  })
  for (let operator = peekOperator(context); operators.has(operator); operator = peekOperator(context)) {
    const position = context.position
    context.position += operator.length
    context.skip()
    const from = context.position
    if (operator === "as" || operator.endsWith("instanceof")) {
      const type = readTypeAfter(context, operator)
      const joined = joinedOperands(start, read)
      read.value =
        operator === "as"
          ? new CastExpression(start, joined, type, false)
          : new InstanceExpression(start, joined, type, operator.startsWith("!"))
      read.rest = []
    } else {
      const kind = context.kind
      const operand = readRight(context, level, from)
      if (operator.startsWith("..")) {
        const ends = { from: joinedOperands(start, read), fromKind: kind, to: operand, toKind: context.kind }
        read.value = rangeOf(context, ends, operator === "..", start)
        read.rest = []
      } else read.rest.push({ operator: operator as BinaryOperator, operand, position })
    }
    stepLoop(context)
  }
  leaveLoop(context, read.rest.length)
  context.kind = Array.isArray(read.value) && read.rest.length === 0 ? Kind.list : Kind.variable
  return level === POWER_LEVEL ? signedPower(context, start, read) : joinedOperands(start, read)
}

const POWER_LEVEL = levels.length - 1

/** Reads the operand to the right of an operator of a level. In a power, a sign has all powers after it: `2**-1**2` is `2**-(1**2)`. */
const readRight = (context: ParseContext, level: number, from: number): Operand => {
  const code = context.text.charCodeAt(from)
  const operand = context.readOperand(context, anything, 0)
  if (level < POWER_LEVEL || (code !== MINUS && code !== PLUS)) return readLevel(context, level + 1, operand, from)
  context.enterOperand()
  const signed = readLevel(context, level, operand, from)
  context.leaveOperand()
  return signed
}

/** A power. Its sign is applied last, as in Groovy: `-x**2` is `-(x**2)`. `start` is the offset of the sign. */
const signedPower = (
  { text }: ParseContext,
  start: number,
  { rest, value }: { readonly value: Operand; readonly rest: BinaryExpression["rest"] }
): Operand => {
  const code = text.charCodeAt(start)
  if (!(value instanceof UnaryExpression) || (code !== MINUS && code !== PLUS)) {
    return joinedOperands(start, { value, rest })
  }
  return new UnaryExpression(start, value.operator, new BinaryExpression(start, value.operand, rest))
}

const joinedOperands = (start: number, { value, rest }: { value: Operand; rest: BinaryExpression["rest"] }): Operand =>
  rest.length === 0 ? value : new BinaryExpression(start, value, rest)
