import type { ScriptRun } from "../HostCall.ts"
import { ScriptTraversal } from "../ScriptObjects.ts"
import { isBoolean } from "./ConvertedCode.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"

/** One cast; see CastExpression. */
interface Cast {
  readonly type: string
  readonly isAssigned: boolean
  readonly position: number
}

/** Chained casts, `x as int as String`. */
export class CastCode extends SuspendingCode {
  readonly #operand: Code
  readonly #casts: readonly Cast[]
  readonly #unit: Unit
  constructor(operand: Code, casts: CastCode["casts"], unit: Unit) {
    super()
    this.#operand = operand
    this.#casts = casts
    this.#unit = unit
  }
  get casts(): readonly Cast[] {
    return this.#casts
  }
  *run(frame: Frame): ScriptRun {
    const { runtime } = frame
    const { budget, receivers } = runtime
    let value = yield* this.#operand.run(frame)
    for (const { isAssigned, position, type } of this.#casts) {
      budget.spend(1)
      const isTruth = value instanceof ScriptTraversal && isBoolean(type)
      const converted = isTruth ? runtime.hasNext(value as ScriptTraversal) : receivers.cast(value, type, isAssigned)
      value = yield* this.#unit.positions.positioned(position, converted)
      if (budget.isSliceOver) yield { kind: "pause" }
    }
    return value
  }
}
