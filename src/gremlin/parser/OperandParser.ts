import { GremlinMap } from "../../structure/Collections.ts"
import { Cardinality } from "../../structure/Enums.ts"
import { type Operand, UnaryExpression } from "../Script.ts"
import { consoleCommand, consoleCommandAt, isPrinting, wordHint } from "../ScriptHints.ts"
import { callSuggestion, noCode } from "../SyntaxErrors.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import {
  COLON,
  DOT,
  DOUBLE_QUOTE,
  EXCLAMATION,
  isDigit,
  isNameStart,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  MINUS,
  PLUS,
  RIGHT_PAREN,
  SINGLE_QUOTE
} from "./Characters.ts"
import { readCardinalityValue, readClassName, readFromClass } from "./ClassParser.ts"
import { readBrace, readBracket } from "./CollectionParser.ts"
import { anything, inWords, Kind } from "./Kinds.ts"
import { codeWords, namedClasses, shorts, vertexClasses } from "./Names.ts"
import { readNumber } from "./Numerals.ts"
import { readFollowing } from "./OperatorParser.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readPredicate } from "./PredicateParser.ts"
import { expect, opens, unexpected } from "./Scanner.ts"
import { sourceMethods, spawns, steps, terminals } from "./Steps.ts"
import { readString } from "./StringLiterals.ts"
import { checkSourceMethod, readAfterUnderscores, readAnonymous, readFromSource, readNot } from "./TraversalParser.ts"
import { readQualifiedName } from "./TypeNames.ts"
import { readDatetime, readInfinity, readUuid, readVertex } from "./ValueParser.ts"
import { readBareName } from "./Variables.ts"

const cardinalities = new Map<string, typeof Cardinality.single>([
  ["single", Cardinality.single],
  ["list", Cardinality.list],
  ["set", Cardinality.set]
])

/** Collections that a script may construct, empty, with `new`. */
const emptyCollections: { readonly [name: string]: () => unknown } = {
  ArrayList: () => [],
  LinkedList: () => [],
  HashMap: () => new GremlinMap(),
  LinkedHashMap: () => new GremlinMap()
}

/** Reads one operand: a literal, a name, and what follows it. See Grammar.operand in ParseContext.ts. */
export const readOperand = (context: ParseContext, accepts: number, asked: number): Operand => {
  const code = context.skip()
  const start = context.position
  if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return readFollowing(context, readString(context, code), start)
  if (isDigit(code)) return readFollowing(context, readNumber(context), start)
  if (isNameStart(code)) return readFollowing(context, readNamed(context, start, accepts, asked), start)
  switch (code) {
    case LEFT_BRACKET:
      return readFollowing(context, readBracket(context), start)
    case LEFT_BRACE:
      return readFollowing(context, readBrace(context), start)
    case LEFT_PAREN:
      return readFollowing(context, readParenthesised(context), start)
    case PLUS:
    case MINUS:
      return readSigned(context, code, start)
    case EXCLAMATION:
      return readUnary(context, "!", start)
    case DOT:
      if (isDigit(context.peek(1))) return readFollowing(context, readNumber(context), start)
  }
  const command = code === COLON ? consoleCommandAt(context.text, start) : undefined
  if (command !== undefined) throw context.failAt(start, consoleCommand(command))
  throw unexpected(context, accepts === anything ? "a value" : inWords(accepts))
}

/** Reads an expression in parentheses. */
const readParenthesised = (context: ParseContext): Operand => {
  context.enter()
  context.position++
  const value = context.readExpression(context, anything, 0)
  const kind = context.kind
  expect(context, RIGHT_PAREN, "')'")
  context.leave()
  context.kind = kind
  return value
}

/** Reads an operand that begins with `+` or `-`. */
const readSigned = (context: ParseContext, code: number, start: number): Operand => {
  const next = context.peek(1)
  if (isDigit(next) || (next === DOT && isDigit(context.peek(2))))
    return readFollowing(context, readNumber(context), start)
  const infinity = readInfinity(context)
  if (infinity !== undefined) return infinity
  if (code === MINUS) return readUnary(context, "-", start)
  throw unexpected(context, "a value")
}

const readUnary = (context: ParseContext, operator: "!" | "-", start: number): Operand => {
  context.enter()
  context.position++
  const operand = context.readOperand(context, anything, 0)
  context.leave()
  context.kind = Kind.variable
  return new UnaryExpression(start, operator, operand)
}

