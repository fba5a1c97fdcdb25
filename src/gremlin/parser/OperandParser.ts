import { anything, inWords, Kind } from "../../process/language/Kinds.ts"
import { steps } from "../../process/language/StepSignatures.ts"
import type { ClassName } from "../../structure/scalars/ClassNames.ts"
import { IncrementExpression } from "../ProgramExpressions.ts"
import { type Operand, UnaryExpression } from "../Script.ts"
import { consoleCommand, consoleCommandAt, isPrinting } from "../ScriptHints.ts"
import { noCode } from "../SyntaxErrors.ts"
import { readCall, readClosureCall, readConstruction, readFunctionCall, readPrinting } from "./CallParser.ts"
import { isCast, readCast } from "./CastParser.ts"
import {
  ASTERISK,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EXCLAMATION,
  GREATER,
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
import { readArrayClass, readClassName, readFromClass } from "./ClassParser.ts"
import { isCalledClosure, isClosure, readClosure } from "./ClosureParser.ts"
import { readBrace, readBracket } from "./CollectionParser.ts"
import { isLambda, readLambda } from "./LambdaParser.ts"
import { readFollowing, readReference } from "./LinkParser.ts"
import { AmbiguousClass, isClassWord } from "./LiteralTypes.ts"
import { codeWords, shorts } from "./Names.ts"
import { readNumber } from "./Numerals.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, unexpected } from "./Scanner.ts"
import { beginsClosure } from "./StepClosures.ts"
import { isStrategyName, readStrategyValue } from "./StrategyParser.ts"
import { readSwitchValue } from "./SwitchParser.ts"
import { readAssigned, targetOf } from "./TargetParser.ts"
import { readSlashy, readText } from "./TemplateParser.ts"
import { checkSourceMethod, readAfterUnderscores, readAnonymousClosure, readFromSource } from "./TraversalParser.ts"
import { readInfinity } from "./ValueParser.ts"
import { readBareName, readImportedConstant } from "./Variables.ts"

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
      if (isLambda(context)) return readLambdaOperand(context, start)
      if (isCast(context)) return readCast(context, start)
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
  if (isInStep && !isCalledClosure(context))
    throw context.failAt(context.position, noCode("a closure cannot stand here"))
  context.kind = Kind.variable
  return readClosure(context)
}

/** Reads `x -> x + 1`. An argument of a step that takes no closure is refused. */
const readLambdaOperand = (context: ParseContext, start: number): Operand => {
  if (context.isInStep) throw context.failAt(start, noCode("a closure cannot stand here"))
  const closure = readLambda(context)
  context.kind = Kind.variable
  return closure
}

/** Reads an expression or an assignment in parentheses. */
const readParenthesised = (context: ParseContext): Operand => {
  context.enter()
  const before = context.blockDepth
  context.position++
  const start = context.position
  // A closure is no argument of a step by itself, but the result of its call may be one.
  const wasInStep = context.isInStep
  if (wasInStep && context.skip() === LEFT_BRACE && isClosure(context, false)) context.isInStep = false
  const value = readAssigned(context, context.readExpression(context, anything, 0), start)
  context.isInStep = wasInStep
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
  if (next === code) return readPrefix(context, code === PLUS ? "++" : "--", start)
  if (isDigit(next) || (next === DOT && isDigit(context.peek(2)))) {
    const number = readNumber(context)
    const { kind } = context
    if (!bindsTighter(context)) {
      context.kind = kind
      return readFollowing(context, number, start)
    }
    context.position = start
  }
  const infinity = readInfinity(context)
  if (infinity !== undefined) return infinity
  return readUnary(context, code === MINUS ? "-" : "+", start)
}

/** True before a call or `**`, which Groovy applies before the sign: `-5.abs()` is -5, and `-2**2` is -4. */
const bindsTighter = (context: ParseContext): boolean => {
  const code = context.skip()
  const next = context.peek(1)
  if (context.endsLine) return false
  return (code === DOT && isNameStart(next)) || (code === ASTERISK && next === ASTERISK)
}

/** Reads `++x` or `--x`. */
const readPrefix = (context: ParseContext, operator: "++" | "--", start: number): Operand => {
  context.position += 2
  context.enterOperand()
  const operand = context.readOperand(context, anything, 0)
  context.leaveOperand()
  context.kind = Kind.variable
  context.calculates = true
  const targets = [targetOf(context, operand, start)]
  return new IncrementExpression({ kind: "assignment", targets, operator, value: 1, position: start }, true)
}

const readUnary = (context: ParseContext, operator: "!" | "-" | "+" | "~", start: number): Operand => {
  context.enterOperand()
  context.position++
  const operand = context.readOperand(context, anything, 0)
  context.leaveOperand()
  context.kind = Kind.variable
  return new UnaryExpression(start, operator, operand)
}

