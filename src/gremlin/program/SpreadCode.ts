import type { ScriptRun } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { addCounted, spreadOf } from "../script/arguments/Spread.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"

/** `*list` or `*:map` among arguments, items or entries. Its value is a Spread. */
export class SpreadCode extends SuspendingCode {
  readonly #operand: Code
  readonly #isMap: boolean
  readonly #unit: Unit
  readonly #position: number
  constructor(operand: Code, isMap: boolean, unit: Unit, position: number) {
    super()
    this.#operand = operand
    this.#isMap = isMap
    this.#unit = unit
    this.#position = position
  }
  override attempt(frame: Frame): unknown {
    const value = this.#operand.attempt(frame)
    return value instanceof Suspension ? new Suspension(this.#after(frame, value.rest)) : this.#spread(frame, value)
  }
  *run(frame: Frame): ScriptRun {
    return this.#spread(frame, yield* this.#operand.run(frame))
  }
  *#after(frame: Frame, rest: ScriptRun): ScriptRun {
    return this.#spread(frame, yield* rest)
  }
  /** Adds the members to arguments. Fails with ScriptFailure if these are too many. */
  add(frame: Frame, values: Array<unknown>, spread: unknown): void {
    this.#unit.positions.at(this.#position, () => addCounted(values, spread, frame.runtime.budget))
  }
  #spread(frame: Frame, value: unknown): unknown {
    return this.#unit.positions.at(this.#position, () => spreadOf(value, this.#isMap, frame.runtime.budget))
  }
}
