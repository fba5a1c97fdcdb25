import { toDouble } from "../../structure/Arithmetic.ts"
import { isNumber } from "../../structure/Numbers.ts"
import { briefText } from "../../structure/Text.ts"
import { typeName } from "../../structure/TypeNames.ts"
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

/** How strongly an operator binds its operands; equal ones from the left, unless `fromRight`. */
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

/** Signs bind stronger than a product and weaker than a power: -2^2 is -4. */
const signs: { readonly [sign: string]: Operator } = {
  "+": { strength: 3, fromRight: true, unary: true, apply: (a) => a },
  "-": { strength: 3, fromRight: true, unary: true, apply: (a) => -a }
}

const Code = { constant: 0, variable: 1, unary: 2, binary: 3 } as const

/** A step of the expression in postfix order. All have one form, so that evaluating stays fast. */
interface Instruction {
  readonly code: (typeof Code)[keyof typeof Code]
  /** The constant, or the position of the variable. */
  readonly operand: number
  /** What is done with the one or two numbers on top of the stack. */
  readonly apply: (a: number, b: number) => number
}

const nothing = (): number => 0

/** An expression of math(), ready to be evaluated over and over. */
export class MathExpression {
  /** The names in the expression, each once, in the order they appear; `_` is the current value. */
  readonly variables: readonly string[]
  readonly #program: readonly Instruction[]
  readonly #stack: Float64Array

  /** Made by {@link parseMath}. `depth` is the most numbers the program holds at a time. */
  constructor(variables: readonly string[], program: readonly Instruction[], depth: number) {
    this.variables = variables
    this.#program = program
    // One more than is held: a function of one number is handed whatever lies above it.
    this.#stack = new Float64Array(depth + 1)
  }

  /** Numbers, variables, operators and functions in it. */
  get size(): number {
    return this.#program.length
  }

  /** The value as a Double, for the values of the variables in their order. Fails with TraversalError on a division by 0. */
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

/** The value of a variable as a Double. Fails with TraversalError, naming the variable, when it is no number. */
export const mathOperand = (variable: string, value: unknown): number => {
  if (isNumber(value)) return toDouble(value)
  throw new TraversalError(
    `The variable ${variable} for math() step must resolve to a Number - it is instead of type ${typeName(value)} with value ${briefText(value)}`
  )
}

/**
 * Reads an expression of math(): numbers, variables, `+ - * / % ^`, brackets of all three shapes, and functions. A
 * function without brackets takes all that follows: `sin _ + 1` is sin(_ + 1). Fails with TraversalInvalid, giving the
 * position, where the expression is wrong.
 */
export const parseMath = (equation: string): MathExpression => {
  if (equation.length <= LONGEST) return new Parser(equation).parse()
  throw new LimitExceeded(`A math() expression has at most ${LONGEST} characters, and this one has ${equation.length}.`)
}

/** Longest expression: it is parsed at once. */
const LONGEST = 16_384

const token = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([a-zA-Z_]\w*)|([πφ])|(.))/suy

/** Something on the operator stack of Dijkstra's shunting yard. */
type Waiting = Operator | { readonly call: (x: number) => number } | { readonly bracket: number }

/** One reading of an expression. */
class Parser {
  readonly #equation: string
  readonly #variables: Array<string> = []
  readonly #positions = new Map<string, number>()
  readonly #program: Array<Instruction> = []
  readonly #waiting: Array<Waiting> = []
  #depth = 0
  #deepest = 0
  /** A value must come next: at the beginning, after an operator, a function or an opening bracket. */
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
      else if (constant !== undefined)
        this.#value(Code.constant, constant === "π" ? Math.PI : (1 + Math.sqrt(5)) / 2, at)
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
    // A sign waits for its operand whatever stands before it.
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
