import { double, Float } from "../../structure/numbers/Numbers.ts"
import { Char } from "../../structure/scalars/Char.ts"
import type { ScriptRun } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { converted } from "../script/types/Conversions.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"

/** A value that is converted to a type, such as the result of `int f(x) { x }`. */
export class ConvertedCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #value: Code
  /** `void`, or the simple name of a type. */
  readonly #type: string
  readonly #unit: Unit
  readonly #position: number
  constructor(value: Code, type: string, unit: Unit, position: number) {
    super()
    this.#value = value
    this.#type = type
    this.#unit = unit
    this.#position = position
    this.isPlain = value.isPlain
  }
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override get(frame: Frame): unknown {
    return this.#typed(frame, this.#value.get(frame))
  }
  override attempt(frame: Frame): unknown {
    const value = this.#value.attempt(frame)
    return value instanceof Suspension ? new Suspension(this.#after(frame, value.rest)) : this.#typed(frame, value)
  }
  run(frame: Frame): ScriptRun {
    return this.#after(frame, this.#value.run(frame))
  }
  *#after(frame: Frame, value: ScriptRun): ScriptRun {
    return this.#typed(frame, yield* value)
  }
  #typed({ runtime }: Frame, value: unknown): unknown {
    if (this.#type === "void") return null
    return this.#unit.positions.at(this.#position, () => converted(value, this.#type, runtime.budget))
  }
}

/**
 * The result of a function of a primitive type whose last `if` or `switch` has no branch for the value; see
 * {@link resultWithoutBranch}.
 */
const withoutBranch: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["byte", 0],
  ["short", 0],
  ["int", 0],
  ["long", 0],
  ["float", new Float(0)],
  ["double", double(0)],
  ["char", new Char("\0")],
  ["boolean", false]
])

/**
 * The result of a function when its last statement is an `if` or `switch` without a branch for the value: 0 for a primitive type, as
 * in Groovy. Undefined for other types, whose result is null.
 */
export const resultWithoutBranch = (type: string): unknown => withoutBranch.get(type)

/** True for a type whose values are the truth of what is converted to it. */
export const isBoolean = (type: string | undefined): boolean => type === "boolean" || type === "Boolean"
