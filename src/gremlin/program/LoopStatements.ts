import type { Evaluation } from "../Scope.ts"
import { isTrue } from "../script/Operators.ts"
import { visited } from "../script/Visits.ts"
import { Box, type Code, type Frame, Suspension } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { type Ends, RangeCode } from "./RangeCode.ts"
import { type Completion, StatementCode, type StatementRun } from "./StatementCode.ts"

/** What a loop does after its body: continue, end, or end with a completion for the statements around it. */
const ENDS = Symbol("ends")

const after = (end: Completion, label: string): Completion | typeof ENDS => {
  if (end === undefined) return undefined
  const isMine = end.label === "" || end.label === label
  if (end.kind === "return" || !isMine) return end
  return end.kind === "break" ? ENDS : undefined
}

/** `while`, `do` and `for (;;)`. */
export class LoopStatement extends StatementCode {
  readonly isPlain = false
  readonly #parts: {
    readonly condition: Code | undefined
    readonly body: StatementCode
    /** Runs after each round. */
    readonly next: StatementCode | undefined
    readonly runsFirst: boolean
    readonly label: string
  }
  constructor(parts: {
    condition: Code | undefined
    body: StatementCode
    next: StatementCode | undefined
    runsFirst: boolean
    label: string
  }) {
    super()
    this.#parts = parts
  }
  *run(frame: Frame): StatementRun {
    const { body, condition, label, next, runsFirst } = this.#parts
    const { budget } = frame.runtime
    for (let isFirst = true; ; isFirst = false) {
      budget.spend(1)
      if (budget.isSliceOver) yield { kind: "pause" }
      if (condition !== undefined && !(isFirst && runsFirst)) {
        const met = condition.attempt(frame)
        if (!isTrue(met instanceof Suspension ? yield* met.rest : met)) return undefined
      }
      const tried = body.attempt(frame)
      const end = after(tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried, label)
      if (end === ENDS) return undefined
      if (end !== undefined) return end as Completion
      if (next !== undefined) {
        const rest = next.attempt(frame)
        if (rest instanceof Suspension) yield* rest.rest
      }
    }
  }
}

/** `for (x in values)`. */
export class EachStatement extends StatementCode {
  readonly isPlain = false
  readonly #local: Local
  readonly #values: Code
  readonly #body: StatementCode
  readonly #label: string
  readonly #unit: Unit
  readonly #position: number
  constructor(
    parts: { readonly local: Local; readonly values: Code; readonly body: StatementCode; readonly label: string },
    unit: Unit,
    position: number
  ) {
    super()
    this.#local = parts.local
    this.#values = parts.values
    this.#body = parts.body
    this.#label = parts.label
    this.#unit = unit
    this.#position = position
  }
  *run(frame: Frame): StatementRun {
    const { locals, runtime } = frame
    const { index, isBoxed } = this.#local
    const body = this.#body
    for (const value of (yield* this.#members(frame)) as Iterable<unknown>) {
      runtime.budget.spend(1)
      if (runtime.budget.isSliceOver) yield { kind: "pause" }
      locals[index] = isBoxed ? new Box(value) : value
      const tried = body.attempt(frame)
      const end = after(tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried, this.#label)
      if (end === ENDS) return undefined
      if (end !== undefined) return end as Completion
    }
    return undefined
  }
  *#members(frame: Frame): Evaluation {
    const { runtime } = frame
    if (this.#values instanceof RangeCode) {
      const ends = yield* this.#values.ends(frame)
      return ends === undefined ? [] : counted(ends)
    }
    const values = this.#values.isPlain ? this.#values.get(frame) : yield* this.#values.run(frame)
    const members = yield* this.#unit.places.placed(this.#position, runtime.receivers.iterated(values))
    return this.#visited(values, members as readonly unknown[])
  }
  *#visited(values: unknown, members: readonly unknown[]): Iterable<unknown> {
    try {
      yield* visited(values, members)
    } catch (error) {
      throw this.#unit.places.placedError(error, this.#position)
    }
  }
}

function* counted({ from, to }: Ends): Iterable<number> {
  if (from <= to) for (let at = from; at <= to; at++) yield at
  else for (let at = from; at >= to; at--) yield at
}
