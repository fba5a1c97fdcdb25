import { type Evaluation, ScriptTraversal } from "../Scope.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { BinaryCode, InstanceCode, UnaryCode } from "./OperatorCode.ts"
import { ConstantCode, LocalCode } from "./ValueCode.ts"

/** A condition that may be a traversal, which is true if it has a result. Its value is a boolean then, and else the given value. */
class ConditionCode extends SuspendingCode {
  readonly #value: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(value: Code, unit: Unit, position: number) {
    super()
    this.#value = value
    this.#unit = unit
    this.#position = position
  }
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override attempt(frame: Frame): unknown {
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    return value instanceof ScriptTraversal ? attemptOf(this.#hasNext(frame, value)) : value
  }
  run(frame: Frame): Evaluation {
    return this.#after(frame, this.#value.run(frame))
  }
  *#after(frame: Frame, rest: Evaluation): Evaluation {
    const value = yield* rest
    return value instanceof ScriptTraversal ? yield* this.#hasNext(frame, value) : value
  }
  #hasNext({ runtime }: Frame, traversal: ScriptTraversal): Evaluation {
    return this.#unit.positions.positioned(this.#position, runtime.hasNext(traversal))
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
  isNoTraversal(code) ? code : new ConditionCode(code, unit, position)

/** True for a type whose values are the truth of what is converted to it. */
export const isBoolean = (type: string | undefined): boolean => type === "boolean" || type === "Boolean"
