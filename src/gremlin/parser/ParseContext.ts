import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import type { AnyConstant } from "../../structure/collections/HostConstant.ts"
import type { Operand, Statement, UnknownCall } from "../Script.ts"
import { GremlinSyntaxError } from "../SyntaxErrors.ts"
import type { BraceScans } from "./BraceScans.ts"
import {
  ASTERISK,
  endOfLine,
  isBlank,
  isNamePart,
  isNameStart,
  LINE_FEED,
  NO_BREAK_SPACE,
  SLASH,
  SPACE
} from "./Characters.ts"
import { LOOP_KINDS } from "./LoopKinds.ts"
import { DEFAULT_DEPTH_LEVELS, MAX_RANGE_ITEMS, type ParseOptions } from "./ParseOptions.ts"
import { ReadNames } from "./ReadNames.ts"
import type { ImportedConstant, StaticImports } from "./StaticImports.ts"

/** A name is shorter than this. The parser reads each character of a name several times. */
const NAME_LIMIT_CHARS = 10_000

/**
 * The rules of the grammar that other rules contain. They are given to the context, so that the modules of the grammar
 * do not import each other in a circle.
 */
export interface Grammar {
  /**
   * Reads an expression: one operand, or several with operators between them.
   *
   * @param accepts mask of the kinds (Kinds.ts) that may stand here
   * @param asked mask of the enumerations whose constants may stand here by their bare name
   */
  readonly expression: (context: ParseContext, accepts: number, asked: number) => Operand
  /** Reads one operand; the parameters are those of `expression`. */
  readonly operand: (context: ParseContext, accepts: number, asked: number) => Operand
  /** Reads one statement; undefined for an import, which has no effect. */
  readonly statement: (context: ParseContext) => Statement | undefined
}

// Most scripts call and import nothing. The collections are shared until the first name is added.
const NO_CALLS: ReadonlyMap<string, UnknownCall> = new Map()
const NO_CONSTANTS: ReadonlyMap<string, AnyConstant> = new Map()
const NO_IMPORTS: StaticImports = new Map()
const NO_FIELDS: ReadonlyMap<string, ImportedConstant> = new Map()

/**
 * The state of one parse, which all functions of the grammar share: the place in the text, and the names that the script has
 * declared so far. It also reads white space, comments and names, because methods are faster here than functions.
 */
export class ParseContext {
  /** Reads an expression; see {@link Grammar.expression}. */
  readonly readExpression: Grammar["expression"]
  /** Reads one operand; see {@link Grammar.operand}. */
  readonly readOperand: Grammar["operand"]
  /** Reads one statement; see {@link Grammar.statement}. */
  readonly readStatement: Grammar["statement"]
  #maximumDepth = DEFAULT_DEPTH_LEVELS
  #rangeItems = 0
  /** Offsets of the ranges that were counted: a parse in slices reads a range again. */
  #countedRanges: Set<number> | undefined = undefined
  /** Whether steps take closures. */
  allowsClosures = true
  /** Whether the script is Groovy, where `{1}` is a closure that gives a value; see {@link ParseOptions}. */
  isGroovy = true
  /** Static methods that the script calls without their class. */
  imports: StaticImports = NO_IMPORTS
  /** Constants that the script has imported, which it reads without their class. */
  fields: ReadonlyMap<string, ImportedConstant> = NO_FIELDS
  /** Whether `imports` and `fields` are of this script alone, which may add to them. */
  hasOwnImports = false
  /** Numbers of arguments by the offset of the parenthesis, of the calls that were counted. */
  argumentCounts: Map<number, number> | undefined = undefined
  /** What the braces hold that were looked at. */
  braces: BraceScans | undefined = undefined
  text = ""
  /** Length of the text. */
  end = 0
  /** Offset of the next character. */
  position = 0
  /** The offset at which the last run of white space with a line break ended; -1 when there was none. */
  brokenAt = -1
  /** Kind of the operand that was read last (Kinds.ts). */
  kind = 0
  /** Levels of nesting that are open. */
  depth = 0
  /** Levels of nesting without a bracket, such as the operand of `!` and the parts of `a ? b : c`. */
  operandDepth = 0
  /** The depth of the innermost block: a line break ends a statement at this depth, and is white space at any other. */
  blockDepth = 0
  /** True in the arguments of a step, where `{x}` is a set and no closure. */
  isInStep = false
  /** True when an argument of a step has had a class whose name is also a type: see AmbiguousClass. */
  hasAmbiguousClasses = false
  /** The name of the source of the traversal that is read; "" outside of traversals, and where an expression gives the source. */
  source = ""
  /** True in the default value of a parameter and in the value of a case, which an arrow ends: `{ a, b = c -> a }`. */
  isInDefault = false
  /** True in a switch that is a value, outside of its closures: `yield x` is a statement there, and `return` is not allowed. */
  yields = false
  /** Set when the text is parsed in slices. */
  slices: ResumableDescent | undefined = undefined
  /** Names that the script calls outside of blocks without having declared them, with the offset and problem of each. */
  calls: ReadonlyMap<string, UnknownCall> = NO_CALLS
  /** Names that the script has declared, and those that it reads without having assigned them. */
  readonly names = new ReadNames()
  /** Constants that some of those names mean when there is no such variable. */
  constants: ReadonlyMap<string, AnyConstant> = NO_CONSTANTS
  /** Levels of and(), or() and negate() in the predicate that was read last. */
  predicateLevels = 0
  /** True when a part of the script must be calculated while it runs. */
  calculates = false

