import { Cardinality } from "../../structure/Enums.ts"
import { ClassName } from "../../structure/Temporal.ts"
import { CallExpression, IncrementExpression, NewExpression } from "../ProgramExpressions.ts"
import { CastExpression, type Operand, UnaryExpression } from "../Script.ts"
import { consoleCommand, consoleCommandAt, isPrinting, PRINTING, wordHint } from "../ScriptHints.ts"
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
  SINGLE_QUOTE,
  SLASH,
  TILDE
} from "./Characters.ts"
import { readArrayClass, readCardinalityValue, readClassName, readFromClass } from "./ClassParser.ts"
import { isClosure, readClosure } from "./ClosureParser.ts"
import { readBrace, readBracket } from "./CollectionParser.ts"
import { anything, inWords, Kind } from "./Kinds.ts"
import { readFollowing, readTrailingClosures } from "./LinkParser.ts"
import { codeWords, constructedClasses, namedClasses, shorts, vertexClasses } from "./Names.ts"
import { readNumber } from "./Numerals.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readPredicate } from "./PredicateParser.ts"
import { expect, opens, unexpected } from "./Scanner.ts"
import { beginsClosure } from "./StepClosures.ts"
import { sourceMethods, spawns, steps, terminals } from "./Steps.ts"
import { isStrategyName, readStrategyValue } from "./StrategyParser.ts"
import { readAssigned, targetOf } from "./TargetParser.ts"
import { readSlashy, readText } from "./TemplateParser.ts"
import {
  checkSourceMethod,
  readAfterUnderscores,
  readAnonymous,
  readAnonymousClosure,
  readFromSource,
  readNot
} from "./TraversalParser.ts"
import { readQualifiedName, skipTypeArguments } from "./TypeNames.ts"
import { readDatetime, readInfinity, readUuid, readVertex } from "./ValueParser.ts"
import { readBareName } from "./Variables.ts"

const cardinalities = new Map<string, typeof Cardinality.single>([
  ["single", Cardinality.single],
  ["list", Cardinality.list],
  ["set", Cardinality.set]
])

/** Reads one operand: a literal or a name, and the calls, members and indexes after it. See Grammar.operand in ParseContext.ts. */
export const readOperand = (context: ParseContext, accepts: number, asked: number): Operand => {
  const code = context.skip()
  const start = context.position
  if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return readFollowing(context, readText(context, code), start)
  if (isDigit(code)) return readFollowing(context, readNumber(context), start)
  if (isNameStart(code)) return readFollowing(context, readNamed(context, start, accepts, asked), start)
  switch (code) {
    case LEFT_BRACKET:
      return readFollowing(context, readBracket(context), start)
    case LEFT_BRACE:
      return readFollowing(context, readBraceOperand(context, accepts), start)
    case LEFT_PAREN:
      if (primitiveCast.test(context.text.slice(start, start + 30))) return readPrimitiveCast(context, start)
      return readFollowing(context, readParenthesised(context), start)
    case PLUS:
    case MINUS:
      return readSigned(context, code, start)
    case EXCLAMATION:
      return readUnary(context, "!", start)
    case TILDE:
      return readUnary(context, "~", start)
    case SLASH:
      return readFollowing(context, readSlashy(context), start)
    case DOT:
      if (isDigit(context.peek(1))) return readFollowing(context, readNumber(context), start)
  }
  const command = code === COLON ? consoleCommandAt(context.text, start) : undefined
  if (command !== undefined) throw context.failAt(start, consoleCommand(command))
  throw unexpected(context, accepts === anything ? "a value" : inWords(accepts))
}

/** Reads a set or a closure. The position is at its brace. */
const readBraceOperand = (context: ParseContext, accepts: number): Operand => {
  const isInStep = accepts !== anything || context.isInStep
  if (!isClosure(context, isInStep)) return readBrace(context)
  if (isInStep) throw context.failAt(context.position, noCode("a closure begins here"))
  context.kind = Kind.variable
  return readClosure(context)
}

