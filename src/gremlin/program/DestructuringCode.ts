import type { ScriptRun } from "../HostCall.ts"
import { severalOf } from "../script/receivers/Targets.ts"
import type { AssignCode } from "./AssignCode.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"

/** `(a, b) = [1, 2]`: its value is the list. */
export class DestructuringCode extends SuspendingCode {
  readonly #targets: readonly AssignCode[]
  readonly #value: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(targets: readonly AssignCode[], value: Code, unit: Unit, position: number) {
    super()
    this.#targets = targets
    this.#value = value
    this.#unit = unit
    this.#position = position
  }
  *run(frame: Frame): ScriptRun {
    const value = yield* this.#value.run(frame)
    const members = this.#unit.positions.at(this.#position, () => severalOf(value))
    for (const [index, target] of this.#targets.entries()) yield* target.store(frame, members[index] ?? null)
    return value
  }
}
