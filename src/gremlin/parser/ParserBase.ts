import { Variable } from "../../process/language/Bytecode.ts"
import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import { Calculated, Expression, type Operand, TraversalExpression } from "../Script.ts"
import { closest, type GremlinSyntaxError } from "../SyntaxErrors.ts"
import { COMMA, LEFT_PAREN, RIGHT_PAREN } from "./Characters.ts"
import { anything, inWords, Kind } from "./Kinds.ts"
import { type Short, shorts } from "./Names.ts"
import { Scanner } from "./Scanner.ts"
import { type CallSpec, type CallState, usage } from "./Signatures.ts"

/** Bounds of a parse. */
export interface ParseOptions {
  /** How deep brackets, traversals and operators may nest. Default 500. */
  readonly maximumDepth?: number
}

const none: readonly unknown[] = Object.freeze([])
// Most scripts have neither: theirs are made when the first one comes.
const noNames: ReadonlySet<string> = new Set()
const noVariables: ReadonlyMap<string, number> = new Map()
const noConstants: ReadonlyMap<string, EnumValue> = new Map()

/** Loops that can be long; part of the key under which a slice saves them. */
export const LoopKind = {
  statements: 0,
  source: 1,
  steps: 2,
  arguments: 3,
  collection: 4,
  operators: 5,
  links: 6,
  predicates: 7
} as const

/** What all parts of the parser share: depth, variables, arguments of calls. */
export abstract class ParserBase extends Scanner {
  protected slices: ResumableDescent | undefined
  protected depth = 0
  #maximumDepth = 0
  /** Names the script has given a value so far. */
  protected declared: ReadonlySet<string> = noNames
  protected variables: ReadonlyMap<string, number> = noVariables
  protected constants: ReadonlyMap<string, EnumValue> = noConstants
  /** True once something has to be calculated while the script runs. */
  protected calculates = false

  /** Begins another script: whatever the last one left, also by an error, is forgotten. */
  protected start(text: string, options: ParseOptions): void {
    this.begin(text)
    this.#maximumDepth = options.maximumDepth ?? 500
    this.depth = 0
    this.declared = noNames
    this.variables = noVariables
    this.constants = noConstants
    this.calculates = false
  }

  /** An expression: at least an operand. `accepts` and `shorts` are kinds (see Kinds.ts) that its place asks for. */
  protected abstract expression(accepts: number, shorts: number): Operand

  /** Goes one level deeper. */
  protected enter(): void {
    if (++this.depth > this.#maximumDepth) {
      throw this.failAt(
        this.position,
        `the script is nested more than ${this.#maximumDepth} levels deep, the most that is allowed (maxNestingDepth)`
      )
    }
  }

  protected leave(): void {
    this.depth--
  }

  /** The key of a loop that begins at the position. */
  protected loopKey(kind: number): number {
    return this.position * 8 + kind
  }

  /** An operand as it stands inside data: an expression becomes a variable that is calculated. */
  protected asData(value: Operand): unknown {
    if (!(value instanceof Expression)) return value
    if (value instanceof TraversalExpression && value.terminal === undefined) {
      throw this.failAt(
        value.position,
        "a traversal that begins at a source cannot be nested: begin it with __ or with its first step, or end it with " +
          "a method such as next()"
      )
    }
    this.calculates = true
    return new Calculated(value)
  }

  /** The variable of this name, read at `start`. */
  protected variable(name: string, start: number): Variable {
    this.kind = Kind.variable
    if (!this.declared.has(name) && !this.variables.has(name)) {
      if (this.variables === noVariables) this.variables = new Map()
      ;(this.variables as Map<string, number>).set(name, start)
    }
    return new Variable(name)
  }

  /** What a name alone means: a constant that its place asks for, or else a variable. */
  protected bareName(name: string, start: number, accepts: number, asked: number): unknown {
    const found = this.declared.has(name) ? undefined : shorts.get(name)
    if (found === undefined) return this.variable(name, start)
    const strong = found.find((short) => (short.kind & asked) !== 0)
    if (strong !== undefined) {
      this.kind = strong.kind
      return strong.value
    }
    const weak = found.find((short) => (short.kind & accepts) !== 0)
    if (weak === undefined) return this.variable(name, start)
    if (/^[A-Z]+$/.test(name)) {
      this.kind = weak.kind
      return weak.value
    }
    this.#constant(name, weak)
    return this.variable(name, start)
  }

