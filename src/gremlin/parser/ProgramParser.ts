import { anything } from "../../process/language/Kinds.ts"
import { KEPT_LOOP_ITEMS } from "../../scheduling/ResumableDescent.ts"
import { lastPart } from "../../structure/scalars/ClassNames.ts"
import type { Statement } from "../Script.ts"
import type { Branch, CatchClause } from "../Statement.ts"
import { noCode } from "../SyntaxErrors.ts"
import { readBody, readCondition } from "./BlockParser.ts"
import { BAR, COLON, LEFT_PAREN, RIGHT_PAREN, SEMICOLON } from "./Characters.ts"
import { problemOfCaught } from "./ExceptionNames.ts"
import { LoopKind } from "./LoopKinds.ts"
import { readForStatement } from "./LoopParser.ts"
import { leaveLoop, resumeLoop, stepLoop } from "./Loops.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, peekName, unexpected } from "./Scanner.ts"
import { readSwitch } from "./SwitchParser.ts"

/** Maximum number of catch clauses of one try statement. */
const MAX_CATCHES = 100

/** Reads a statement that begins with a keyword. The position is at the keyword. Undefined for another word. */
export const readKeywordStatement = (
  context: ParseContext,
  word: string,
  position: number,
  label = ""
): Statement | undefined => {
  switch (word) {
    case "if":
      return readIf(context, position)
    case "while":
      context.position += word.length
      return {
        kind: "while",
        condition: readCondition(context),
        body: readBody(context),
        runsFirst: false,
        label,
        position
      }
    case "do":
      return readDo(context, position, label)
    case "for":
      return context.names.inHead(position, () => readForStatement(context, position, label))
    case "switch":
      return readSwitch(context, position, label)
    case "try":
      return readTry(context, position)
    case "throw":
      context.position += word.length
      return { kind: "throw", value: context.readExpression(context, anything, 0), position }
    case "break":
    case "continue":
      context.position += word.length
      context.skip()
      return { kind: word, label: context.crossedLine ? "" : context.readName(), position }
    case "assert":
      return readAssert(context, position)
    default:
      return undefined
  }
}

/** Skips a keyword that may follow a body, with a `;` before it. Returns false and keeps the position if another word follows. */
const readsWord = (context: ParseContext, word: string): boolean => {
  const { brokenAt, position } = context
  if (context.skip() === SEMICOLON) {
    context.position++
    context.skip()
  }
  if (context.readName() === word) return true
  context.position = position
  context.brokenAt = brokenAt
  return false
}

const readIf = (context: ParseContext, position: number): Statement => {
  let branches: Array<Branch> = []
  let isOpen = true
  const loop = resumeLoop(context, LoopKind.branches, branches, true)
  if (loop !== undefined) {
    branches = loop.items
    isOpen = loop.state
  }
  while (isOpen) {
    context.readName()
    branches.push({ condition: readCondition(context), body: readBody(context) })
    isOpen = readsWord(context, "else") && peekName(context) === "if"
    if (isOpen) context.skip()
    stepLoop(context, isOpen)
  }
  leaveLoop(context, Math.max(branches.length, KEPT_LOOP_ITEMS))
  const hasElse = /(?<![\w$])else$/.test(context.text.slice(Math.max(position, context.position - 5), context.position))
  return { kind: "if", branches, otherwise: hasElse ? readBody(context) : undefined, position }
}

const readDo = (context: ParseContext, position: number, label: string): Statement => {
  context.position += 2
  const body = readBody(context)
  context.skip()
  if (context.readName() !== "while") throw unexpected(context, "'while' after the body of do")
  return { kind: "while", condition: readCondition(context), body, runsFirst: true, label, position }
}

const readTry = (context: ParseContext, position: number): Statement => {
  context.position += "try".length
  if (context.skip() === LEFT_PAREN) {
    throw context.failAt(
      context.position,
      noCode("scripts do not have the statement try (...), because they have no resources to close")
    )
  }
  const body = readBody(context)
  const catches: Array<CatchClause> = []
  while (readsWord(context, "catch")) {
    if (catches.length === MAX_CATCHES) {
      throw context.failAt(context.position, `a try statement has at most ${MAX_CATCHES} catch clauses`)
    }
    catches.push(context.names.inHead(context.position, () => readCatch(context)))
  }
  const last = readsWord(context, "finally") ? readBody(context) : undefined
  if (catches.length === 0 && last === undefined)
    throw unexpected(context, "'catch' or 'finally' after the block of try")
  return { kind: "try", body, catches, last, position }
}

/** Reads `(IllegalStateException | Foo e) { ... }`. */
const readCatch = (context: ParseContext): CatchClause => {
  expect(context, LEFT_PAREN, "'(' after catch")
  const types: Array<string> = []
  const take = (written: string): void => {
    const type = lastPart(written)
    const problem = problemOfCaught(written)
    if (problem !== undefined) throw context.failAt(end - type.length, problem)
    types.push(type)
  }
  let name = readTypeName(context)
  if (name === "final" && context.skip() !== RIGHT_PAREN) name = readTypeName(context)
  let end = context.position
  while (context.skip() === BAR) {
    take(name)
    context.position++
    name = readTypeName(context)
    end = context.position
  }
  if (context.skip() !== RIGHT_PAREN) {
    take(name)
    name = context.readName()
  }
  if (name === "") throw unexpected(context, "the name of a variable for the exception")
  context.names.declare(name)
  expect(context, RIGHT_PAREN, "')' after the exception")
  return { types: types.filter((type) => type !== "def"), name, body: readBody(context) }
}

/** Reads the name of a type, with its package if it has one. */
const readTypeName = (context: ParseContext): string => {
  context.skip()
  let name = ""
  for (;;) {
    const part = context.readName()
    if (part === "") throw unexpected(context, "the name of an exception")
    name += part
    if (context.text[context.position] !== ".") return name
    context.position++
    name += "."
  }
}

const readAssert = (context: ParseContext, position: number): Statement => {
  context.position += "assert".length
  const condition = context.readExpression(context, anything, 0)
  const hasMessage = context.skip() === COLON
  if (hasMessage) context.position++
  return {
    kind: "assert",
    condition,
    message: hasMessage ? context.readExpression(context, anything, 0) : null,
    position
  }
}
