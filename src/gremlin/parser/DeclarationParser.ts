import { anything } from "../../process/language/Kinds.ts"
import type { Clock } from "../../scheduling/ResumableDescent.ts"
import type { Operand, Statement } from "../Script.ts"
import { ClosureExpression } from "../Statement.ts"
import { inBraces, readStatements } from "./BlockParser.ts"
import { COMMA, EQUALS, LEFT_PAREN, RIGHT_PAREN } from "./Characters.ts"
import { readParameters } from "./ClosureParser.ts"
import { primitiveTypes } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, unexpected } from "./Scanner.ts"
import { SkippedText } from "./SkippedText.ts"
import { readDeclared } from "./TargetParser.ts"
import { TYPE_ARGUMENTS } from "./TypeNames.ts"

const TYPE =
  "(?:def|var|final|static|private|public|protected|int|long|short|byte|float|double|boolean|char|void|[A-Z][\\w$]*(?:\\.[A-Z][\\w$]*)*)" +
  `(?:${TYPE_ARGUMENTS})?(?:\\[\\])?`
const NAME = "[\\p{L}_$][\\p{L}\\p{N}_$]{0,9999}"

const FUNCTION = new RegExp(`(?:^|[\\n;}])[ \\t]*(?:${TYPE}[ \\t]+){1,3}(${NAME})[ \\t]*\\(`, "gu")

/** Declares the functions of a script, so that they can be called before their definition. */
export class FunctionDeclarations {
  readonly #context: ParseContext
  readonly #skipped: SkippedText
  /** What may be definitions. */
  readonly #found: Iterator<RegExpExecArray>
  #next: IteratorResult<RegExpExecArray> | undefined

  /** @param context its text is that of the script */
  constructor(context: ParseContext) {
    const { text } = context
    this.#context = context
    this.#skipped = new SkippedText(text)
    this.#found = text.includes("{") && text.includes("(") ? text.matchAll(FUNCTION) : [].values()
  }

