import { Variable } from "../../process/language/Bytecode.ts"
import { anything } from "../../process/language/Kinds.ts"
import { KEPT_LOOP_ITEMS } from "../../scheduling/ResumableDescent.ts"
import { SourceExpression, type Statement, TraversalExpression } from "../Script.ts"
import { isNameStart, LEFT_BRACE, LEFT_PAREN, RIGHT_BRACE, RIGHT_PAREN, SEMICOLON } from "./Characters.ts"
import { LoopKind } from "./LoopKinds.ts"
import { leaveLoop, stepLoop } from "./Loops.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, peekName, unexpected } from "./Scanner.ts"

/** What ends a list of statements: the end of the script, the brace of the block, or the next case of a switch. */
type Ending = "end" | "brace" | "case"

/**
 * Maximum length of an outermost block, such as the body of a function. A block of this length is prepared in about 5 ms, without a
 * pause.
 */
const MAX_BLOCK_CHARS = 65_536

const noStatements: ReadonlyArray<Statement> = Object.freeze([])

/** Reads statements up to the ending, which is not read. */
export const readStatements = (context: ParseContext, ending: Ending): ReadonlyArray<Statement> => {
  const slices = context.slices
  let statements: Array<Statement> = []
  if (slices !== undefined) {
    const isOuter = ending === "end"
    const key = isOuter ? LoopKind.statements : context.loopKey(LoopKind.block)
    const loop = slices.enter(key, statements, isOuter ? 0 : context.position, 0, context.brokenAt)
    statements = loop.items as Array<Statement>
    context.position = loop.position
    context.brokenAt = loop.brokenAt
  }
  for (;;) {
    while (context.skip() === SEMICOLON) context.position++
    if (isEnd(context, ending)) break
    const statement = context.readStatement(context)
    if (statement !== undefined) {
      statements.push(statement)
      endStatement(context, statement, ending)
    }
    stepLoop(context)
  }
  if (ending !== "end") leaveLoop(context, Math.max(statements.length, KEPT_LOOP_ITEMS))
  return statements.length === 0 ? noStatements : statements
}

const isEnd = (context: ParseContext, ending: Ending): boolean => {
  const code = context.skip()
  if (code < 0) {
    if (ending === "end") return true
    throw unexpected(context, "'}' of the block")
  }
  if (ending === "end") return false
  if (code === RIGHT_BRACE) return true
  if (ending === "brace") return false
  const word = peekName(context)
  return word === "case" || word === "default"
}

/** Fails unless the statement ends here: at the end of its line or at `;`. gremlin-lang also lets one query follow another directly. */
const endStatement = (context: ParseContext, statement: Statement, ending: Ending): void => {
  const code = context.skip()
  if (code < 0 || code === SEMICOLON || context.crossedLine) return
  if (code === RIGHT_BRACE && ending !== "end") return
  const value = statement.kind === "expression" ? statement.value : undefined
  const query =
    value === "" ||
    value instanceof TraversalExpression ||
    value instanceof SourceExpression ||
    value instanceof Variable
  if (query && isNameStart(code) && /^[\w$]+\s*\./.test(context.text.slice(context.position, context.position + 60)))
    return
  throw unexpected(context, "an operator, ';' or the end of the line")
}

/** Reads `{ ... }` and calls `read` for the text between the braces. */
export const inBraces = <A>(context: ParseContext, what: string, read: () => A): A => {
  expect(context, LEFT_BRACE, `'{' of ${what}`)
  const start = context.position
  const before = context.blockDepth
  const wasInStep = context.isInStep
  context.isInStep = false
  context.enter()
  context.blockDepth = context.depth
  const value = context.names.inBlock(start, read)
  expect(context, RIGHT_BRACE, `'}' of ${what}`)
  context.blockDepth = before
  context.isInStep = wasInStep
  context.leave()
  if (before === 0 && context.position - start > MAX_BLOCK_CHARS) {
    throw context.failAt(start - 1, `this block has more than ${MAX_BLOCK_CHARS} characters: divide it into functions`)
  }
  context.calculates = true
  return value
}

/** Reads `(condition)` after a keyword such as `if`. */
export const readCondition = (context: ParseContext): unknown => {
  expect(context, LEFT_PAREN, "'(' before the condition")
  context.enter()
  const condition = context.readExpression(context, anything, 0)
  expect(context, RIGHT_PAREN, "')' after the condition")
  context.leave()
  return condition
}

/** Reads the body of a statement such as `if`: a block, or one statement. */
export const readBody = (context: ParseContext): Statement => {
  const code = context.skip()
  const position = context.position
  if (code === LEFT_BRACE) {
    return {
      kind: "block",
      statements: inBraces(context, "the block", () => readStatements(context, "brace")),
      position
    }
  }
  if (code === SEMICOLON) return { kind: "block", statements: noStatements, position }
  context.enter()
  const before = context.blockDepth
  context.blockDepth = context.depth
  const statement = context.names.inBlock(~position, () => context.readStatement(context))
  context.blockDepth = before
  context.leave()
  return statement === undefined
    ? { kind: "block", statements: noStatements, position }
    : { kind: "block", statements: [statement], position }
}
