import { Variable } from "../process/language/Bytecode.ts"
import { type Clock, ResumableDescent, sliceOver } from "../scheduling/ResumableDescent.ts"
import { ASTERISK, DOT, EQUALS, isNameStart, LESS, MINUS, PLUS, SEMICOLON, SLASH } from "./parser/Characters.ts"
import { ExpressionParser } from "./parser/ExpressionParser.ts"
import { readImport } from "./parser/Imports.ts"
import { anything } from "./parser/Kinds.ts"
import { codeWords, primitiveTypes } from "./parser/Names.ts"
import { LoopKind, type ParseOptions } from "./parser/ParserBase.ts"
import {
  ChainExpression,
  type Operand,
  type Script,
  SourceExpression,
  type Statement,
  type Target,
  TraversalExpression
} from "./Script.ts"
import { noCode } from "./SyntaxErrors.ts"

export type { ParseOptions } from "./parser/ParserBase.ts"

/**
 * The script of a text: gremlin-lang 3.8 and the statements of session scripts. Fails with GremlinSyntaxError.
 * Takes about 1 us for 80 characters; a script of more than {@link sliceLength} should go through {@link SlicedParse}.
 */
export const parseScript = (text: string, options: ParseOptions = noOptions): Script => parser.parse(text, options)

/** Characters above which a script should be parsed in slices: parsing that many takes about 4 ms. */
export const sliceLength = 65_536

/** A parse that stops when its time is up and goes on when it is asked again: long scripts do not hold up others. */
export class SlicedParse {
  readonly #parser = new StatementParser()
  constructor(text: string, options: ParseOptions = noOptions) {
    this.#parser.slice(text, options)
  }

  /** Parses until the slice is over. Undefined = call again. Fails as parseScript does. */
  next(slice: Clock): Script | undefined {
    return this.#parser.nextSlice(slice)
  }
}

/** Variables of one `a = b = 1`. */
const maximumTargets = 100

const noStatements: ReadonlyArray<Statement> = Object.freeze([])

/** Statements: what makes operands a script. */
class StatementParser extends ExpressionParser {
  parse(text: string, options: ParseOptions): Script {
    this.start(text, options)
    try {
      return this.#script(this.#statements())
    } catch (error) {
      throw this.#explained(error)
    }
  }

  /** Prepares for {@link nextSlice}. */
  slice(text: string, options: ParseOptions): void {
    this.start(text, options)
    this.slices = new ResumableDescent()
  }

  nextSlice(slice: Clock): Script | undefined {
    this.slices!.begin(slice)
    this.position = 0
    this.depth = 0
    try {
      return this.#script(this.#statements())
    } catch (error) {
      if (error === sliceOver) return undefined
      throw this.#explained(error)
    }
  }

