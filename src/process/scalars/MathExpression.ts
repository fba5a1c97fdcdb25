import { toDouble } from "../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../structure/numbers/Numbers.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { LimitExceeded, TraversalError, TraversalInvalid } from "../language/Errors.ts"

/** The functions of math(), each of one argument. */
const functions: { readonly [name: string]: (x: number) => number } = {
  abs: Math.abs,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  floor: Math.floor,
  log: Math.log,
  log10: Math.log10,
  log2: (x) => Math.log(x) / Math.LN2,
  signum: (x) => (x > 0 ? 1 : x < 0 ? -1 : 0),
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh
}

const divisor = (value: number): number => {
  if (value === 0)
    throw new TraversalError("Division by zero! math() cannot divide by 0; filter such values out before.")
  return value
}

/** An operator with its precedence. Operators of equal precedence are left-associative, unless `fromRight`. */
interface Operator {
  readonly strength: number
  readonly fromRight: boolean
  readonly unary: boolean
  readonly apply: (a: number, b: number) => number
}

const binary = (strength: number, apply: (a: number, b: number) => number, fromRight = false): Operator => ({
  strength,
  fromRight,
  unary: false,
  apply
})

const operators: { readonly [sign: string]: Operator } = {
  "+": binary(1, (a, b) => a + b),
  "-": binary(1, (a, b) => a - b),
  "*": binary(2, (a, b) => a * b),
  "/": binary(2, (a, b) => a / divisor(b)),
  "%": binary(2, (a, b) => a % divisor(b)),
  "^": binary(4, (a, b) => a ** b, true)
}

/** The precedence of signs is between those of products and powers: -2^2 is -4. */
const signs: { readonly [sign: string]: Operator } = {
  "+": { strength: 3, fromRight: true, unary: true, apply: (a) => a },
  "-": { strength: 3, fromRight: true, unary: true, apply: (a) => -a }
}

const Code = { constant: 0, variable: 1, unary: 2, binary: 3 } as const

/** One operation of the expression in postfix order. All have the same hidden class, which keeps evaluation fast. */
interface Instruction {
  readonly code: (typeof Code)[keyof typeof Code]
  /** The constant, or the position of the variable. */
  readonly operand: number
  /** The function of the one or two numbers on top of the stack. */
  readonly apply: (a: number, b: number) => number
}

const nothing = (): number => 0

/** A parsed expression of math(). */
export class MathExpression {
  /** The distinct variables in the order in which they appear; `_` is the current value. */
  readonly variables: readonly string[]
  readonly #program: readonly Instruction[]
  readonly #stack: Float64Array

  /** Called by {@link parseMath}. `depth` is the size of the stack that the program needs, in numbers. */
  constructor(variables: readonly string[], program: readonly Instruction[], depth: number) {
    this.variables = variables
    this.#program = program
    // One entry more, because functions of one number are also called with the entry above the top.
    this.#stack = new Float64Array(depth + 1)
  }

  /** Count of numbers, variables, operators and functions. */
  get size(): number {
    return this.#program.length
  }

  /** The value as a Double. `values` are those of the variables, in their order. Throws TraversalError for a division by 0. */
  evaluate(values: ArrayLike<number>): number {
    const stack = this.#stack
    let top = -1
    for (const instruction of this.#program) {
      const { code } = instruction
      if (code === Code.constant) stack[++top] = instruction.operand
      else if (code === Code.variable) stack[++top] = values[instruction.operand]!
      else {
        if (code === Code.binary) top--
        stack[top] = instruction.apply(stack[top]!, stack[top + 1]!)
      }
    }
    return stack[0]!
  }
}

/** The value of a variable as a Double. Throws TraversalError for a value that is not a number. */
export const mathOperand = (variable: string, value: unknown): number => {
  if (isNumber(value)) return toDouble(value)
  throw new TraversalError(
    `The variable ${variable} for math() step must resolve to a Number - it is instead of type ${typeName(value)} with value ${briefText(value)}`
  )
}

/**
 * Parses an expression of math(): numbers, variables, `+ - * / % ^`, round, square and curly brackets, and functions. The
 * argument of a function without brackets is the rest of the expression: `sin _ + 1` is sin(_ + 1). Throws TraversalInvalid
 * with the position of a syntax error, and LimitExceeded for an expression that is too long.
 */
export const parseMath = (equation: string): MathExpression => {
  if (equation.length <= MAX_EXPRESSION_CHARS) return new Parser(equation).parse()
  throw new LimitExceeded(
    `math() takes expressions of at most ${MAX_EXPRESSION_CHARS} characters, but this one has ${equation.length}.`
  )
}

