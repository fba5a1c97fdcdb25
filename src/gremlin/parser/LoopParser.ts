import { anything } from "../../process/language/Kinds.ts"
import type { Statement } from "../Script.ts"
import { readBody } from "./BlockParser.ts"
import { COMMA, LEFT_PAREN, RIGHT_PAREN, SEMICOLON } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, unexpected } from "./Scanner.ts"
import { TYPE_ARGUMENTS } from "./TypeNames.ts"

/** Maximum number of statements in each part of the head of a for statement. */
const MAX_HEAD_STATEMENTS = 100

const EACH = new RegExp(
  `\\s*(?:(?:final\\s+)?([A-Za-z_$][\\w$.]*)(?:${TYPE_ARGUMENTS})?(?:\\[\\])?\\s+)?` +
    "([\\p{L}_$][\\p{L}\\p{N}_$]{0,9999})\\s*(?:\\bin(?![\\w$])|:(?!:))",
  "uy"
)

/** Reads a for statement of either form. The position is at `for`. */
export const readForStatement = (context: ParseContext, position: number, label: string): Statement => {
  context.position += "for".length
  expect(context, LEFT_PAREN, "'(' after for")
  context.enter()
  EACH.lastIndex = context.position
  const each = EACH.exec(context.text)
  if (each === null) return readCounting(context, position, label)
  const [, type = "", name = ""] = each
  context.position = EACH.lastIndex
  context.names.declare(name)
  const of = context.readExpression(context, anything, 0)
  expect(context, RIGHT_PAREN, "')' after the values of for")
  context.leave()
  const typed = type === "def" || type === "var" || type === "final" ? "" : type.slice(type.lastIndexOf(".") + 1)
  return { kind: "for in", name, type: typed, of, body: readBody(context), label, position }
}

/** Reads `int i = 0; i < n; i++)` and the body. */
const readCounting = (context: ParseContext, position: number, label: string): Statement => {
  const first = readHead(context, SEMICOLON)
  expect(context, SEMICOLON, "';' in the head of for")
  const condition =
    context.skip() === SEMICOLON ? undefined : { value: context.readExpression(context, anything, 0) as unknown }
  expect(context, SEMICOLON, "';' after the condition of for")
  const next = readHead(context, RIGHT_PAREN)
  expect(context, RIGHT_PAREN, "')' after the head of for")
  context.leave()
  return { kind: "for", first, condition, next, body: readBody(context), label, position }
}

/** Reads statements with commas between them up to a character, which is not read. */
const readHead = (context: ParseContext, end: number): readonly Statement[] => {
  const statements: Array<Statement> = []
  while (context.skip() !== end) {
    if (statements.length > 0) expect(context, COMMA, "',' or the end of this part of for")
    if (statements.length === MAX_HEAD_STATEMENTS) {
      throw context.failAt(context.position, `a part of the head of for has at most ${MAX_HEAD_STATEMENTS} statements`)
    }
    context.skip()
    const statement = context.readStatement(context)
    if (statement === undefined) throw unexpected(context, "a statement")
    statements.push(statement)
  }
  return statements
}