  constructor(grammar: Grammar) {
    this.readExpression = grammar.expression
    this.readOperand = grammar.operand
    this.readStatement = grammar.statement
  }

  /** Starts another script and resets all state, also after an error in the previous one. */
  start(text: string, options: ParseOptions): void {
    this.#maximumDepth = options.maximumDepth ?? DEFAULT_DEPTH_LEVELS
    this.allowsClosures = options.allowsClosures ?? true
    this.isGroovy = options.language !== "gremlin-lang"
    this.imports = options.imports ?? NO_IMPORTS
    this.fields = NO_FIELDS
    this.hasOwnImports = false
    this.argumentCounts = undefined
    this.braces = undefined
    this.#rangeItems = 0
    this.#countedRanges = undefined
    this.text = text
    this.end = text.length
    this.brokenAt = -1
    this.calls = NO_CALLS
    this.names.start()
    this.constants = NO_CONSTANTS
    this.calculates = false
    this.hasAmbiguousClasses = false
    this.rewind()
  }

  /** Goes to the beginning of the script. What was noted of it stays. */
  rewind(): void {
    this.names.resume()
    this.position = 0
    this.depth = 0
    this.operandDepth = 0
    this.blockDepth = 0
    this.isInStep = false
    this.source = ""
    this.isInDefault = false
    this.yields = false
  }

  /** Skips white space and comments. Returns the code of the character that follows, or -1 at the end. */
  skip(): number {
    const at = this.position
    if (at >= this.end) return -1
    const code = this.text.charCodeAt(at)
    if (code > SLASH ? code < NO_BREAK_SPACE : code > SPACE && code !== SLASH) return code
    return this.#skipBlanks()
  }

