import type { HostCall } from "../HostCall.ts"
import { Suspension } from "../Suspension.ts"
import { isTrue } from "../script/comparison/Truth.ts"
import { caught, clauseFor, type ScriptException, Thrown } from "../script/objects/Exceptions.ts"
import { Box, type Code, type Frame } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { type Completion, StatementCode, type StatementRun } from "./StatementCode.ts"

/** A catch clause of a try statement. */
interface CatchCode {
  readonly types: readonly string[]
  readonly local: Local
  readonly body: StatementCode
}

/** `try { } catch (e) { } finally { }`. */
export class TryStatement extends StatementCode {
  readonly isPlain = false
  readonly #body: StatementCode
  readonly #catches: readonly CatchCode[]
  readonly #last: StatementCode | undefined
  constructor(body: StatementCode, catches: readonly CatchCode[], last: StatementCode | undefined) {
    super()
    this.#body = body
    this.#catches = catches
    this.#last = last
  }
  *run(frame: Frame): StatementRun {
    const last = this.#last
    if (last === undefined) return yield* this.#guarded(frame)
    let end: Completion
    try {
      end = yield* this.#guarded(frame)
    } catch (error) {
      // An error that no script may catch, such as a cancellation, ends the script at once.
      if (exceptionOf(error, frame) === undefined) throw error
      const replaced = yield* last.run(frame)
      if (replaced !== undefined) return replaced
      throw error
    }
    const { result } = frame
    const replaced = yield* last.run(frame)
    if (replaced !== undefined) return replaced
    frame.result = result
    return end
  }
  *#guarded(frame: Frame): StatementRun {
    try {
      const tried = this.#body.attempt(frame)
      return tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried
    } catch (error) {
      const exception = exceptionOf(error, frame)
      const handler = exception === undefined ? undefined : clauseFor(exception, this.#catches)
      if (handler === undefined) throw error
      frame.locals[handler.local.index] = handler.local.isBoxed ? new Box(exception) : exception
      return yield* handler.body.run(frame)
    }
  }
}

const exceptionOf = (error: unknown, { runtime }: Frame): ScriptException | undefined =>
  caught(error, runtime.receivers.commits.includes(error))

/** `throw x`. */
export class ThrowStatement extends StatementCode {
  readonly isPlain = false
  readonly #value: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(value: Code, unit: Unit, position: number) {
    super()
    this.#value = value
    this.#unit = unit
    this.#position = position
  }
  *run(frame: Frame): StatementRun {
    const value = yield* this.#value.run(frame)
    throw Thrown.of(value, this.#unit.positions, this.#position)
  }
}

/** `assert condition : message`. */
export class AssertStatement extends StatementCode {
  readonly isPlain = false
  readonly #condition: Code
  readonly #message: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(condition: Code, message: Code, unit: Unit, position: number) {
    super()
    this.#condition = condition
    this.#message = message
    this.#unit = unit
    this.#position = position
  }
  *run(frame: Frame): Generator<HostCall, undefined, unknown> {
    if (isTrue(yield* this.#condition.run(frame))) return undefined
    const message = yield* this.#message.run(frame)
    const text = message === null ? "the assertion is false" : frame.runtime.budget.text(message)
    throw Thrown.create("AssertionError", text, this.#unit.positions, this.#position)
  }
}