  /** A depth limit set too high shows as a full stack. */
  #explained(error: unknown): unknown {
    if (!(error instanceof RangeError)) return error
    return this.failAt(this.position, "the script is nested deeper than the server's stack allows")
  }

  #script(statements: ReadonlyArray<Statement>): Script {
    const only = statements.length === 1 && !this.calculates ? statements[0]! : undefined
    const value = only !== undefined && only.kind !== "assignment" ? only.value : undefined
    const alone = value instanceof TraversalExpression && typeof value.source === "string" ? value : undefined
    return {
      text: this.text,
      statements,
      traversal: alone?.bytecode,
      source: alone === undefined ? "" : (alone.source as string),
      terminal: alone?.terminal,
      variables: this.variables,
      constants: this.constants
    }
  }

  #statements(): ReadonlyArray<Statement> {
    const slices = this.slices
    let statements: Array<Statement> = []
    if (slices !== undefined) {
      const loop = slices.enter(LoopKind.statements, statements, 0, 0)
      statements = loop.items as Array<Statement>
      this.position = loop.position
    }
    for (;;) {
      while (this.skip() === SEMICOLON) this.position++
      if (this.skip() < 0) break
      const statement = this.#statement()
      if (statement !== undefined) {
        statements.push(statement)
        this.#end(statement)
      }
      slices?.step(this.position, 0)
    }
    return statements.length === 0 ? noStatements : statements
  }

  /** A statement ends with its line or `;`. gremlin-lang also lets one query follow another directly. */
  #end(statement: Statement): void {
    const code = this.skip()
    if (code < 0 || code === SEMICOLON || this.crossedLine) return
    const value = statement.kind === "expression" ? statement.value : undefined
    const query =
      value === "" ||
      value instanceof TraversalExpression ||
      value instanceof SourceExpression ||
      value instanceof Variable
    if (query && isNameStart(code) && /^[\w$]+\s*\./.test(this.text.slice(this.position, this.position + 60))) return
    throw this.unexpected("an operator, ';' or the end of the line")
  }

  #statement(): Statement | undefined {
    const position = this.position
    const word = this.name()
    const code = this.skip()
    this.position = position
    if (code === DOT && word !== "") return this.#assignmentOrValue("", position)
    if (word === "import") {
      this.#import(position)
      return undefined
    }
    if (word === "return") {
      this.name()
      const ends = this.skip() < 0 || this.peek() === SEMICOLON || this.crossedLine
      return { kind: "return", value: ends ? null : this.expression(anything, 0), position }
    }
    if (codeWords.has(word) && !this.declared.has(word)) {
      throw this.failAt(position, noCode(`'${word}' begins a statement of a programming language`))
    }
    return this.#declaration(word, position) ?? this.#assignmentOrValue(word, position)
  }

  #import(position: number): void {
    const end = readImport(this.text, position)
    if (typeof end !== "number") throw this.failAt(end.position, end.problem)
    this.position = end
    const code = this.skip()
    if (code >= 0 && code !== SEMICOLON && !this.crossedLine) throw this.unexpected("the end of the import")
  }

  /** `def x = 1`, `Vertex v = ...`, `final List<Vertex> l = ...`, `def x`. */
  #declaration(word: string, position: number): Statement | undefined {
    if (!primitiveTypes.has(word) && !/^[A-Z]/.test(word)) return undefined
    const head =
      /(?:(?:def|var|final|int|long|short|byte|float|double|boolean|char|[A-Z][\w$]*(?:\.[A-Z][\w$]*)*)(?:<[\w$.,? ]{0,200}>)?(?:\[\])?[ \t]+){1,3}([\p{L}_$][\p{L}\p{N}_$]*)[ \t]*(=(?!=)|(?=\(|;|\r?\n|$))/uy
    head.lastIndex = position
    const match = head.exec(this.text)
    if (match === null) return undefined
    this.position = head.lastIndex
    if (this.peek() === 40) throw this.failAt(position, noCode("a function is defined here"))
    const value = match[2] === "=" ? this.expression(anything, 0) : null
    return this.#assigned([{ kind: "name", name: match[1]! }], undefined, value, position)
  }

  #assignmentOrValue(word: string, position: number): Statement {
    const targets: Array<Target> = []
    for (let name = word; name !== ""; name = this.peekName()) {
      const before = this.position
      this.name()
      if (this.skip() !== EQUALS || this.peek(1) === EQUALS) {
        this.position = before
        break
      }
      this.position++
      if (targets.length === maximumTargets)
        throw this.failAt(position, "this assigns to more than 100 variables at once")
      targets.push({ kind: "name", name })
      this.skip()
    }
    const value = this.expression(anything, 0)
    const operator = this.#assignmentOperator()
    if (operator === undefined) {
      return targets.length === 0
        ? { kind: "expression", value, position }
        : this.#assigned(targets, undefined, value, position)
    }
    if (targets.length > 0) throw this.unexpected("the end of the assignment")
    const target = this.#target(value, position)
    return this.#assigned([target], operator === "=" ? undefined : operator, this.expression(anything, 0), position)
  }

  #assigned(
    targets: readonly Target[],
    operator: Extract<Statement, { kind: "assignment" }>["operator"],
    value: Operand,
    position: number
  ): Statement {
    for (const target of targets) if (target.kind === "name") this.declare(target.name)
    return { kind: "assignment", targets, operator, value, position }
  }

  /** Goes over `=`, `+=`, `-=`, `*=`, `/=` or `<<=`; undefined when none is there. */
  #assignmentOperator(): "=" | "+" | "-" | "*" | "/" | "<<" | undefined {
    const code = this.skip()
    if (this.crossedLine) return undefined
    if (code === EQUALS) {
      this.position++
      return "="
    }
    if (code === LESS && this.peek(1) === LESS && this.peek(2) === EQUALS) {
      this.position += 3
      return "<<"
    }
    if ((code === PLUS || code === MINUS || code === ASTERISK || code === SLASH) && this.peek(1) === EQUALS) {
      this.position += 2
      return String.fromCharCode(code) as "+" | "-" | "*" | "/"
    }
    return undefined
  }

  #target(value: Operand, position: number): Target {
    if (value instanceof Variable) return { kind: "name", name: value.name }
    const last = value instanceof ChainExpression ? value.links.at(-1)! : undefined
    if (value instanceof ChainExpression && last !== undefined && last.kind !== "call") {
      const links = value.links.slice(0, -1)
      const of = links.length === 0 ? value.root : new ChainExpression(value.position, value.root, links)
      return last.kind === "index" ? { kind: "index", of, index: last.index } : { kind: "member", of, name: last.name }
    }
    throw this.failAt(position, "only a variable, an element such as x[0] or a property such as x.y can be assigned to")
  }
}

const noOptions: ParseOptions = {}

/** Parses one script after the other; a parse is never begun inside another. */
const parser = new StatementParser()
