import type { HostCall } from "../HostCall.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { isMet } from "../script/closures/Conditions.ts"
import { isCase } from "../script/operators/Operators.ts"
import type { Code, Frame } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { type Completion, StatementCode, type StatementRun } from "./StatementCode.ts"

/** A case of a switch statement. */
interface CaseCode {
  /** Undefined for `default`. */
  readonly match: Code | undefined
  readonly body: StatementCode
}

/** `switch (x) { case ...: }`. */
export class SwitchStatement extends StatementCode {
  readonly isPlain = false
  readonly #value: Code
  readonly #cases: readonly CaseCode[]
  readonly #label: string
  readonly #unit: Unit
  readonly #position: number
  constructor(value: Code, cases: readonly CaseCode[], label: string, unit: Unit, position: number) {
    super()
    this.#value = value
    this.#cases = cases
    this.#label = label
    this.#unit = unit
    this.#position = position
  }
  *run(frame: Frame): StatementRun {
    const value = yield* this.#value.run(frame)
    for (let at = yield* this.#chosen(frame, value); at < this.#cases.length; at++) {
      const end: Completion = yield* this.#cases[at]!.body.run(frame)
      if (end === undefined) continue
      return end.kind === "break" && (end.label === "" || end.label === this.#label) ? undefined : end
    }
    return undefined
  }
  /** The first case that runs. */
  *#chosen(frame: Frame, value: unknown): Generator<HostCall, number, unknown> {
    const { runtime } = frame
    for (const [index, { match }] of this.#cases.entries()) {
      if (match === undefined) continue
      runtime.budget.spend(1)
      if (runtime.budget.isSliceOver) yield { kind: "pause" }
      const pattern = yield* match.run(frame)
      const isMatch =
        pattern instanceof ScriptClosure
          ? yield* isMet(runtime.attemptCall(pattern, [value]), pattern, runtime)
          : this.#unit.positions.at(this.#position, () => isCase(pattern, value, runtime.budget))
      if (isMatch) return index
    }
    const other = this.#cases.findIndex(({ match }) => match === undefined)
    return other < 0 ? this.#cases.length : other
  }
}
