import type { ScriptRun } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { isTrue } from "../script/comparison/Truth.ts"
import { severalOf } from "../script/receivers/Targets.ts"
import { converted, isOfType } from "../script/types/Conversions.ts"
import { Box, type Code, type Frame } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { type Completion, type Jump, RETURN, StatementCode, type StatementRun } from "./StatementCode.ts"

/** An expression whose value is not used. */
export class ValueStatement extends StatementCode {
  readonly isPlain: boolean
  readonly #value: Code
  constructor(value: Code) {
    super()
    this.#value = value
    this.isPlain = value.isPlain
  }
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override exec(frame: Frame): Completion {
    this.#value.get(frame)
    return undefined
  }
  override attempt(frame: Frame): Completion | Suspension {
    const value = this.#value.attempt(frame)
    return value instanceof Suspension ? new Suspension(this.#after(value.rest)) : undefined
  }
  run(frame: Frame): StatementRun {
    return this.#after(this.#value.run(frame))
  }
  *#after(rest: ScriptRun): StatementRun {
    yield* rest
    return undefined
  }
}

/** `return x`, and the last expression of a body. */
export class ReturnStatement extends StatementCode {
  readonly isPlain: boolean
  readonly #value: Code
  constructor(value: Code) {
    super()
    this.#value = value
    this.isPlain = value.isPlain
  }
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override exec(frame: Frame): Completion {
    frame.result = this.#value.get(frame)
    return RETURN
  }
  override attempt(frame: Frame): Completion | Suspension {
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    frame.result = value
    return RETURN
  }
  run(frame: Frame): StatementRun {
    return this.#after(frame, this.#value.run(frame))
  }
  *#after(frame: Frame, rest: ScriptRun): StatementRun {
    frame.result = yield* rest
    return RETURN
  }
}

/** `break` and `continue`. */
export class JumpStatement extends StatementCode {
  readonly isPlain = true
  readonly #jump: Jump
  constructor(jump: Jump) {
    super()
    this.#jump = jump
  }
  override exec(): Completion {
    return this.#jump
  }
  // biome-ignore lint/correctness/useYield: the run of a statement that never suspends
  *run(): StatementRun {
    return this.#jump
  }
}

/** `def x = 1`, `def (a, b) = [1, 2]`: gives new variables their first values. */
export class DeclarationStatement extends StatementCode {
  readonly isPlain: boolean
  readonly #locals: readonly Local[]
  readonly #isSpread: boolean
  readonly #value: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(locals: readonly Local[], isSpread: boolean, value: Code, unit: Unit, position: number) {
    super()
    this.#locals = locals
    this.#isSpread = isSpread
    this.#value = value
    this.#unit = unit
    this.#position = position
    this.isPlain = value.isPlain
  }
  /** The variable is new in each run. */
  override get isPure(): boolean {
    return this.#value.isPure
  }
  override exec(frame: Frame): Completion {
    this.#store(frame, this.#value.get(frame))
    return undefined
  }
  override attempt(frame: Frame): Completion | Suspension {
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    this.#store(frame, value)
    return undefined
  }
  run(frame: Frame): StatementRun {
    return this.#after(frame, this.#value.run(frame))
  }
  *#after(frame: Frame, rest: ScriptRun): StatementRun {
    this.#store(frame, yield* rest)
    return undefined
  }
  #store(frame: Frame, value: unknown): void {
    if (this.#isSpread) {
      const members = this.#unit.positions.at(this.#position, () => severalOf(value))
      for (const [index, local] of this.#locals.entries()) this.#storeIn(frame, local, members[index] ?? null)
      return
    }
    for (const local of this.#locals) this.#storeIn(frame, local, value)
  }
  #storeIn(frame: Frame, local: Local, value: unknown): void {
    const typed = isOfType(value, local.type)
      ? value
      : this.#unit.positions.at(this.#position, () => converted(value, local.type, frame.runtime.budget))
    frame.locals[local.index] = local.isBoxed ? new Box(typed) : typed
  }
}

/** A branch of an if statement. */
interface BranchCode {
  readonly condition: Code
  readonly body: StatementCode
}

/** `if ... else if ... else`. */
export class IfStatement extends StatementCode {
  readonly isPlain: boolean
  readonly #branches: readonly BranchCode[]
  readonly #otherwise: StatementCode | undefined
  constructor(branches: readonly BranchCode[], otherwise: StatementCode | undefined) {
    super()
    this.#branches = branches
    this.#otherwise = otherwise
    this.isPlain =
      branches.every(({ body, condition }) => body.isPlain && condition.isPlain) && otherwise?.isPlain !== false
  }
  override get isPure(): boolean {
    return (
      this.#branches.every(({ body, condition }) => body.isPure && condition.isPure) &&
      this.#otherwise?.isPure !== false
    )
  }
  override exec(frame: Frame): Completion {
    for (const { body, condition } of this.#branches) if (isTrue(condition.get(frame))) return body.exec(frame)
    return this.#otherwise?.exec(frame)
  }
  override attempt(frame: Frame): Completion | Suspension {
    if (this.isPlain) return this.exec(frame)
    for (let at = 0; at < this.#branches.length; at++) {
      const { body, condition } = this.#branches[at]!
      const met = condition.attempt(frame)
      if (met instanceof Suspension) return new Suspension(this.#from(frame, at, met.rest))
      if (isTrue(met)) return body.attempt(frame)
    }
    return this.#otherwise?.attempt(frame)
  }
  run(frame: Frame): StatementRun {
    return this.#from(frame, 0, undefined)
  }
  /** Runs the statement from a branch on. `begun` is what is left of its condition. */
  *#from(frame: Frame, first: number, begun: ScriptRun | undefined): StatementRun {
    let rest = begun
    for (let at = first; at < this.#branches.length; at++) {
      const { body, condition } = this.#branches[at]!
      const met =
        rest === undefined ? (condition.isPlain ? condition.get(frame) : yield* condition.run(frame)) : yield* rest
      rest = undefined
      if (isTrue(met)) return body.isPlain ? body.exec(frame) : yield* body.run(frame)
    }
    return this.#otherwise === undefined ? undefined : yield* this.#otherwise.run(frame)
  }
}
