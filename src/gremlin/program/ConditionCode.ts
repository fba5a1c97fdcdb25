import { type Evaluation, ScriptTraversal } from "../Scope.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { BinaryCode, InstanceCode, UnaryCode } from "./OperatorCode.ts"
import { ConstantCode, LocalCode } from "./ValueCode.ts"

/** Where a value is asked for its truth, and whether a traversal stays the value. */
interface Asking {
  readonly unit: Unit
  readonly position: number
  /** True: the traversal stays the value, with its results. False: the truth is the value. */
  readonly keepsTraversal: boolean
}

/** A value that may be a traversal, which is true if it has a result. Other values stay as they are. */
class ConditionCode extends SuspendingCode {
  readonly #value: Code
  readonly #asking: Asking
  constructor(value: Code, asking: Asking) {
    super()
    this.#value = value
    this.#asking = asking
  }
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override attempt(frame: Frame): unknown {
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    return value instanceof ScriptTraversal ? attemptOf(this.#asked(frame, value)) : value
  }
  run(frame: Frame): Evaluation {
    return this.#after(frame, this.#value.run(frame))
  }
  *#after(frame: Frame, rest: Evaluation): Evaluation {
    const value = yield* rest
    return value instanceof ScriptTraversal ? yield* this.#asked(frame, value) : value
  }
  *#asked({ runtime }: Frame, traversal: ScriptTraversal): Evaluation {
    const { keepsTraversal, position, unit } = this.#asking
    const isTrue = yield* unit.positions.positioned(position, runtime.hasNext(traversal))
    return keepsTraversal ? traversal : isTrue
  }
}

/** True for code whose value is a traversal in no run. */
const isNoTraversal = (code: Code): boolean =>
  code instanceof ConstantCode ||
  code instanceof UnaryCode ||
  code instanceof InstanceCode ||
  (code instanceof BinaryCode && !code.givesOperand) ||
  (code instanceof LocalCode && code.local.type !== "" && code.local.type !== "Object")

/** The code of an expression whose truth is asked for. */
export const conditionOf = (code: Code, unit: Unit, position: number): Code =>
  isNoTraversal(code) ? code : new ConditionCode(code, { unit, position, keepsTraversal: false })

/** The code of `a` in `a ?: b`: its truth is asked for, and it may be the value. */
export const alternativeOf = (code: Code, unit: Unit, position: number): Code =>
  isNoTraversal(code) ? code : new ConditionCode(code, { unit, position, keepsTraversal: true })

/** True for a type whose values are the truth of what is converted to it. */
export const isBoolean = (type: string | undefined): boolean => type === "boolean" || type === "Boolean"
