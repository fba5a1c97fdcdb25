import type { HostCall } from "../HostCall.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import type { Frame } from "./Frame.ts"

/** How a statement ended if it did not end normally. */
export interface Jump {
  readonly kind: "return" | "break" | "continue"
  /** The label of the loop that is meant; empty for the innermost. */
  readonly label: string
}

/** The end of a statement: undefined when the next statement runs. */
export type Completion = Jump | undefined

/** `return`: the value is the frame's result. */
export const RETURN: Jump = { kind: "return", label: "" }

/** A run of a statement that may suspend. */
export type StatementRun = Generator<HostCall, Completion, unknown>

/** A prepared statement. It is shared by all runs of a script, so it keeps no state of a run. */
export abstract class StatementCode {
  /** True when {@link exec} runs the statement: it never suspends. */
  abstract readonly isPlain: boolean
  /** Runs the statement. Only for a plain one. */
  exec(_: Frame): Completion {
    throw new Error("this statement may suspend")
  }
  /** True if the statement has no effects. See `isPure` of a Code. */
  get isPure(): boolean {
    return false
  }
  /** Runs the statement if it needs neither the host nor a pause; gives a {@link Suspension} otherwise. */
  attempt(frame: Frame): Completion | Suspension {
    return this.isPlain ? this.exec(frame) : (attemptOf(this.run(frame)) as Completion | Suspension)
  }
  /** Runs the statement, plain or not. */
  abstract run(frame: Frame): StatementRun
}

/** Statements one after the other. */
export class BlockCode extends StatementCode {
  readonly isPlain: boolean
  readonly #statements: readonly StatementCode[]
  constructor(statements: readonly StatementCode[]) {
    super()
    this.#statements = statements
    this.isPlain = statements.every((statement) => statement.isPlain)
  }
  override get isPure(): boolean {
    return this.#statements.every((statement) => statement.isPure)
  }
  override exec(frame: Frame): Completion {
    for (const statement of this.#statements) {
      const end = statement.exec(frame)
      if (end !== undefined) return end
    }
    return undefined
  }
  override attempt(frame: Frame): Completion | Suspension {
    const { budget } = frame.runtime
    const statements = this.#statements
    for (let at = 0; at < statements.length; at++) {
      budget.spend(1)
      if (budget.isSliceOver) return new Suspension(this.#from(frame, at))
      const end = statements[at]!.attempt(frame)
      if (end instanceof Suspension) return new Suspension(this.#after(frame, end, at))
      if (end !== undefined) return end
    }
    return undefined
  }
  run(frame: Frame): StatementRun {
    return this.#from(frame, 0)
  }
  *#after(frame: Frame, { rest }: Suspension, at: number): StatementRun {
    const end = (yield* rest) as Completion
    return end === undefined ? yield* this.#from(frame, at + 1) : end
  }
  *#from(frame: Frame, first: number): StatementRun {
    const { budget } = frame.runtime
    for (let at = first; at < this.#statements.length; at++) {
      const statement = this.#statements[at]!
      budget.spend(1)
      if (budget.isSliceOver) yield { kind: "pause" }
      const tried = statement.attempt(frame)
      const end = tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried
      if (end !== undefined) return end
    }
    return undefined
  }
}