/** Reads an operand that begins with a name. */
const readNamed = (context: ParseContext, start: number, accepts: number, asked: number): Operand => {
  const name = context.readName()
  const code = context.skip()
  if (name === "switch" && code === LEFT_PAREN) return readSwitchValue(context, start)
  if (isStrategyName(name) && !context.isDeclared(name) && (code === LEFT_PAREN || code === DOT)) {
    return readStrategyValue(context, start)
  }
  if (code === MINUS && context.peek(1) === GREATER && !context.isInDefault) {
    context.position = start
    return readLambdaOperand(context, start)
  }
  if (code === LEFT_PAREN && !context.endsLine) return readCall(context, name, start, accepts)
  if (name === "this" && (code === DOT || code === COLON)) {
    const member = readMemberOfScript(context)
    if (member !== undefined) return member
  }
  if (code === LEFT_BRACE && (context.isInStep || accepts !== anything) && !context.isDeclared(name)) {
    const spec = steps.get(name)
    if (spec !== undefined && beginsClosure(context, spec)) return readAnonymousClosure(context, spec)
  }
  if (code === DOT && context.peek(1) !== DOT) {
    const value = readDotted(context, name, start)
    if (value !== undefined) return value
  }
  return readWord(context, name, start, accepts, asked)
}

/** Reads `this.&name`, `this::name` or `this.name(...)`, a function of the script. The position is after `this`. */
const readMemberOfScript = (context: ParseContext): Operand | undefined => {
  const reference = readReference(context, undefined)
  if (reference !== undefined) return reference
  const start = context.position + 1
  const [called = ""] = /^[\w$]+(?=\()/.exec(context.text.slice(start, start + MAX_FUNCTION_NAME_CHARS)) ?? []
  if (called === "") return undefined
  context.position = start + called.length
  return readFunctionCall(context, called, start)
}

/** Characters of the name of a function that are read after `this.`. */
const MAX_FUNCTION_NAME_CHARS = 100

/** Reads the operand that begins with `name.`. The position is at the dot. Undefined if the name is a variable. */
const readDotted = (context: ParseContext, name: string, start: number): Operand | undefined => {
  if (name === "__") return readAfterUnderscores(context)
  if (name !== "g" && !context.isDeclared(name)) {
    const value = readFromClass(context, name, start)
    if (value !== undefined) return value
  }
  const before = context.position
  const found = readFromSource(context, name, start)
  if (found === undefined && name === "g" && !context.isDeclared(name)) {
    checkSourceMethod(context)
    context.position = before
  }
  return found
}

/** UUID and int are classes and constants of GType. As a whole argument of a step they are the constant. */
const isType = (context: ParseContext, name: string, accepts: number): boolean => {
  if (accepts === anything || !shorts.has(name)) return false
  const next = context.skip()
  return next === COMMA || next === RIGHT_PAREN
}

/** Reads the name of a class, or of a type if it is a member of a literal; see {@link withTypes}. */
const readClassWord = (context: ParseContext, name: string): ClassName => {
  const read = readClassName(context, name)
  if (!context.isInStep || !shorts.has(name)) return read
  context.hasAmbiguousClasses = true
  return new AmbiguousClass(read.name, name)
}

/** Reads a name that neither a dot nor a parenthesis follows. */
const readWord = (context: ParseContext, name: string, start: number, accepts: number, asked: number): Operand => {
  switch (name) {
    case "true":
    case "false":
      context.kind = Kind.boolean
      return name === "true"
    case "null":
      // In typeOf() and asNumber() the word is GType.NULL, as in gremlin-lang.
      if ((asked & Kind.GType) !== 0) return readBareName(context, name, start, accepts, asked)
      context.kind = Kind.null
      return null
    case "NaN":
      if (context.isDeclared(name)) break
      context.kind = Kind.decimal
      return Number.NaN
    case "Infinity":
      if (context.isDeclared(name)) break
      context.kind = Kind.decimal
      return Number.POSITIVE_INFINITY
    case "new":
      return readConstruction(context, start)
    case "__":
      throw context.failAt(start, "__ needs a step after it, such as __.out()")
  }
  if (!context.isDeclared(name)) {
    const constant = readImportedConstant(context, name, start, asked)
    if (constant !== undefined) return constant
    if (isPrinting(name, context.text, start + name.length)) return readPrinting(context, name, start)
    const array = readArrayClass(context, name)
    if (array !== undefined) return array
    if (isClassWord(name) && !isType(context, name, accepts)) return readClassWord(context, name)
    if (codeWords.has(name)) throw context.failAt(start, noCode(`'${name}' is a keyword and no value`))
  }
  return readClosureCall(context, name, start) ?? readBareName(context, name, start, accepts, asked)
}
