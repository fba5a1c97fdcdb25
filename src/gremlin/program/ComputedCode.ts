import type { ScriptRun } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { Code, type Frame } from "./Frame.ts"
import type { Unit } from "./Names.ts"

/** A value that a function computes from the values of other codes. */
export class ComputedCode extends Code {
  readonly isPlain: boolean
  readonly #parts: readonly Code[]
  readonly #compute: (values: readonly unknown[], frame: Frame) => unknown
  readonly #unit: Unit
  readonly #position: number
  constructor(
    parts: readonly Code[],
    compute: (values: readonly unknown[], frame: Frame) => unknown,
    unit: Unit,
    position: number
  ) {
    super()
    this.#parts = parts
    this.#compute = compute
    this.#unit = unit
    this.#position = position
    this.isPlain = parts.length < 100 && parts.every((part) => part.isPlain)
  }
  get(frame: Frame): unknown {
    const values: Array<unknown> = []
    for (const part of this.#parts) values.push(part.get(frame))
    return this.#computed(values, frame)
  }
  override attempt(frame: Frame): unknown {
    if (this.isPlain) return this.get(frame)
    const values: Array<unknown> = []
    for (const part of this.#parts) {
      if (frame.runtime.budget.isSliceOver) return new Suspension(this.#from(frame, values, undefined))
      const value = part.attempt(frame)
      if (value instanceof Suspension) return new Suspension(this.#from(frame, values, value.rest))
      values.push(value)
    }
    return this.#computed(values, frame)
  }
  run(frame: Frame): ScriptRun {
    return this.#from(frame, [], undefined)
  }
  /** Computes the value when the first parts are done. `begun` is the rest of the next part, which has begun. */
  *#from(frame: Frame, values: Array<unknown>, begun: ScriptRun | undefined): ScriptRun {
    if (begun !== undefined) values.push(yield* begun)
    for (let at = values.length; at < this.#parts.length; at++) {
      const part = this.#parts[at]!
      values.push(part.isPlain ? part.get(frame) : yield* part.run(frame))
      if (frame.runtime.budget.isSliceOver) yield { kind: "pause" }
    }
    return this.#computed(values, frame)
  }
  #computed(values: readonly unknown[], frame: Frame): unknown {
    frame.runtime.budget.created(1)
    try {
      return this.#compute(values, frame)
    } catch (error) {
      throw this.#unit.positions.positionedError(error, this.#position)
    }
  }
}