/** Longest expression, because it is parsed without a yield. */
const MAX_EXPRESSION_CHARS = 16_384

/** The value of φ in TinkerPop, whose library has eleven decimals of it. */
const GOLDEN_RATIO = 1.61803398874

const token = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([a-zA-Z_]\w*)|([πφ])|(.))/suy

/** An entry of the operator stack of the shunting-yard algorithm (Dijkstra). */
type Waiting = Operator | { readonly call: (x: number) => number } | { readonly bracket: number }

/** Parses one expression. */
class Parser {
  readonly #equation: string
  readonly #variables: Array<string> = []
  readonly #positions = new Map<string, number>()
  readonly #program: Array<Instruction> = []
  readonly #waiting: Array<Waiting> = []
  #depth = 0
  #deepest = 0
  /** Whether a value must come next: at the start, and after an operator, a function or an opening bracket. */
  #wantsValue = true

  constructor(equation: string) {
    this.#equation = equation
  }

  parse(): MathExpression {
    const end = this.#equation.trimEnd().length
    token.lastIndex = 0
    while (token.lastIndex < end) {
      const at = token.lastIndex
      const [, number, name, constant, sign] = token.exec(this.#equation)!
      if (number !== undefined) this.#value(Code.constant, Number(number), at)
      else if (name !== undefined) this.#name(name, at)
      else if (constant !== undefined) this.#value(Code.constant, constant === "π" ? Math.PI : GOLDEN_RATIO, at)
      else this.#sign(sign!, at)
    }
    if (this.#wantsValue) this.#fail("a value is missing", end)
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.pop()!
      if ("bracket" in waiting) this.#fail("a bracket is not closed", waiting.bracket)
      this.#emit(waiting)
    }
    return new MathExpression(this.#variables, this.#program, this.#deepest)
  }

  #value(code: typeof Code.constant | typeof Code.variable, operand: number, at: number): void {
    if (!this.#wantsValue) this.#fail("an operator is missing", at)
    this.#wantsValue = false
    this.#program.push({ code, operand, apply: nothing })
    this.#deepest = Math.max(this.#deepest, ++this.#depth)
  }

  #name(name: string, at: number): void {
    if (Object.hasOwn(functions, name)) {
      if (!this.#wantsValue) this.#fail("an operator is missing", at)
      this.#waiting.push({ call: functions[name]! })
      return
    }
    let position = this.#positions.get(name)
    if (position === undefined) {
      position = this.#variables.push(name) - 1
      this.#positions.set(name, position)
    }
    this.#value(Code.variable, position, at)
  }

  #sign(sign: string, at: number): void {
    if ("([{".includes(sign)) {
      if (!this.#wantsValue) this.#fail("an operator is missing", at)
      this.#waiting.push({ bracket: at })
    } else if (")]}".includes(sign)) this.#close(at)
    else this.#operator(sign, at)
  }

  #operator(sign: string, at: number): void {
    const known = this.#wantsValue ? signs : operators
    if (!Object.hasOwn(known, sign)) {
      this.#fail(
        Object.hasOwn(operators, sign) ? `a value is missing before '${sign}'` : `'${sign}' has no meaning`,
        at
      )
    }
    const operator = known[sign]!
    // A sign is pushed without reduction: its operand follows.
    while (!operator.unary) {
      const waiting = this.#waiting[this.#waiting.length - 1]
      if (waiting === undefined || !("strength" in waiting)) break
      const first = operator.fromRight ? waiting.strength > operator.strength : waiting.strength >= operator.strength
      if (!first) break
      this.#emit(this.#waiting.pop() as Operator)
    }
    this.#waiting.push(operator)
    this.#wantsValue = true
  }

  #close(at: number): void {
    if (this.#wantsValue) this.#fail("a value is missing", at)
    for (;;) {
      const waiting = this.#waiting.pop()
      if (waiting === undefined) this.#fail("a bracket is closed that was not opened", at)
      if ("bracket" in waiting) break
      this.#emit(waiting)
    }
    const before = this.#waiting[this.#waiting.length - 1]
    if (before !== undefined && "call" in before) this.#emit(this.#waiting.pop() as { call: (x: number) => number })
  }

  #emit(waiting: Operator | { readonly call: (x: number) => number }): void {
    if ("call" in waiting) this.#program.push({ code: Code.unary, operand: 0, apply: waiting.call })
    else {
      this.#program.push({ code: waiting.unary ? Code.unary : Code.binary, operand: 0, apply: waiting.apply })
      if (!waiting.unary) this.#depth--
    }
  }

  #fail(reason: string, at: number): never {
    throw new TraversalInvalid(`math("${this.#equation}"): ${reason} (at position ${at}).`)
  }
}