  /**
   * In a place for any value a variable comes first, because programs use names such as `from`, `list` and `value`;
   * the constant is what the name means without such a variable.
   */
  #constant(name: string, short: Short): void {
    if (this.constants === noConstants) this.constants = new Map()
    ;(this.constants as Map<string, EnumValue>).set(name, short.value)
  }

  /** From here on the name is a variable of the script. */
  protected declare(name: string): void {
    if (this.declared === noNames) this.declared = new Set()
    ;(this.declared as Set<string>).add(name)
  }

  /** Arguments in parentheses, checked against the call's signatures. The position is at the opening one. */
  protected arguments(spec: CallSpec, start: number): readonly unknown[] {
    const slices = this.slices
    this.position++
    let state = spec.start
    if (this.skip() === RIGHT_PAREN) {
      this.position++
      if (!state.complete) throw this.failAt(start, `${spec.name}() needs arguments: ${usage(spec)}`)
      return none
    }
    this.enter()
    let args: Array<unknown> = []
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.arguments), args, this.position, state)
      args = loop.items as Array<unknown>
      state = loop.state as CallState
      this.position = loop.position
    }
    for (;;) {
      const at = args.length
      if (at > 0) {
        const code = this.skip()
        if (code === RIGHT_PAREN) break
        if (code !== COMMA) throw this.unexpected(`',' or ')' after an argument of ${spec.name}()`)
        this.position++
        // gremlin-lang has it so: project('a', )
        if (this.skip() === RIGHT_PAREN) break
      }
      const from = this.position
      if (state.accepts === 0) throw this.#tooMany(spec, at)
      const value = this.asData(this.expression(state.accepts, state.shorts))
      // An array that begins empty keeps room for seventeen; most calls have one argument or two.
      if (at === 0 && slices === undefined) args = [value]
      else if (at === 1 && slices === undefined) args = [args[0], value]
      else args.push(value)
      const next = state.after(this.kind)
      if (next === null) throw this.#wrongKind(spec, state, at, from)
      state = next
      slices?.step(this.position, state)
    }
    slices?.leave(args.length)
    if (!state.complete) throw this.#tooFew(spec, args.length)
    this.position++
    this.leave()
    return args
  }

  #wrongKind(spec: CallSpec, state: CallState, at: number, from: number): GremlinSyntaxError {
    this.position = from
    this.skip()
    const problem = `argument ${at + 1} of ${spec.name}() is ${inWords(this.kind)}, but ${inWords(state.accepts)} was expected`
    return this.failAt(this.position, `${problem}: ${usage(spec)}`)
  }

  #tooMany(spec: CallSpec, count: number): GremlinSyntaxError {
    this.skip()
    const most = count === 0 ? "no argument" : `${count} argument${count === 1 ? "" : "s"} at most here`
    return this.failAt(this.position, `${spec.name}() takes ${most}: ${usage(spec)}`)
  }

  #tooFew(spec: CallSpec, count: number): GremlinSyntaxError {
    const given = `${count} argument${count === 1 ? " is" : "s are"}`
    return this.failAt(this.position, `${given} not enough for ${spec.name}(): ${usage(spec)}`)
  }

  /** Arguments of a call that no table knows: any expressions. The position is at the opening parenthesis. */
  protected anyArguments(name: string): readonly Operand[] {
    const slices = this.slices
    this.position++
    if (this.skip() === RIGHT_PAREN) {
      this.position++
      return none
    }
    this.enter()
    let args: Array<Operand> = []
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.arguments), args, this.position, 0)
      args = loop.items as Array<Operand>
      this.position = loop.position
    }
    for (;;) {
      if (args.length > 0) {
        const code = this.skip()
        if (code === RIGHT_PAREN) break
        if (code !== COMMA) throw this.unexpected(`',' or ')' after an argument of ${name}()`)
        this.position++
      }
      args.push(this.expression(anything, 0))
      slices?.step(this.position, 0)
    }
    slices?.leave(args.length)
    this.position++
    this.leave()
    return args
  }

  /** True when a parenthesis opens next. */
  protected opens(): boolean {
    return this.skip() === LEFT_PAREN
  }

  /** `. Did you mean x?`, or nothing. */
  protected suggestion(name: string, candidates: Iterable<string>): string {
    const near = closest(name, candidates)
    return near === undefined ? "" : `. Did you mean ${near}()?`
  }
}
