import { Variable } from "../../process/language/Bytecode.ts"
import {
  ChainExpression,
  type Operand,
  type Script,
  SourceExpression,
  type Statement,
  type Target,
  TraversalExpression
} from "../Script.ts"
import { noCode } from "../SyntaxErrors.ts"
import { ASTERISK, DOT, EQUALS, isNameStart, LEFT_PAREN, LESS, MINUS, PLUS, SEMICOLON, SLASH } from "./Characters.ts"
import { readImport } from "./Imports.ts"
import { anything } from "./Kinds.ts"
import { codeWords, primitiveTypes } from "./Names.ts"
import { LoopKind, type ParseContext } from "./ParseContext.ts"
import { peekName, unexpected } from "./Scanner.ts"

/** Variables that one statement such as `a = b = 1` may assign. */
const MOST_TARGETS = 100

const noStatements: ReadonlyArray<Statement> = Object.freeze([])

/** The script of statements that were just read. */
export const scriptOf = (context: ParseContext, statements: ReadonlyArray<Statement>): Script => {
  const only = statements.length === 1 && !context.calculates ? statements[0]! : undefined
  const value = only !== undefined && only.kind !== "assignment" ? only.value : undefined
  const alone = value instanceof TraversalExpression && typeof value.source === "string" ? value : undefined
  return {
    text: context.text,
    statements,
    traversal: alone?.bytecode,
    source: alone === undefined ? "" : (alone.source as string),
    terminal: alone?.terminal,
    variables: context.variables,
    constants: context.constants
  }
}

/** Reads all statements of a script. */
export const readStatements = (context: ParseContext): ReadonlyArray<Statement> => {
  const slices = context.slices
  let statements: Array<Statement> = []
  if (slices !== undefined) {
    const loop = slices.enter(LoopKind.statements, statements, 0, 0)
    statements = loop.items as Array<Statement>
    context.position = loop.position
  }
  for (;;) {
    while (context.skip() === SEMICOLON) context.position++
    if (context.skip() < 0) break
    const statement = readStatement(context)
    if (statement !== undefined) {
      statements.push(statement)
      endStatement(context, statement)
    }
    slices?.step(context.position, 0)
  }
  return statements.length === 0 ? noStatements : statements
}