  #skipBlanks(): number {
    const text = this.text
    let at = this.position
    let broken = false
    let code = 0
    for (;;) {
      code = at < this.end ? text.charCodeAt(at) : -1
      if (code === LINE_FEED) {
        broken = true
        at++
      } else if (isBlank(code)) at++
      else if (code === SLASH && this.#isComment(at)) {
        const end = this.#afterComment(at)
        broken ||= text.slice(at, end).includes("\n")
        at = end
      } else break
    }
    if (broken) this.brokenAt = at
    this.position = at
    return code
  }

  /** True when only white space lies between the position and the last line break. */
  get crossedLine(): boolean {
    return this.brokenAt === this.position
  }

  /** True when a line break before the position ends what was read. The caller has skipped white space. */
  get endsLine(): boolean {
    return this.brokenAt === this.position && this.depth === this.blockDepth
  }

  #isComment(at: number): boolean {
    const next = this.text.charCodeAt(at + 1)
    return next === SLASH || next === ASTERISK
  }

  #afterComment(at: number): number {
    if (this.text.charCodeAt(at + 1) === SLASH) return endOfLine(this.text, at, this.end)
    const end = this.text.indexOf("*/", at + 2)
    if (end < 0) throw this.failAt(at, "the comment that begins here is not closed: close it with */")
    return end + 2
  }

  /** The code of the character at an offset from the position; NaN beyond the end. */
  peek(offset = 0): number {
    return this.text.charCodeAt(this.position + offset)
  }

  /** Reads the name at the position; "" when there is none. */
  readName(): string {
    const text = this.text
    const start = this.position
    if (start >= this.end || !isNameStart(text.charCodeAt(start))) return ""
    const end = Math.min(this.end, start + NAME_LIMIT_CHARS)
    let at = start + 1
    while (at < end && isNamePart(text.charCodeAt(at))) at++
    if (at - start === NAME_LIMIT_CHARS)
      throw this.failAt(start, `this name has ${NAME_LIMIT_CHARS} characters or more: use a shorter one`)
    this.position = at
    return text.slice(start, at)
  }

  /** Opens a level of nesting in brackets. Fails when the script nests too deep. */
  enter(): void {
    this.checkLevels(++this.depth + this.operandDepth)
  }

  /** Opens a level of nesting without a bracket: a line break ends a statement there as around it. */
  enterOperand(): void {
    this.checkLevels(this.depth + ++this.operandDepth)
  }

  /** Fails when something nests more levels deep than is allowed. */
  checkLevels(levels: number): void {
    const most = this.#maximumDepth
    if (levels <= most) return
    const problem = `the script is nested more than ${most} levels deep, the most that is allowed (maxNestingDepth)`
    throw this.failAt(this.position, problem)
  }

  /** Closes a level of {@link enter}. */
  leave(): void {
    this.depth--
  }

  /** Closes a level of {@link enterOperand}. */
  leaveOperand(): void {
    this.operandDepth--
  }

  /** The key under which a slice saves a loop of this kind that begins at the position. */
  loopKey(kind: number): number {
    return this.position * LOOP_KINDS + kind
  }

  /** Counts the items of a range that begins at `start`. Fails when the ranges of the script have too many. */
  countRange(items: number, start: number): void {
    if (this.slices !== undefined) {
      this.#countedRanges ??= new Set()
      if (this.#countedRanges.has(start)) return
      this.#countedRanges.add(start)
    }
    this.#rangeItems += items
    if (this.#rangeItems > MAX_RANGE_ITEMS) {
      throw this.failAt(start, `this range is too wide: the ranges of a script have ${MAX_RANGE_ITEMS} items at most`)
    }
  }

  /** True when the name means a variable or a function of the script here, and no constant, class or keyword. */
  isDeclared(name: string): boolean {
    return this.names.isDeclared(name)
  }

  /** Notes the call of a name that the script does not declare. */
  noteCall(name: string, call: UnknownCall): void {
    if (this.calls.has(name)) return
    if (this.calls === NO_CALLS) this.calls = new Map()
    ;(this.calls as Map<string, UnknownCall>).set(name, call)
  }

  /** Notes the constant that a name means when no variable has this name. */
  noteConstant(name: string, value: AnyConstant): void {
    if (this.constants === NO_CONSTANTS) this.constants = new Map()
    ;(this.constants as Map<string, AnyConstant>).set(name, value)
  }

  /** The error of a problem at an offset of the script. */
  failAt(position: number, problem: string): GremlinSyntaxError {
    return new GremlinSyntaxError(problem, this.text, position)
  }
}