  /** Declares functions until the slice is over. Returns whether all are declared. */
  declare(slice: Clock): boolean {
    this.#next ??= this.#found.next()
    while (this.#next.done !== true) {
      const { 0: whole, 1: name, index } = this.#next.value
      const end = index + whole.length
      if (!this.#skipped.reads(end, slice)) return false
      if (!this.#skipped.covers(end)) this.#context.names.declare(name!, true)
      this.#next = this.#found.next()
      if (slice.isOverNow()) break
    }
    return this.#next.done === true
  }
}

/** Reads a declaration: `def x = 1`, `Vertex v = ...`, `def (a, b) = [1, 2]`, `def f(x) { ... }`. Returns undefined if there is none. */
export const readDeclaration = (context: ParseContext, word: string, position: number): Statement | undefined => {
  if (!primitiveTypes.has(word) && !/^[A-Z]/.test(word)) return undefined
  const head = new RegExp(
    `((?:${TYPE}[ \\t]+){1,3})(?:(${NAME})(?:\\s*(=(?!=))|[ \\t]*(?=[(;,}]|\\r?\\n|//|$))|(?=\\())`,
    "uy"
  )
  head.lastIndex = position
  const match = head.exec(context.text)
  if (match === null) return undefined
  const type = typeOf(match[1]!)
  context.position = head.lastIndex
  const name = match[2]
  if (name === undefined) return readSpreadDeclaration(context, position)
  if (match[3] !== "=" && context.skip() === LEFT_PAREN)
    return readFunction(context, name, resultTypeOf(match[1]!), position)
  const [, wrong] = /(?:^|\s)(static|private|public|protected|void)\s/.exec(match[1]!) ?? []
  if (wrong !== undefined)
    throw context.failAt(position, `only a function is ${wrong}: declare the variable ${name} with def`)
  const value = match[3] === "=" ? readDeclared(context) : undefined
  declareValue(context, name, value)
  const declared: Statement = declaration(name, type, value, position)
  return context.skip() === COMMA && !context.endsLine ? readMore(context, type, declared) : declared
}

/** Declares a variable. One whose value is a closure is called by its name, also if a step has this name. */
const declareValue = (context: ParseContext, name: string, value: Operand | undefined): void => {
  context.names.declare(name, value instanceof ClosureExpression)
}

/** The declaration of one variable. As in Java, a primitive variable without a value has zero or false. */
const declaration = (name: string, type: string, value: Operand | undefined, position: number): Statement => {
  const first = value === undefined ? (zeros.get(type) ?? null) : value
  return { kind: "declaration", names: [name], types: [type], isSpread: false, value: first, position }
}

/** The first values of primitive variables, which become values of their types. */
const zeros: ReadonlyMap<string, Operand> = new Map<string, Operand>([
  ...["byte", "short", "int", "long", "float", "double", "char"].map((type) => [type, 0] as const),
  ["boolean", false]
])

/** Arrays whose members are converted. Other arrays are lists in scripts. */
const ARRAY = /^(?:short|int|long|float|double|boolean|char|String|Object|Integer|Long|Double)\[\]$/

/** Words before a name that name no type. */
const modifiers: ReadonlySet<string> = new Set([
  "def",
  "var",
  "final",
  "static",
  "private",
  "public",
  "protected",
  "void"
])

/** The type of the results of a function: `void`, a type to which they are converted, or empty for all values. */
const resultTypeOf = (written: string): string => {
  const type = typeOf(written)
  if (type === "Object") return ""
  return type === "" && /(?:^|\s)void\s+$/.test(written) ? "void" : type
}

/** The simple name of a declared type, such as `int[]`. Empty for `def` and for arrays of other types. */
const typeOf = (written: string): string => {
  const words = written
    .trim()
    .replace(/<.*>/, "")
    .split(/[ \t]+/)
  const type = words.at(-1)!
  if (modifiers.has(type) || (type.endsWith("[]") && !ARRAY.test(type))) return ""
  return type.slice(type.lastIndexOf(".") + 1)
}

/** Reads the rest of `int x = 1, y = 2`. */
const readMore = (context: ParseContext, type: string, first: Statement): Statement => {
  const statements: Array<Statement> = [first]
  while (context.skip() === COMMA && !context.endsLine) {
    context.position++
    context.skip()
    const position = context.position
    const name = context.readName()
    if (name === "") throw unexpected(context, "the name of a variable")
    context.names.declare(name)
    const hasValue = context.skip() === EQUALS
    if (hasValue) context.position++
    const value = hasValue ? readDeclared(context) : undefined
    declareValue(context, name, value)
    statements.push(declaration(name, type, value, position))
  }
  return { kind: "declarations", statements, position: first.position }
}

/** Reads `(a, b) = [1, 2]` after `def`. The position is at the parenthesis. */
const readSpreadDeclaration = (context: ParseContext, position: number): Statement => {
  expect(context, LEFT_PAREN, "'('")
  const variables = readParameters(context, RIGHT_PAREN)
  expect(context, RIGHT_PAREN, "')'")
  expect(context, EQUALS, "'=' after the names")
  return {
    kind: "declaration",
    names: variables.map(({ name }) => name),
    types: variables.map(({ type }) => type),
    isSpread: true,
    value: context.readExpression(context, anything, 0),
    position
  }
}

/** Reads the parameters and the body of a function. The position is at the parenthesis. */
const readFunction = (context: ParseContext, name: string, type: string, position: number): Statement => {
  if (context.depth > 0)
    throw context.failAt(position, "a function is defined outside of blocks; assign a closure here")
  context.names.declare(name, true)
  context.position++
  const closure = context.names.inHead(position, () => {
    const parameters = readParameters(context, RIGHT_PAREN)
    expect(context, RIGHT_PAREN, "')' of the parameters")
    context.skip()
    return new ClosureExpression(
      position,
      parameters,
      inBraces(context, "the function", () => readStatements(context, "brace"))
    )
  })
  return { kind: "function", name, type, closure, position }
}
