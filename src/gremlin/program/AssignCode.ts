import type { Evaluation } from "../Scope.ts"
import type { AssignmentOperator } from "../Statement.ts"
import { converted } from "../script/Conversions.ts"
import { binary, isTrue, type StrictOperator } from "../script/Operators.ts"
import { readTarget, storeIn } from "../script/Targets.ts"
import { type Box, type Code, type Frame, SuspendingCode, Suspension } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { LocalCode } from "./ValueCode.ts"

/** A prepared target of an assignment. */
export type TargetCode =
  | { readonly kind: "local"; readonly local: Local }
  | { readonly kind: "binding"; readonly name: string; readonly value: Code }
  | {
      readonly kind: "element"
      readonly of: Code
      readonly index: Code
      readonly isMember: boolean
      readonly name: string
    }

/** An assignment: its value is what was stored. */
export class AssignCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #targets: readonly TargetCode[]
  readonly #operator: AssignmentOperator | undefined
  readonly #value: Code
  readonly #unit: Unit
  readonly #position: number
  constructor(
    targets: readonly TargetCode[],
    operator: AssignmentOperator | undefined,
    value: Code,
    unit: Unit,
    position: number
  ) {
    super()
    this.#targets = targets
    this.#operator = operator
    this.#value = value
    this.#unit = unit
    this.#position = position
    this.isPlain = value.isPlain && targets.every(({ kind }) => kind === "local")
  }

  override get(frame: Frame): unknown {
    let value = this.#value.get(frame)
    for (let at = this.#targets.length - 1; at >= 0; at--) {
      const { local } = this.#targets[at] as Extract<TargetCode, { kind: "local" }>
      value = this.#storeLocal(frame, local, value)
    }
    return value
  }

  override attempt(frame: Frame): unknown {
    if (this.isPlain) return this.get(frame)
    const [only] = this.#targets
    if (this.#targets.length > 1 || only!.kind === "element") return new Suspension(this.run(frame))
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, value.rest))
    if (only!.kind === "local") return this.#storeLocal(frame, only!.local, value)
    const before = this.#operator === undefined ? undefined : only!.value.attempt(frame)
    if (before instanceof Suspension) return new Suspension(this.store(frame, value))
    return this.#storeJoined(frame, only!, before, value)
  }
  *#after(frame: Frame, value: Evaluation): Evaluation {
    return yield* this.store(frame, yield* value)
  }

  *run(frame: Frame): Evaluation {
    // As in Groovy, the left side is evaluated first where the operator needs it.
    const [only] = this.#targets
    if (this.#targets.length === 1 && only!.kind === "element") return yield* this.#storeElement(frame, only as never)
    return yield* this.store(frame, this.#value.isPlain ? this.#value.get(frame) : yield* this.#value.run(frame))
  }

  /** Stores a value in the targets, the last one first. Gives the value that was stored. */
  *store(frame: Frame, given: unknown): Evaluation {
    let value = given
    for (let at = this.#targets.length - 1; at >= 0; at--) {
      const target = this.#targets[at]!
      if (target.kind === "local") value = this.#storeLocal(frame, target.local, value)
      else if (target.kind === "binding") value = yield* this.#storeBinding(frame, target, value)
      else value = yield* this.#storeElement(frame, target)
    }
    return value
  }

  #joined(frame: Frame, before: unknown, value: unknown): unknown {
    const operator = this.#operator
    if (operator === undefined) return value
    if (operator === "?:") return isTrue(before) ? before : value
    return this.#unit.places.at(this.#position, () =>
      binary(operator as StrictOperator, before, value, frame.runtime.budget)
    )
  }

  #storeLocal(frame: Frame, local: Local, value: unknown): unknown {
    let stored = this.#operator === undefined ? value : this.#joined(frame, new LocalCode(local).get(frame), value)
    if (local.type !== "") {
      const before = stored
      stored = this.#unit.places.at(this.#position, () => converted(before, local.type, frame.runtime.budget))
    }
    if (local.isBoxed) (frame.locals[local.index] as Box).value = stored
    else frame.locals[local.index] = stored
    return stored
  }

  *#storeBinding(frame: Frame, target: Extract<TargetCode, { kind: "binding" }>, value: unknown): Evaluation {
    const before = this.#operator === undefined ? undefined : yield* target.value.run(frame)
    return this.#storeJoined(frame, target, before, value)
  }

  #storeJoined(
    frame: Frame,
    target: Extract<TargetCode, { kind: "binding" }>,
    before: unknown,
    value: unknown
  ): unknown {
    const { bindings, scope } = frame.runtime
    const stored = this.#joined(frame, before, value)
    if (frame.delegate !== undefined && bindings.isOfDelegate(frame.delegate, target.name)) {
      return this.#unit.places.at(this.#position, () =>
        storeIn(frame.delegate, target.name, stored, frame.runtime.budget)
      )
    }
    scope.variables.set(target.name, stored)
    return stored
  }

  *#storeElement(frame: Frame, target: Extract<TargetCode, { kind: "element" }>): Evaluation {
    const { budget } = frame.runtime
    const container = target.of.isPlain ? target.of.get(frame) : yield* target.of.run(frame)
    const index = target.index.isPlain ? target.index.get(frame) : yield* target.index.run(frame)
    const value = this.#value.isPlain ? this.#value.get(frame) : yield* this.#value.run(frame)
    const stored = this.#joined(
      frame,
      this.#operator === undefined
        ? null
        : this.#unit.places.at(this.#position, () => readTarget(container, index, target.isMember, budget)),
      value
    )
    return this.#unit.places.at(this.#position, () => storeIn(container, index, stored, budget))
  }
}

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