/** Reads an operand that begins with a name. */
const readNamed = (context: ParseContext, start: number, accepts: number, asked: number): Operand => {
  const name = context.readName()
  const code = context.skip()
  if (code === LEFT_PAREN && (context.depth > 0 || !context.crossedLine)) return readCall(context, name, start, accepts)
  if (code === DOT && context.peek(1) !== DOT) {
    const value = readDotted(context, name, start)
    if (value !== undefined) return value
  }
  return readWord(context, name, start, accepts, asked)
}

/** Reads the call of `name`. The position is at the parenthesis. */
const readCall = (context: ParseContext, name: string, start: number, accepts: number): Operand => {
  if (name === "not") return readNot(context, start, accepts)
  const spec = steps.get(name)
  if (spec !== undefined) return readAnonymous(context, spec, start)
  const predicate = readPredicate(context, name, start)
  if (predicate !== undefined) return predicate
  const cardinality = cardinalities.get(name)
  if (cardinality !== undefined) return readCardinalityValue(context, cardinality)
  if (name === "datetime" || name === "DateTime") return readDatetime(context, start)
  if (name === "UUID") return readUuid(context, start)
  if (vertexClasses.has(name)) return readVertex(context, start, name)
  throw context.failAt(start, notCallable(name))
}

/** The problem with a call of a name that cannot be called. */
const notCallable = (name: string): string => {
  const hint = wordHint(name)
  if (hint !== undefined) return hint
  if (codeWords.has(name)) return noCode(`'${name}' is a statement of a programming language`)
  if (/^[A-Z]/.test(name)) return noCode(`${name}(...) calls a class`)
  if (spawns.has(name) || sourceMethods.has(name) || terminals.has(name) || name === "tx") {
    return `${name}() needs a traversal source before it, such as g.${name}()`
  }
  return `there is no step, predicate or function ${name}()${callSuggestion(name, steps.keys())}`
}

/** Reads what follows `name.`; the position is at the point. Undefined when the name is a variable. */
const readDotted = (context: ParseContext, name: string, start: number): Operand | undefined => {
  if (name === "__") return readAfterUnderscores(context)
  if (name !== "g" && !context.declared.has(name)) {
    const value = readFromClass(context, name, start)
    if (value !== undefined) return value
  }
  const before = context.position
  const found = readFromSource(context, name, start)
  if (found === undefined && name === "g" && !context.declared.has(name)) {
    checkSourceMethod(context)
    context.position = before
  }
  return found
}

/** The meaning of a name with neither a point nor a parenthesis after it. */
const readWord = (context: ParseContext, name: string, start: number, accepts: number, asked: number): Operand => {
  switch (name) {
    case "true":
    case "false":
      context.kind = Kind.boolean
      return name === "true"
    case "null":
      context.kind = Kind.null
      return null
    case "NaN":
      context.kind = Kind.decimal
      return Number.NaN
    case "Infinity":
      context.kind = Kind.decimal
      return Number.POSITIVE_INFINITY
    case "new":
      return readConstruction(context, start)
    case "__":
      throw context.failAt(start, "__ needs a step after it, such as __.out()")
  }
  if (!context.declared.has(name)) {
    if (isPrinting(name, context.text, start + name.length)) throw context.failAt(start, wordHint(name)!)
    // UUID is both; a traversal means the GType.
    if (namedClasses.has(name) && (accepts === anything || !shorts.has(name))) return readClassName(context, name)
    if (codeWords.has(name)) throw context.failAt(start, noCode(`'${name}' is a word of a programming language`))
  }
  return readBareName(context, name, start, accepts, asked)
}

/** Reads `new X(...)`; the position is behind `new`. */
const readConstruction = (context: ParseContext, start: number): Operand => {
  const name = readQualifiedName(context)
  if (opens(context)) {
    if (vertexClasses.has(name)) return readVertex(context, start, name)
    const empty = Object.hasOwn(emptyCollections, name) ? emptyCollections[name] : undefined
    if (empty !== undefined && readAnyArguments(context, name).length === 0) {
      const value = empty()
      context.kind = Array.isArray(value) ? Kind.list : Kind.map
      return value
    }
  }
  const hint = name === "Date" || name === "Timestamp" ? ": datetime() is the current time" : ""
  throw context.failAt(start, noCode(`new ${name}(...) constructs a class${hint}`))
}