/** Fails unless the statement ends here: at the end of its line or at `;`. gremlin-lang also lets one query follow another directly. */
const endStatement = (context: ParseContext, statement: Statement): void => {
  const code = context.skip()
  if (code < 0 || code === SEMICOLON || context.crossedLine) return
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

/** Reads one statement; undefined for an import, which has no effect. */
const readStatement = (context: ParseContext): Statement | undefined => {
  const position = context.position
  const word = context.readName()
  const code = context.skip()
  context.position = position
  if (code === DOT && word !== "") return readAssignmentOrValue(context, "", position)
  if (word === "import") {
    readImportStatement(context, position)
    return undefined
  }
  if (word === "return") {
    context.readName()
    const ends = context.skip() < 0 || context.peek() === SEMICOLON || context.crossedLine
    return { kind: "return", value: ends ? null : context.readExpression(context, anything, 0), position }
  }
  if (codeWords.has(word) && !context.declared.has(word)) {
    throw context.failAt(position, noCode(`'${word}' begins a statement of a programming language`))
  }
  return readDeclaration(context, word, position) ?? readAssignmentOrValue(context, word, position)
}

const readImportStatement = (context: ParseContext, position: number): void => {
  const end = readImport(context.text, position)
  if (typeof end !== "number") throw context.failAt(end.position, end.problem)
  context.position = end
  const code = context.skip()
  if (code >= 0 && code !== SEMICOLON && !context.crossedLine) throw unexpected(context, "the end of the import")
}

/** Reads a declaration: `def x = 1`, `Vertex v = ...`, `final List<Vertex> l = ...`, `def x`. */
const readDeclaration = (context: ParseContext, word: string, position: number): Statement | undefined => {
  if (!primitiveTypes.has(word) && !/^[A-Z]/.test(word)) return undefined
  const head =
    /(?:(?:def|var|final|int|long|short|byte|float|double|boolean|char|[A-Z][\w$]*(?:\.[A-Z][\w$]*)*)(?:<[\w$.,? ]{0,200}>)?(?:\[\])?[ \t]+){1,3}([\p{L}_$][\p{L}\p{N}_$]*)[ \t]*(=(?!=)|(?=\(|;|\r?\n|$))/uy
  head.lastIndex = position
  const match = head.exec(context.text)
  if (match === null) return undefined
  context.position = head.lastIndex
  if (context.peek() === LEFT_PAREN) throw context.failAt(position, noCode("a function is defined here"))
  const value = match[2] === "=" ? context.readExpression(context, anything, 0) : null
  return assigned(context, [{ kind: "name", name: match[1]! }], undefined, value, position)
}

/** Reads an assignment or an expression that begins with this word. */
const readAssignmentOrValue = (context: ParseContext, word: string, position: number): Statement => {
  const targets: Array<Target> = []
  for (let name = word; name !== ""; name = peekName(context)) {
    const before = context.position
    context.readName()
    if (context.skip() !== EQUALS || context.peek(1) === EQUALS) {
      context.position = before
      break
    }
    context.position++
    if (targets.length === MOST_TARGETS)
      throw context.failAt(position, `this assigns to more than ${MOST_TARGETS} variables at once`)
    targets.push({ kind: "name", name })
    context.skip()
  }
  const value = context.readExpression(context, anything, 0)
  const operator = readAssignmentOperator(context)
  if (operator === undefined) {
    return targets.length === 0
      ? { kind: "expression", value, position }
      : assigned(context, targets, undefined, value, position)
  }
  if (targets.length > 0) throw unexpected(context, "the end of the assignment")
  const target = targetOf(context, value, position)
  return assigned(
    context,
    [target],
    operator === "=" ? undefined : operator,
    context.readExpression(context, anything, 0),
    position
  )
}

const assigned = (
  context: ParseContext,
  targets: readonly Target[],
  operator: Extract<Statement, { kind: "assignment" }>["operator"],
  value: Operand,
  position: number
): Statement => {
  for (const target of targets) if (target.kind === "name") context.declare(target.name)
  return { kind: "assignment", targets, operator, value, position }
}

/** Reads `=`, `+=`, `-=`, `*=`, `/=` or `<<=`; undefined when none follows. */
const readAssignmentOperator = (context: ParseContext): "=" | "+" | "-" | "*" | "/" | "<<" | undefined => {
  const code = context.skip()
  if (context.crossedLine) return undefined
  if (code === EQUALS) {
    context.position++
    return "="
  }
  if (code === LESS && context.peek(1) === LESS && context.peek(2) === EQUALS) {
    context.position += 3
    return "<<"
  }
  if ((code === PLUS || code === MINUS || code === ASTERISK || code === SLASH) && context.peek(1) === EQUALS) {
    context.position += 2
    return String.fromCharCode(code) as "+" | "-" | "*" | "/"
  }
  return undefined
}

/** What an assignment to this expression stores into. Fails when it is no variable, element or property. */
const targetOf = (context: ParseContext, value: Operand, position: number): Target => {
  if (value instanceof Variable) return { kind: "name", name: value.name }
  const last = value instanceof ChainExpression ? value.links.at(-1)! : undefined
  if (value instanceof ChainExpression && last !== undefined && last.kind !== "call") {
    const links = value.links.slice(0, -1)
    const of = links.length === 0 ? value.root : new ChainExpression(value.position, value.root, links)
    return last.kind === "index" ? { kind: "index", of, index: last.index } : { kind: "member", of, name: last.name }
  }
  throw context.failAt(
    position,
    "only a variable, an element such as x[0] or a property such as x.y can be assigned to"
  )
}
