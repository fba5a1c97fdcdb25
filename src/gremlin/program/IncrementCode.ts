import type { Evaluation } from "../Scope.ts"
import { Suspension } from "../Suspension.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"

/** `x++` and `--x`. */
export class IncrementCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #assignment: Code
  readonly #before: Code
  readonly #isPrefix: boolean
  constructor(assignment: Code, before: Code, isPrefix: boolean) {
    super()
    this.#assignment = assignment
    this.#before = before
    this.#isPrefix = isPrefix
    this.isPlain = assignment.isPlain && before.isPlain
  }
  override get(frame: Frame): unknown {
    const before = this.#isPrefix ? null : this.#before.get(frame)
    const after = this.#assignment.get(frame)
    return this.#isPrefix ? after : before
  }
  override attempt(frame: Frame): unknown {
    if (this.isPlain) return this.get(frame)
    const before = this.#isPrefix ? null : this.#before.attempt(frame)
    if (before instanceof Suspension) return new Suspension(this.#after(frame, before.rest))
    const after = this.#assignment.attempt(frame)
    if (after instanceof Suspension) return this.#isPrefix ? after : new Suspension(valueAfter(after.rest, before))
    return this.#isPrefix ? after : before
  }
  run(frame: Frame): Evaluation {
    return this.#isPrefix ? this.#assignment.run(frame) : this.#after(frame, this.#before.run(frame))
  }
  *#after(frame: Frame, reading: Evaluation): Evaluation {
    return yield* valueAfter(this.#assignment.run(frame), yield* reading)
  }
}

/** A value, after some work is done. */
function* valueAfter(work: Evaluation, value: unknown): Evaluation {
  yield* work
  return value
}
