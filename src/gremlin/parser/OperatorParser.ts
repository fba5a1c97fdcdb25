import {
  BinaryExpression,
  type BinaryOperator,
  CastExpression,
  ChainExpression,
  ConditionalExpression,
  type Link,
  type Operand
} from "../Script.ts"
import { closureRefused } from "../ScriptHints.ts"
import { noCode } from "../SyntaxErrors.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import {
  AMPERSAND,
  ASTERISK,
  BAR,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  EXCLAMATION,
  GREATER,
  isNamePart,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  LESS,
  MINUS,
  PERCENT,
  PLUS,
  QUESTION,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH
} from "./Characters.ts"
import { anything, Kind } from "./Kinds.ts"
import { LoopKind, type ParseContext } from "./ParseContext.ts"
import { readRange } from "./RangeParser.ts"
import { expect, peekName, unexpected } from "./Scanner.ts"
import { sourceMethods, spawns } from "./Steps.ts"
import { readString } from "./StringLiterals.ts"
import { readFromSource } from "./TraversalParser.ts"
import { readQualifiedName } from "./TypeNames.ts"

/** Binary operators by precedence, the lowest first. */
const levels: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["||"]),
  new Set(["&&"]),
  new Set(["==", "!="]),
  new Set(["<", "<=", ">", ">=", "in", "as"]),
  new Set(["<<"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"])
]

/** Methods that return a traversal source. A traversal may begin after a call of them. */
const sourceGivers: ReadonlySet<string> = new Set(["traversal", "begin", "withEmbedded"])

/** Reads an expression; see Grammar.expression in ParseContext.ts. */
export const readExpression = (context: ParseContext, accepts: number, asked: number): Operand => {
  const quote = context.skip()
  const start = context.position
  let first: Operand
  if (quote === SINGLE_QUOTE || quote === DOUBLE_QUOTE) {
    // Fast path: most expressions consist of one string, which is a whole argument.
    first = readString(context, quote)
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
  if (!goesOn(context) || context.peek() !== QUESTION || context.peek(1) === DOT) return value
  context.enter()
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
  context.leave()
  context.kind = Kind.variable
  return result
}

/** True if an operator may follow here. At depth 0, an operator at the beginning of a line does not continue the statement. */
const goesOn = (context: ParseContext): boolean => {
  context.skip()
  return context.depth > 0 || !context.crossedLine
}

/** Reads the operators after the operand `first` that have this precedence level or a higher one. */
const readLevel = (context: ParseContext, level: number, first: Operand, start: number): Operand => {
  const operators = levels[level]
  if (operators === undefined) return first
  const left = readLevel(context, level + 1, first, start)
  if (!operators.has(peekOperator(context))) return left
  const slices = context.slices
  let read = { value: left, rest: [] as Array<BinaryExpression["rest"][number]> }
  if (slices !== undefined) {
    const loop = slices.enter(context.loopKey(LoopKind.operators), read, context.position, 0)
    read = loop.items as typeof read
    context.position = loop.position
    context.brokenAt = loop.brokenAt
  }
  for (let operator = peekOperator(context); operators.has(operator); operator = peekOperator(context)) {
    const position = context.position
    context.position += operator.length
    if (operator === "as") {
      const joined = read.rest.length === 0 ? read.value : new BinaryExpression(start, read.value, read.rest)
      read.value = new CastExpression(start, joined, readCastType(context))
      read.rest = []
    } else {
      context.skip()
      const from = context.position
      const operand = readLevel(context, level + 1, context.readOperand(context, anything, 0), from)
      read.rest.push({ operator: operator as BinaryOperator, operand, position })
    }
    slices?.step(context.position, 0, context.brokenAt)
  }
  slices?.leave(read.rest.length)
  context.kind = Kind.variable
  return read.rest.length === 0 ? read.value : new BinaryExpression(start, read.value, read.rest)
}

/** Reads the name of the type after `as`. */
const readCastType = (context: ParseContext): string => {
  context.skip()
  const at = context.position
  const type = readQualifiedName(context)
  if (type === "") throw context.failAt(at, "the name of a type, such as int or String, was expected after 'as'")
  return type
}

/** The binary operator at the position; "" if there is none. `=`, `+=`, `++` and the like are not binary operators. */
const peekOperator = (context: ParseContext): string => {
  if (!goesOn(context)) return ""
  const code = context.peek()
  const next = context.peek(1)
  switch (code) {
    case PLUS:
    case ASTERISK:
    case SLASH:
    case PERCENT:
      return next === EQUALS || next === code ? "" : String.fromCharCode(code)
    case MINUS:
      if (next === GREATER) throw context.failAt(context.position, noCode("'->' makes a closure"))
      return next === EQUALS || next === MINUS ? "" : "-"
    case EQUALS:
      return next === EQUALS ? "==" : ""
    case EXCLAMATION:
      return next === EQUALS ? "!=" : ""
    case LESS:
      if (next === LESS) return context.peek(2) === EQUALS ? "" : "<<"
      return next === EQUALS ? "<=" : "<"
    case GREATER:
      return next === EQUALS ? ">=" : ">"
    case AMPERSAND:
      return next === AMPERSAND ? "&&" : ""
    case BAR:
      return next === BAR ? "||" : ""
    default:
      return peekWordOperator(context)
  }
}

/** `in` or `as` at the position; "" if neither stands there as a whole word. */
const peekWordOperator = (context: ParseContext): string => {
  const word = context.text.slice(context.position, context.position + 2)
  return (word === "in" || word === "as") && !isNamePart(context.peek(2)) ? word : ""
}

/** Reads what follows a value: a range, or calls, members and indexes. Returns the value itself if none follows. */
export const readFollowing = (context: ParseContext, value: Operand, start: number): Operand => {
  const code = context.skip()
  if (code === DOT) {
    if (context.peek(1) === DOT) return readRangeFrom(context, value, start)
    return readLinks(context, value, start)
  }
  if (code === LEFT_BRACKET || code === QUESTION) return readLinks(context, value, start)
  return value
}

/** Reads the rest of a range whose first item is `value`. The position is at its two points. */
const readRangeFrom = (context: ParseContext, value: Operand, start: number): Operand => {
  const kind = context.kind
  context.position += 2
  context.enter()
  const range = readRange(context, value, kind, start)
  context.leave()
  return range
}

/** Reads the calls, members and indexes after `root`. */
const readLinks = (context: ParseContext, root: Operand, start: number): Operand => {
  const slices = context.slices
  const kind = context.kind
  if (kind === Kind.predicate && context.peek() === DOT) {
    throw context.failAt(context.position, "a predicate is joined by .and(), .or() and .negate() only")
  }
  let read = { root, links: [] as Array<Link> }
  if (slices !== undefined) {
    const loop = slices.enter(context.loopKey(LoopKind.links), read, context.position, 0)
    read = loop.items as typeof read
    context.position = loop.position
    context.brokenAt = loop.brokenAt
  }
  for (;;) {
    const code = context.skip()
    if (code === LEFT_BRACKET && (context.depth > 0 || !context.crossedLine)) read.links.push(readIndex(context))
    else if ((code === DOT && context.peek(1) !== DOT) || (code === QUESTION && context.peek(1) === DOT)) {
      const traversal = readSpawned(context, read.root, read.links, start)
      if (traversal !== undefined) read = Object.assign(read, { root: traversal, links: [] })
      else read.links.push(readLink(context))
    } else break
    slices?.step(context.position, 0, context.brokenAt)
  }
  slices?.leave(read.links.length)
  context.kind = read.links.length === 0 && read.root === root ? kind : Kind.variable
  return read.links.length === 0 ? read.root : new ChainExpression(start, read.root, read.links)
}

/** Reads the traversal after a call that returns a source, as in `graph.traversal().V()`. Undefined if none follows. */
const readSpawned = (
  context: ParseContext,
  root: Operand,
  links: readonly Link[],
  start: number
): Operand | undefined => {
  const last = links.at(-1)
  if (last?.kind !== "call" || !sourceGivers.has(last.name)) return undefined
  const before = context.position
  context.position++
  const name = peekName(context)
  context.position = before
  if (!spawns.has(name) && !sourceMethods.has(name)) return undefined
  return readFromSource(context, new ChainExpression(start, root, [...links]), start)
}

/** Reads an index in brackets. */
const readIndex = (context: ParseContext): Link => {
  const position = context.position
  context.enter()
  context.position++
  const index = context.readExpression(context, anything, 0)
  expect(context, RIGHT_BRACKET, "']' after an index")
  context.leave()
  return { kind: "index", index, position }
}

/** Reads a call or a member after `.` or `?.`. */
const readLink = (context: ParseContext): Link => {
  const safe = context.peek() === QUESTION
  context.position += safe ? 2 : 1
  context.skip()
  const position = context.position
  const name = context.readName()
  if (name === "") throw unexpected(context, "the name of a method or property")
  const code = context.skip()
  if (code === LEFT_PAREN && (context.depth > 0 || !context.crossedLine)) {
    return { kind: "call", name, args: readAnyArguments(context, name), safe, position }
  }
  if (code === LEFT_BRACE && !context.crossedLine) throw context.failAt(position, closureRefused(name))
  return { kind: "member", name, safe, position }
}
