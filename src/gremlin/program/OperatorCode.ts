import type { ScriptRun } from "../HostCall.ts"
import type { BinaryExpression } from "../Script.ts"
import { Suspension } from "../Suspension.ts"
import { isTrue } from "../script/comparison/Truth.ts"
import { ScriptMatcher } from "../script/objects/Matchers.ts"
import { binary, type StrictOperator } from "../script/operators/Operators.ts"
import { areInts, type IntOperator, intOperator } from "../script/operators/QuickOperators.ts"
import { prefixed } from "../script/operators/UnaryOperators.ts"
import { isInstance, problemOfType } from "../script/types/Instances.ts"
import { type Code, type Frame, type Runtime, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { attemptedValue, plainValue } from "./ValueCode.ts"

/** An operand with the operator before it. */
interface OperatorPart {
  readonly operator: BinaryExpression["rest"][number]["operator"]
  readonly operand: Code
  readonly position: number
}

/** A part with what an evaluation asks of its operator. */
interface PreparedPart extends OperatorPart {
  /** `&&`, `||` or `?:`, whose right side may not be evaluated; undefined for other operators. */
  readonly logical: "&&" | "||" | "?:" | undefined
  /** The operator for two Ints. */
  readonly ofInts: IntOperator | undefined
}

const prepared = (part: OperatorPart): PreparedPart => {
  const { operand, operator, position } = part
  const logical = operator === "&&" || operator === "||" || operator === "?:" ? operator : undefined
  return { operator, operand, position, logical, ofInts: intOperator(operator) }
}

const applied = (
  runtime: Runtime,
  unit: Unit,
  { operator, position }: OperatorPart,
  left: unknown,
  right: unknown
): unknown => {
  try {
    if (operator === "=~" || operator === "==~") return matched(runtime, operator, left, right)
    return binary(operator as StrictOperator, left, right, runtime.budget)
  } catch (error) {
    throw unit.positions.calculationError(error, position)
  }
}

const matched = (runtime: Runtime, operator: "=~" | "==~", left: unknown, right: unknown): unknown => {
  const pattern = runtime.budget.pattern(right)
  if (left === null) return operator === "==~" ? false : new ScriptMatcher("", pattern)
  const text = runtime.budget.whole(runtime.budget.text(left))
  return operator === "==~" ? pattern.matches(text) : new ScriptMatcher(text, pattern)
}

/** Operands with operators of one precedence, from left to right. */
export class BinaryCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #first: Code
  readonly #rest: readonly PreparedPart[]
  /** The operator, if it is the only one and not `&&`, `||` or `?:`. */
  readonly #only: PreparedPart | undefined
  readonly #unit: Unit
  constructor(first: Code, rest: readonly OperatorPart[], unit: Unit) {
    super()
    this.#first = first
    this.#rest = rest.map(prepared)
    const [only] = this.#rest
    this.#only = rest.length === 1 && only?.logical === undefined ? only : undefined
    this.#unit = unit
    // A long chain may take longer than a slice.
    this.isPlain = rest.length < 100 && first.isPlain && rest.every(({ operand }) => operand.isPlain)
  }
  /** Whether the value may be that of an operand, as of `a ?: b`. */
  get givesOperand(): boolean {
    return this.#rest.some(({ logical }) => logical === "?:")
  }
  /** `<<` changes a list. */
  override get isPure(): boolean {
    return this.#first.isPure && this.#rest.every(({ operand, operator }) => operand.isPure && operator !== "<<")
  }
  override get(frame: Frame): unknown {
    let left = plainValue(this.#first, frame)
    if (this.#only !== undefined) return this.#strict(frame, this.#only, left, plainValue(this.#only.operand, frame))
    for (let at = 0; at < this.#rest.length; at++) {
      const part = this.#rest[at]!
      const { logical, operand } = part
      if (logical === undefined) left = this.#strict(frame, part, left, operand.get(frame))
      else left = this.#isDecided(part, left) ? decided(logical, left) : combined(logical, operand.get(frame))
    }
    return left
  }
  override attempt(frame: Frame): unknown {
    if (this.isPlain) return this.get(frame)
    const first = attemptedValue(this.#first, frame)
    if (first instanceof Suspension) return new Suspension(this.#after(frame, first.rest))
    const only = this.#only
    if (only !== undefined) {
      const right = attemptedValue(only.operand, frame)
      if (right instanceof Suspension) return new Suspension(this.#resumed(frame, first, 0, right.rest))
      return this.#strict(frame, only, first, right)
    }
    if (this.#rest.length > 10) return new Suspension(this.#from(frame, first, 0))
    let left: unknown = first
    for (let at = 0; at < this.#rest.length; at++) {
      const part = this.#rest[at]!
      const { logical } = part
      if (logical !== undefined && this.#isDecided(part, left)) {
        left = decided(logical, left)
        continue
      }
      const right = attemptedValue(part.operand, frame)
      if (right instanceof Suspension) return new Suspension(this.#resumed(frame, left, at, right.rest))
      left = logical === undefined ? this.#strict(frame, part, left, right) : combined(logical, right)
    }
    return left
  }
  /** The value of an operator whose operands are both evaluated. */
  #strict({ runtime }: Frame, part: PreparedPart, left: unknown, right: unknown): unknown {
    if (part.ofInts !== undefined && areInts(left, right)) {
      const value = part.ofInts(left as number, right as number)
      if (value !== undefined) return value
    }
    return applied(runtime, this.#unit, part, left, right)
  }
  /** True when the left side decides the result of `&&`, `||` or `?:`. */
  #isDecided({ logical, position }: PreparedPart, left: unknown): boolean {
    try {
      return isTrue(left) !== (logical === "&&")
    } catch (error) {
      throw this.#unit.positions.positionedError(error, position)
    }
  }
  *run(frame: Frame): ScriptRun {
    const first = this.#first.isPlain ? this.#first.get(frame) : yield* this.#first.run(frame)
    return yield* this.#from(frame, first, 0)
  }
  *#after(frame: Frame, first: ScriptRun): ScriptRun {
    return yield* this.#from(frame, yield* first, 0)
  }
  *#resumed(frame: Frame, left: unknown, at: number, right: ScriptRun): ScriptRun {
    const part = this.#rest[at]!
    const value = yield* right
    const next = part.logical === undefined ? this.#strict(frame, part, left, value) : combined(part.logical, value)
    return yield* this.#from(frame, next, at + 1)
  }
  /** Applies the operators from this one on. */
  *#from(frame: Frame, first: unknown, begin: number): ScriptRun {
    let left = first
    for (let at = begin; at < this.#rest.length; at++) {
      const part = this.#rest[at]!
      const { logical, operand } = part
      if (logical !== undefined && this.#isDecided(part, left)) left = decided(logical, left)
      else {
        const right = operand.isPlain ? operand.get(frame) : yield* operand.run(frame)
        left = logical === undefined ? this.#strict(frame, part, left, right) : combined(logical, right)
      }
      if (frame.runtime.budget.isSliceOver) yield { kind: "pause" }
    }
    return left
  }
}

type Logical = NonNullable<PreparedPart["logical"]>

/** The result that the left side decides. */
const decided = (operator: Logical, left: unknown): unknown => (operator === "?:" ? left : operator === "||")

/** The result when the right side decides it. */
const combined = (operator: Logical, right: unknown): unknown => (operator === "?:" ? right : isTrue(right))

/** `!x`, `-x`, `+x`, `~x`. */
export class UnaryCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #operator: "!" | "-" | "+" | "~"
  readonly #operand: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(operator: "!" | "-" | "+" | "~", operand: Code, unit: Unit, position: number) {
    super()
    this.#operator = operator
    this.#operand = operand
    this.#unit = unit
    this.#position = position
    this.isPlain = operand.isPlain
  }
  override get isPure(): boolean {
    return this.#operand.isPure
  }
  override get(frame: Frame): unknown {
    return this.#applied(frame, this.#operand.get(frame))
  }
  override attempt(frame: Frame): unknown {
    const value = this.#operand.attempt(frame)
    return value instanceof Suspension ? new Suspension(this.#after(frame, value.rest)) : this.#applied(frame, value)
  }
  run(frame: Frame): ScriptRun {
    return this.#after(frame, this.#operand.run(frame))
  }
  *#after(frame: Frame, operand: ScriptRun): ScriptRun {
    return this.#applied(frame, yield* operand)
  }
  #applied({ runtime }: Frame, value: unknown): unknown {
    const operator = this.#operator
    if (operator === "!") return !isTrue(value)
    return this.#unit.positions.at(this.#position, () => prefixed(operator, value, runtime.budget))
  }
}

/** `a ? b : c`. */
export class ConditionalCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #condition: Code
  readonly #whenTrue: Code
  readonly #whenFalse: Code
  constructor(condition: Code, whenTrue: Code, whenFalse: Code) {
    super()
    this.#condition = condition
    this.#whenTrue = whenTrue
    this.#whenFalse = whenFalse
    this.isPlain = condition.isPlain && whenTrue.isPlain && whenFalse.isPlain
  }
  override get(frame: Frame): unknown {
    return (isTrue(this.#condition.get(frame)) ? this.#whenTrue : this.#whenFalse).get(frame)
  }
  override get isPure(): boolean {
    return this.#condition.isPure && this.#whenTrue.isPure && this.#whenFalse.isPure
  }
  override attempt(frame: Frame): unknown {
    const met = this.#condition.attempt(frame)
    if (met instanceof Suspension) return new Suspension(this.#after(frame, met.rest))
    return (isTrue(met) ? this.#whenTrue : this.#whenFalse).attempt(frame)
  }
  run(frame: Frame): ScriptRun {
    return this.#after(frame, this.#condition.run(frame))
  }
  *#after(frame: Frame, condition: ScriptRun): ScriptRun {
    return yield* (isTrue(yield* condition) ? this.#whenTrue : this.#whenFalse).run(frame)
  }
}

/** `x instanceof Type`. */
export class InstanceCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #operand: Code
  readonly #type: string
  readonly #isNegated: boolean
  constructor(operand: Code, type: string, isNegated: boolean, unit: Unit, position: number) {
    super()
    this.#operand = operand
    this.#type = type
    this.#isNegated = isNegated
    this.isPlain = operand.isPlain
    const problem = problemOfType(type)
    if (problem !== undefined) throw unit.positions.failure(problem, position)
  }
  override get isPure(): boolean {
    return this.#operand.isPure
  }
  override get(frame: Frame): unknown {
    return isInstance(this.#operand.get(frame), this.#type) !== this.#isNegated
  }
  override attempt(frame: Frame): unknown {
    const value = this.#operand.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(value.rest))
    return isInstance(value, this.#type) !== this.#isNegated
  }
  run(frame: Frame): ScriptRun {
    return this.#after(this.#operand.run(frame))
  }
  *#after(operand: ScriptRun): ScriptRun {
    return isInstance(yield* operand, this.#type) !== this.#isNegated
  }
}
