import { Variable } from "../../process/language/Bytecode.ts"
import { anything, Kind } from "../../process/language/Kinds.ts"
import { sourceMethods } from "../../process/language/StepSignatures.ts"
import { CallExpression, IncrementExpression, ReferenceExpression, SpreadExpression } from "../ProgramExpressions.ts"
import {
  BinaryExpression,
  CastExpression,
  ChainExpression,
  type Link,
  type Operand,
  RangeExpression
} from "../Script.ts"
import { ClosureExpression } from "../Statement.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import {
  AMPERSAND,
  ASTERISK,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  isDigit,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  MINUS,
  PLUS,
  QUESTION,
  RIGHT_BRACKET,
  SINGLE_QUOTE
} from "./Characters.ts"
import { readClosure } from "./ClosureParser.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, stepLoop } from "./Loops.ts"
import { spawns } from "./Methods.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, peekName, unexpected } from "./Scanner.ts"
import { readSpread } from "./SpreadParser.ts"
import { targetOf } from "./TargetParser.ts"
import { readText } from "./TemplateParser.ts"
import { readFromSource } from "./TraversalParser.ts"
import { asData } from "./Variables.ts"

/** Methods that return a traversal source. A traversal may begin after a call of them. */
const sourceReturningMethods: ReadonlySet<string> = new Set(["traversal", "begin", "with", "withEmbedded"])

/** Reads what follows a value: calls, members, indexes and `++`. Returns the value itself if none follows. */
export const readFollowing = (context: ParseContext, value: Operand, start: number): Operand => {
  const code = context.skip()
  switch (code) {
    case DOT:
      if (context.peek(1) === DOT) return value
      if (context.peek(1) === AMPERSAND) return readReference(context, value)
      break
    case COLON:
      return readReference(context, value)
    case LEFT_BRACKET:
      break
    case QUESTION:
      if (context.peek(1) !== DOT) return value
      break
    case ASTERISK:
      if (context.peek(1) !== DOT || isDigit(context.peek(2))) return value
      break
    case PLUS:
    case MINUS:
      return readPostfix(context, value, start)
    case LEFT_PAREN:
      if (!isCalled(context, value)) return value
      break
    default:
      return value
  }
  return readReference(context, readPostfix(context, readLinks(context, value, start), start))
}

/** True when a parenthesis directly after the value calls it, as in `f(1)(2)`, `m.f[0](3)` and `({ it })(1)`. */
const isCalled = (context: ParseContext, value: Operand): boolean =>
  !context.endsLine &&
  (value instanceof Variable ||
    value instanceof ChainExpression ||
    value instanceof CallExpression ||
    value instanceof ClosureExpression ||
    value instanceof BinaryExpression)

/** Reads `.&name` or `::name` after a value or a class. Returns the value itself if neither follows. */
export const readReference = (context: ParseContext, of: Operand | undefined): Operand => {
  const code = context.skip()
  const next = code === DOT ? AMPERSAND : COLON
  if ((code !== DOT && code !== COLON) || context.peek(1) !== next || context.endsLine) return of
  const { position } = context
  context.position += 2
  context.skip()
  const name = context.readName()
  if (name === "") throw unexpected(context, "the name of a method")
  context.kind = Kind.variable
  context.calculates = true
  return readFollowing(context, new ReferenceExpression(position, of, name), position)
}

/** Reads `++` or `--` after a variable, an element or a property. */
const readPostfix = (context: ParseContext, value: Operand, start: number): Operand => {
  const code = context.skip()
  if ((code !== PLUS && code !== MINUS) || context.peek(1) !== code || context.endsLine) return value
  const targets = [targetOf(context, value, start)]
  context.position += 2
  context.kind = Kind.variable
  context.calculates = true
  const operator = code === PLUS ? "++" : "--"
  return new IncrementExpression({ kind: "assignment", targets, operator, value: 1, position: start }, false)
}

