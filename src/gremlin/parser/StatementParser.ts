import { anything } from "../../process/language/Kinds.ts"
import { type Script, type Statement, type Target, TraversalExpression } from "../Script.ts"
import { noCode } from "../SyntaxErrors.ts"
import { readBody } from "./BlockParser.ts"
import { COLON, DOT, EQUALS, LEFT_BRACE, LEFT_PAREN, RIGHT_BRACE, SEMICOLON, TILDE } from "./Characters.ts"
import { isClosure } from "./ClosureParser.ts"
import { readDeclaration } from "./DeclarationParser.ts"
import { importMembers } from "./ImportedCalls.ts"
import { readImport } from "./Imports.ts"
import { codeWords } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readKeywordStatement } from "./ProgramParser.ts"
import { peekName, unexpected } from "./Scanner.ts"
import { refuseReturn } from "./SwitchParser.ts"
import { assigned, readAssigned, readAssignmentOperator, targetOf } from "./TargetParser.ts"

/** Maximum number of variables that one statement such as `a = b = 1` assigns. */
const MAX_TARGETS = 100

/** The script of statements that were just read. */
export const scriptOf = (context: ParseContext, statements: ReadonlyArray<Statement>): Script => {
  const only = statements.length === 1 && !context.calculates ? statements[0]! : undefined
  const value = only?.kind === "expression" || only?.kind === "return" ? only.value : undefined
  const alone = value instanceof TraversalExpression && typeof value.source === "string" ? value : undefined
  return {
    text: context.text,
    statements,
    traversal: alone?.bytecode,
    source: alone === undefined ? "" : (alone.source as string),
    terminal: alone?.terminal,
    end: alone?.end ?? 0,
    variables: context.names.variables,
    sources: context.names.sources,
    calls: context.calls,
    constants: context.constants
  }
}

/** Reads one statement; undefined for an import, which does nothing when the script runs. */
export const readStatement = (context: ParseContext): Statement | undefined => {
  const first = context.skip()
  const position = context.position
  const word = context.readName()
  const code = context.skip()
  context.position = position
  if (word === "") return readWithoutName(context, first, position)
  if (code === DOT) return readAssignmentOrValue(context, "", position)
  if (word === "import") {
    readImportStatement(context, position)
    return undefined
  }
  const isYield = context.yields && word === "yield" && code !== EQUALS
  if (word === "return" || isYield) {
    if (!isYield) refuseReturn(context, position)
    context.readName()
    const next = context.skip()
    const ends = next < 0 || next === SEMICOLON || next === RIGHT_BRACE || context.crossedLine
    return { kind: "return", value: ends ? null : context.readExpression(context, anything, 0), position }
  }
  if (codeWords.has(word) && !context.isDeclared(word)) {
    const statement = readKeywordStatement(context, word, position)
    if (statement !== undefined) return statement
    throw context.failAt(position, noCode(`scripts do not have the statement '${word}'`))
  }
  if (code === COLON) {
    const labelled = readLabelled(context, word, position)
    if (labelled !== undefined) return labelled
  }
  return readDeclaration(context, word, position) ?? readAssignmentOrValue(context, word, position)
}

/** Reads a block, `(a, b) = ...`, or an expression that does not begin with a name. */
const readWithoutName = (context: ParseContext, first: number, position: number): Statement => {
  if (first === LEFT_BRACE && isClosure(context, false)) {
    const arrow = /^\{[^{}]{0,200}->/.test(context.text.slice(position, position + 210))
    if (!arrow) return readBody(context)
  }
  if (first === LEFT_PAREN) {
    const spread = readDestructuring(context, position)
    if (spread !== undefined) return spread
  }
  return readAssignmentOrValue(context, "", position)
}

/** Reads `(a, b) = [1, 2]`; undefined, without moving, when something else follows. */
const readDestructuring = (context: ParseContext, position: number): Statement | undefined => {
  const head = /\(\s*[\p{L}_$][\w$]*(?:\s*,\s*[\p{L}_$][\w$]*){1,100}\s*\)\s*=(?![=~])/uy
  head.lastIndex = position
  const match = head.exec(context.text)
  if (match === null) return undefined
  context.position = head.lastIndex
  const names = match[0].slice(1, match[0].lastIndexOf(")")).split(",")
  const targets = names.map((name): Target => ({ kind: "name", name: name.trim() }))
  const value = context.readExpression(context, anything, 0)
  for (const name of names) context.names.assign(name.trim(), false)
  return { kind: "destructuring", targets, value, position }
}

/** Reads `name: for (...)`; undefined, without moving, when no loop follows the colon. */
const readLabelled = (context: ParseContext, label: string, position: number): Statement | undefined => {
  const head = /[\w$]+\s*:\s*(?=(?:for|while|do|switch)\b)/y
  head.lastIndex = position
  if (!head.test(context.text)) return undefined
  context.position = head.lastIndex
  return readKeywordStatement(context, peekName(context), context.position, label)
}

const readImportStatement = (context: ParseContext, position: number): void => {
  const read = readImport(context.text, position)
  if ("problem" in read) throw context.failAt(read.position, read.problem)
  if (read.members !== undefined) importMembers(context, read.owner, read.members)
  context.position = read.end
  const code = context.skip()
  if (code >= 0 && code !== SEMICOLON && !context.crossedLine) throw unexpected(context, "the end of the import")
}

/** Reads an assignment or an expression that begins with this word. */
const readAssignmentOrValue = (context: ParseContext, word: string, position: number): Statement => {
  const targets: Array<Target> = []
  for (let name = word; name !== ""; name = peekName(context)) {
    const before = context.position
    context.readName()
    if (context.skip() !== EQUALS || context.peek(1) === EQUALS || context.peek(1) === TILDE) {
      context.position = before
      break
    }
    context.position++
    if (targets.length === MAX_TARGETS)
      throw context.failAt(position, `this assigns to more than ${MAX_TARGETS} variables at once`)
    targets.push({ kind: "name", name })
    context.skip()
  }
  const start = context.position
  const value = context.readExpression(context, anything, 0)
  if (targets.length > 0) return assigned(context, targets, undefined, readAssigned(context, value, start), position)
  const operator = readAssignmentOperator(context)
  if (operator === undefined) return { kind: "expression", value, position }
  const target = targetOf(context, value, position)
  const from = context.position
  const right = readAssigned(context, context.readExpression(context, anything, 0), from)
  return assigned(context, [target], operator === "=" ? undefined : operator, right, position)
}
