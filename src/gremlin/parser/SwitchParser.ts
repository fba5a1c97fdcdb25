import { anything, Kind } from "../../process/language/Kinds.ts"
import { KEPT_LOOP_ITEMS } from "../../scheduling/ResumableDescent.ts"
import { ChainExpression, type Operand, type Statement } from "../Script.ts"
import { ClosureExpression, type SwitchCase } from "../Statement.ts"
import { noCode } from "../SyntaxErrors.ts"
import { inBraces, readBody, readCondition, readStatements } from "./BlockParser.ts"
import { COLON, COMMA, GREATER, MINUS, RIGHT_BRACE, SEMICOLON } from "./Characters.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, stepLoop } from "./Loops.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, unexpected } from "./Scanner.ts"

/** Reads a switch statement. The position is at its keyword. */
export const readSwitch = (context: ParseContext, position: number, label: string): Statement => {
  context.position += "switch".length
  return readAfterKeyword(context, position, label, false)
}

/**
 * Reads a switch that is a value, such as `switch (x) { case 1 -> "one"; default -> "many" }`. As in Groovy, it is a closure that is
 * called at once. The position is after its keyword.
 */
export const readSwitchValue = (context: ParseContext, start: number): Operand => {
  const yieldedBefore = context.yields
  context.yields = true
  const statement = readAfterKeyword(context, start, "", true)
  context.yields = yieldedBefore
  context.kind = Kind.variable
  context.calculates = true
  const call = { kind: "call", name: "call", args: [], safe: false, position: start } as const
  return new ChainExpression(start, new ClosureExpression(start, [], [statement]), [call])
}

const readAfterKeyword = (context: ParseContext, position: number, label: string, isValue: boolean): Statement => {
  const value = readCondition(context)
  const cases = inBraces(context, "switch", () => readCases(context, isValue))
  if (isValue && cases.length === 0)
    throw context.failAt(position, "a switch that is a value needs a 'case' or 'default'")
  return { kind: "switch", value, cases, label, position }
}

const readCases = (context: ParseContext, isValue: boolean): readonly SwitchCase[] => {
  const cases: Array<SwitchCase> = enterLoop(context, LoopKind.cases, [])
  while (context.skip() !== RIGHT_BRACE) {
    const at = context.position
    const word = context.readName()
    if (word !== "case" && word !== "default") throw unexpected(context, "'case', 'default' or '}'")
    if (isValue && cases.length > 0 && cases.at(-1)!.match === undefined) {
      throw context.failAt(at, "in a switch that is a value, 'default' is the last case")
    }
    const matches = word === "case" ? readMatches(context) : [undefined]
    if (context.skip() === MINUS && context.peek(1) === GREATER) readArrowCase(context, matches, cases, isValue)
    else {
      expect(context, COLON, `':' or '->' after ${word}`)
      if (matches.length > 1 && !isValue)
        throw context.failAt(context.position - 1, "several values in a case need '->' after them")
      const statements = readStatements(context, "case")
      if (isValue) assertYields(context, statements, at)
      for (const match of matches.slice(0, -1)) cases.push({ match, statements: [] })
      cases.push({ match: matches.at(-1), statements })
    }
    stepLoop(context)
  }
  leaveLoop(context, Math.max(cases.length, KEPT_LOOP_ITEMS))
  return cases
}

/** Statements that yield nothing, so that a case with a colon cannot end with them. */
const valueless: ReadonlySet<Statement["kind"]> = new Set(["expression", "assignment", "declaration", "assert"])

/** Refuses a case with a colon whose value nobody yields. A case without statements has those of the next one. */
const assertYields = (context: ParseContext, statements: readonly Statement[], position: number): void => {
  for (const statement of statements) assertStays(context, statement)
  const last = statements.at(-1)
  if (last === undefined || !valueless.has(last.kind)) return
  throw context.failAt(
    position,
    "a case of a switch that is a value ends with 'yield x' or 'throw x', or has '->' instead of ':'"
  )
}

/** Refuses `break` and `continue` that would leave a switch that is a value. Those of loops and switches inside do not. */
const assertStays = (context: ParseContext, statement: Statement): void => {
  switch (statement.kind) {
    case "break":
    case "continue":
      throw refusedJump(context, statement.kind, statement.position)
    case "block":
      for (const inner of statement.statements) assertStays(context, inner)
      return
    case "if":
      for (const { body } of statement.branches) assertStays(context, body)
      if (statement.otherwise !== undefined) assertStays(context, statement.otherwise)
      return
    case "try":
      for (const { body } of [statement, ...statement.catches]) assertStays(context, body)
      if (statement.last !== undefined) assertStays(context, statement.last)
  }
}

/** Reads the values of a case: `1`, or `1, 2`. */
const readMatches = (context: ParseContext): Array<SwitchCase["match"]> => {
  const matches: Array<SwitchCase["match"]> = []
  do {
    if (matches.length > 0) context.position++
    const wasInDefault = context.isInDefault
    context.isInDefault = true
    matches.push({ value: context.readExpression(context, anything, 0) })
    context.isInDefault = wasInDefault
  } while (context.skip() === COMMA)
  return matches
}

/** Reads the statement after the arrow of `case 1, 2 -> f()`. The switch ends after it. The position is at the arrow. */
const readArrowCase = (
  context: ParseContext,
  matches: ReadonlyArray<SwitchCase["match"]>,
  cases: Array<SwitchCase>,
  isValue: boolean
): void => {
  const position = context.position
  context.position += 2
  const wasInDefault = context.isInDefault
  context.isInDefault = false
  const body = readBody(context)
  context.isInDefault = wasInDefault
  if (isValue) assertStays(context, body)
  for (const match of matches.slice(0, -1)) cases.push({ match, statements: [] })
  cases.push({ match: matches.at(-1), statements: [body, { kind: "break", label: "", position }] })
  while (context.skip() === SEMICOLON) context.position++
}

/** Refuses `return` in a switch that is a value. */
export const refuseReturn = (context: ParseContext, position: number): void => {
  if (context.yields) throw refusedJump(context, "return", position)
}

/** The error for a statement that would leave a switch that is a value. */
const refusedJump = (context: ParseContext, word: string, position: number): Error =>
  context.failAt(
    position,
    noCode(`a switch that is a value has no '${word}': its cases give values, as in 'case 1 -> x' or 'yield x'`)
  )