/** What may follow a predicate that is not the argument of a step. */
const predicateLink =
  /^\.\s*(?:(?:test|getValue|getOriginalValue|getPredicates|equals|toString|clone)\s*\(|(?:value|originalValue)\b)/

/** Reads the calls, members and indexes after `root`. */
const readLinks = (context: ParseContext, root: Operand, start: number): Operand => {
  const kind = context.kind
  if (kind === Kind.predicate && context.peek() === DOT && !predicateLink.test(ahead(context))) {
    throw context.failAt(
      context.position,
      "after a predicate, only .and(), .or(), .negate(), .test(), .getValue(), .getPredicates(), .equals() and .toString() are allowed"
    )
  }
  const read = enterLoop(context, LoopKind.links, { root, links: [] as Array<Link> })
  for (;;) {
    const code = context.skip()
    if (code === LEFT_BRACKET && !context.endsLine) read.links.push(readIndex(context))
    else if (code === LEFT_PAREN && !context.endsLine && (read.links.length > 0 || isCalled(context, read.root)))
      read.links.push(readValueCall(context))
    else if (
      (code === DOT && context.peek(1) !== DOT && context.peek(1) !== AMPERSAND) ||
      ((code === QUESTION || code === ASTERISK) && context.peek(1) === DOT)
    ) {
      const traversal = readSpawned(context, read.root, read.links, start)
      if (traversal !== undefined) Object.assign(read, { root: traversal, links: [] })
      else read.links.push(readLink(context))
    } else break
    stepLoop(context)
  }
  leaveLoop(context, read.links.length)
  context.kind = read.links.length === 0 && read.root === root ? kind : Kind.variable
  return read.links.length === 0 ? read.root : new ChainExpression(start, read.root, read.links)
}

/** Characters that are read to see whether `.test(` follows a predicate. */
const AHEAD_CHARS = 40

const ahead = ({ position, text }: ParseContext): string => text.slice(position, position + AHEAD_CHARS)

/** Reads the traversal after a call that returns a source, as in `graph.traversal().V()`. Undefined if none follows. */
const readSpawned = (
  context: ParseContext,
  root: Operand,
  links: readonly Link[],
  start: number
): Operand | undefined => {
  const last = links.at(-1)
  if (last?.kind !== "call" || !sourceReturningMethods.has(last.name)) return undefined
  const before = context.position
  context.position++
  const name = peekName(context)
  context.position = before
  if (!spawns.has(name) && !sourceMethods.has(name)) return undefined
  // What precedes with() may be a traversal, which has no other method of sources: t.with('a').with('b').
  if (name === "with" && last.name === "with") return undefined
  return readFromSource(context, new ChainExpression(start, root, [...links]), start)
}

/** Reads an index in brackets. */
const readIndex = (context: ParseContext): Link => {
  const position = context.position
  context.enter()
  context.position++
  const index = readOneIndex(context)
  const indexes: Array<Operand> = [index]
  while (context.skip() === COMMA) {
    if (indexes.length === MAX_INDEXES) throw context.failAt(position, `an access has at most ${MAX_INDEXES} indexes`)
    context.position++
    indexes.push(readOneIndex(context))
  }
  expect(context, RIGHT_BRACKET, "']' after an index")
  context.leave()
  if (indexes.length === 1 && !(index instanceof SpreadExpression)) return { kind: "index", index, position }
  // As in Groovy, several indexes are a list of them, and so is a spread list.
  return { kind: "index", index: indexes.map((each) => asData(context, each)), position }
}

/** Maximum number of indexes in `x[0, 2]`. */
const MAX_INDEXES = 100

const readOneIndex = (context: ParseContext): Operand => {
  if (context.skip() === ASTERISK) return readSpread(context)
  const range = readLiteralRange(context)
  return range === undefined ? context.readExpression(context, anything, 0) : range
}

const LITERAL_RANGE = /\s*(-?\d{1,9})\s*\.\.(<?)\s*(-?\d{1,9})(?=\s*[\],])/y

/** Reads a range of integers as an index, which keeps its ends. Undefined for another index. */
const readLiteralRange = (context: ParseContext): RangeExpression | undefined => {
  const { position } = context
  LITERAL_RANGE.lastIndex = position
  const [whole, from, exclusive, to] = LITERAL_RANGE.exec(context.text) ?? []
  if (whole === undefined) return undefined
  context.countRange(Math.abs(Number(to) - Number(from)) + 1, position)
  context.position += whole.length
  context.calculates = true
  return new RangeExpression(position, Number(from), Number(to), exclusive === "")
}

/** Reads the arguments after a value, which is a closure: `f(1)(2)` is `f(1).call(2)`. */
const readValueCall = (context: ParseContext): Link => {
  const { position } = context
  const args = [...readAnyArguments(context, "call"), ...readTrailingClosures(context)]
  return { kind: "call", name: "call", args, safe: false, position }
}

/** Reads a call or a member after `.`, `?.` or `*.`. */
const readLink = (context: ParseContext): Link => {
  const safe = context.peek() === QUESTION
  const spreads = context.peek() === ASTERISK
  context.position += safe || spreads ? 2 : 1
  const quote = context.skip()
  const position = context.position
  if (quote === SINGLE_QUOTE || quote === DOUBLE_QUOTE) {
    return { kind: "index", index: readText(context, quote), position }
  }
  const name = context.readName()
  if (name === "") throw unexpected(context, "the name of a method or property")
  const code = context.skip()
  const common = spreads ? { safe, position, spreads } : { safe, position }
  if (code === LEFT_PAREN && !context.endsLine) {
    const args = readAnyArguments(context, name)
    if (name === "remove" && isObjectCast(args)) return { kind: "call", name: "removeElement", args, ...common }
    return { kind: "call", name, args: [...args, ...readTrailingClosures(context)], ...common }
  }
  const closures = readTrailingClosures(context)
  return closures.length > 0 ? { kind: "call", name, args: closures, ...common } : { kind: "member", name, ...common }
}

/** Whether the only argument is a cast to Object, by which Groovy chooses `remove(Object)` of a list and not `remove(int)`. */
const isObjectCast = ([first, second]: readonly Operand[]): boolean =>
  first instanceof CastExpression && first.type === "Object" && second === undefined

const noClosures: readonly Operand[] = Object.freeze([])

/** Reads the closure after the name or the arguments of a call, as in `list.each { ... }`. */
export const readTrailingClosures = (context: ParseContext): readonly Operand[] => {
  if (context.skip() !== LEFT_BRACE || context.crossedLine) return noClosures
  return [readClosure(context)]
}