/** Reads an expression or an assignment in parentheses. */
/** A cast such as `(byte) 1`, whose operand follows. */
const primitiveCast = /^\(\s*(byte|short|int|long|float|double|char|boolean)\s*\)\s*(?=[\w"'([.-])/

const readPrimitiveCast = (context: ParseContext, start: number): Operand => {
  const [whole = "", type = ""] = primitiveCast.exec(context.text.slice(start, start + 30)) ?? []
  context.enter()
  context.position += whole.length
  const operand = context.readOperand(context, anything, 0)
  context.leave()
  context.kind = Kind.variable
  context.calculates = true
  return new CastExpression(start, operand, type)
}

const readParenthesised = (context: ParseContext): Operand => {
  context.enter()
  const before = context.blockDepth
  context.position++
  const start = context.position
  const value = readAssigned(context, context.readExpression(context, anything, 0), start)
  context.blockDepth = before
  const kind = context.kind
  expect(context, RIGHT_PAREN, "')'")
  context.leave()
  context.kind = kind
  return value
}

/** Reads an operand that begins with `+` or `-`. */
const readSigned = (context: ParseContext, code: number, start: number): Operand => {
  const next = context.peek(1)
  if (next === code) return readPrefix(context, code === PLUS ? "+" : "-", start)
  if (isDigit(next) || (next === DOT && isDigit(context.peek(2))))
    return readFollowing(context, readNumber(context), start)
  const infinity = readInfinity(context)
  if (infinity !== undefined) return infinity
  return readUnary(context, code === MINUS ? "-" : "+", start)
}

/** Reads `++x` or `--x`. */
const readPrefix = (context: ParseContext, operator: "+" | "-", start: number): Operand => {
  context.position += 2
  context.enter()
  const operand = context.readOperand(context, anything, 0)
  context.leave()
  context.kind = Kind.variable
  context.calculates = true
  const targets = [targetOf(context, operand, start)]
  return new IncrementExpression({ kind: "assignment", targets, operator, value: 1, position: start }, true)
}

const readUnary = (context: ParseContext, operator: "!" | "-" | "+" | "~", start: number): Operand => {
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
  if (isStrategyName(name) && !context.declared.has(name) && (code === LEFT_PAREN || code === DOT)) {
    return readStrategyValue(context, start)
  }
  if (code === LEFT_PAREN && !context.endsLine) return readCall(context, name, start, accepts)
  if (code === LEFT_BRACE && (context.isInStep || accepts !== anything) && !context.declared.has(name)) {
    const spec = steps.get(name)
    if (spec !== undefined && beginsClosure(context, spec)) return readAnonymousClosure(context, spec)
  }
  if (code === DOT && context.peek(1) !== DOT) {
    const value = readDotted(context, name, start)
    if (value !== undefined) return value
  }
  return readWord(context, name, start, accepts, asked)
}

/** Reads the call of `name`. The position is at the parenthesis. */
const readCall = (context: ParseContext, name: string, start: number, accepts: number): Operand => {
  if (name === "not") return readNot(context, start, accepts)
  if (context.callables.has(name)) return readFunctionCall(context, name, start)
  const spec = steps.get(name)
  if (spec !== undefined) return readAnonymous(context, spec, start)
  const predicate = readPredicate(context, name, start)
  if (predicate !== undefined) return predicate
  const cardinality = cardinalities.get(name)
  if (cardinality !== undefined) return readCardinalityValue(context, cardinality)
  if (name === "datetime" || name === "DateTime") return readDatetime(context, start)
  if (name === "UUID") return readUuid(context, start)
  if (name === "traversal" && readAnyArguments(context, name).length === 0) {
    context.kind = Kind.class
    return new ClassName("AnonymousTraversalSource")
  }
  if (vertexClasses.has(name)) return readVertex(context, start, name)
  if (!context.declared.has(name) && !PRINTING.has(name)) noteUnknownCall(context, name, start)
  return readFunctionCall(context, name, start)
}

/** Refuses the call of a name that cannot be a function, and notes one that may be a function of the session. */
const noteUnknownCall = (context: ParseContext, name: string, start: number): void => {
  const problem = notCallable(name)
  if (codeWords.has(name) || wordHint(name) !== undefined || /^[A-Z]/.test(name)) throw context.failAt(start, problem)
  if (context.blockDepth === 0) context.noteCall(name, { position: start, problem })
}

/** Reads the call of a function or closure. The position is at the parenthesis. */
const readFunctionCall = (context: ParseContext, name: string, start: number): Operand => {
  const args = [...readAnyArguments(context, name), ...readTrailingClosures(context)]
  context.kind = Kind.variable
  context.calculates = true
  return new CallExpression(start, name, args)
}

/** The text of the error for the call of a name that cannot be called. */
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

/** Reads the operand that begins with `name.`. The position is at the dot. Undefined if the name is a variable. */
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

/** Reads a name that neither a dot nor a parenthesis follows. */
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
    if (isPrinting(name, context.text, start + name.length)) return readPrinting(context, name, start)
    const array = readArrayClass(context, name)
    if (array !== undefined) return array
    // UUID is a class and a constant of GType. As an argument of a step it is the constant.
    if (namedClasses.has(name) && (accepts === anything || !shorts.has(name))) return readClassName(context, name)
    if (codeWords.has(name)) throw context.failAt(start, noCode(`'${name}' is a word of a programming language`))
  }
  return readBareName(context, name, start, accepts, asked)
}

/** Reads `new X(...)`. The position is after `new`. */
const readConstruction = (context: ParseContext, start: number): Operand => {
  const name = readQualifiedName(context)
  if (isStrategyName(name)) return readStrategyValue(context, start)
  skipTypeArguments(context)
  if (opens(context)) {
    if (vertexClasses.has(name)) return readVertex(context, start, name)
    if (constructedClasses.has(name)) {
      const args = readAnyArguments(context, name)
      context.kind = Kind.variable
      context.calculates = true
      return new NewExpression(start, name, args)
    }
  }
  throw context.failAt(start, noCode(`new ${name}(...) constructs a class`))
}

/** Reads `println x`: a call without parentheses. The position is behind the name. */
const readPrinting = (context: ParseContext, name: string, start: number): Operand => {
  const value = context.readExpression(context, anything, 0)
  context.kind = Kind.variable
  context.calculates = true
  return new CallExpression(start, name, [value])
}
