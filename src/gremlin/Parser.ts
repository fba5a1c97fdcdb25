import { type Clock, ResumableDescent, sliceOver } from "../scheduling/ResumableDescent.ts"
import { readStatements } from "./parser/BlockParser.ts"
import { readClosure } from "./parser/ClosureParser.ts"
import { FunctionDeclarations } from "./parser/DeclarationParser.ts"
import { readOperand } from "./parser/OperandParser.ts"
import { readExpression } from "./parser/OperatorParser.ts"
import { type Grammar, ParseContext } from "./parser/ParseContext.ts"
import type { ParseOptions } from "./parser/ParseOptions.ts"
import { unexpected } from "./parser/Scanner.ts"
import { readStatement, scriptOf } from "./parser/StatementParser.ts"
import type { Script } from "./Script.ts"

export type { ParseOptions } from "./parser/ParseOptions.ts"
export { importProblem, type StaticImports, staticImportsOf } from "./parser/StaticImports.ts"

const grammar: Grammar = { expression: readExpression, operand: readOperand, statement: readStatement }

const NO_OPTIONS: ParseOptions = {}

const NO_CLOCK: Clock = { isOverNow: () => false }

/** A longer script should be parsed in slices: parsing this many characters takes up to 5 ms, with many nested collections. */
export const MAX_UNSLICED_CHARS = 8_192

/** The context of {@link parseScript}. One serves all scripts, because a parse never starts inside another one. */
const sharedContext = new ParseContext(grammar)

/**
 * Parses gremlin-lang 3.8 and the statements of session scripts. Fails with GremlinSyntaxError. Takes about 1 us for 80
 * characters; a script of more than {@link MAX_UNSLICED_CHARS} should be parsed with {@link SlicedParse}.
 */
export const parseScript = (text: string, options: ParseOptions = NO_OPTIONS): Script => {
  sharedContext.start(text, options)
  try {
    new FunctionDeclarations(sharedContext).declare(NO_CLOCK)
    return scriptOf(sharedContext, readStatements(sharedContext, "end"))
  } catch (error) {
    throw explained(sharedContext, error)
  }
}

/**
 * Parses the text of one closure with its braces, as in `{ it.get() }`. The result of the script is the closure. Fails with
 * GremlinSyntaxError, also if the closure ends before the text.
 */
export const parseClosure = (text: string, options: ParseOptions = NO_OPTIONS): Script => {
  sharedContext.start(text, options)
  try {
    sharedContext.skip()
    const value = readClosure(sharedContext)
    if (sharedContext.skip() >= 0) throw unexpected(sharedContext, "the end of the closure's text")
    return scriptOf(sharedContext, [{ kind: "expression", value, position: value.position }])
  } catch (error) {
    throw explained(sharedContext, error)
  }
}

/** A parse in time slices, so that a long script does not delay other requests. */
export class SlicedParse {
  readonly #context = new ParseContext(grammar)
  readonly #slices = new ResumableDescent()
  readonly #functions: FunctionDeclarations

  constructor(text: string, options: ParseOptions = NO_OPTIONS) {
    this.#context.start(text, options)
    this.#context.slices = this.#slices
    this.#functions = new FunctionDeclarations(this.#context)
  }

  /** Parses until the slice is over. Undefined = call again. Fails as {@link parseScript} does. */
  next(slice: Clock): Script | undefined {
    const context = this.#context
    if (!this.#functions.declare(slice)) return undefined
    this.#slices.begin(slice)
    context.rewind()
    try {
      return scriptOf(context, readStatements(context, "end"))
    } catch (error) {
      if (error === sliceOver) return undefined
      throw explained(context, error)
    }
  }
}

/** With a very large depth limit, the stack overflows before the limit is reached. The error is then a syntax error, too. */
const explained = (context: ParseContext, error: unknown): unknown =>
  error instanceof RangeError
    ? context.failAt(
        context.position,
        "the script is nested deeper than the server's stack allows; split it into several statements"
      )
    : error
