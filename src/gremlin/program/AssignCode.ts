import type { Evaluation } from "../Scope.ts"
import type { BinaryOperator } from "../Script.ts"
import type { AssignmentOperator } from "../Statement.ts"
import { Suspension } from "../Suspension.ts"
import { converted, isOfType } from "../script/Conversions.ts"
import { lacks } from "../script/DefaultMap.ts"
import { binary, isTrue } from "../script/Operators.ts"
import { areInts, type IntOperator, intOperator } from "../script/QuickOperators.ts"
import { neighbour, readTarget, storeIn } from "../script/Targets.ts"
import { type Box, type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { attemptedValue } from "./ValueCode.ts"

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

/** The operator that calculates for Ints. */
const calculated = (operator: AssignmentOperator): BinaryOperator =>
  operator === "++" ? "+" : operator === "--" ? "-" : operator

/** An assignment: its value is what was stored. */
export class AssignCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #targets: readonly TargetCode[]
  readonly #operator: AssignmentOperator | undefined
  readonly #ofInts: IntOperator | undefined
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
    this.#ofInts = operator === undefined ? undefined : intOperator(calculated(operator))
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
    if (this.#targets.length > 1) return new Suspension(this.run(frame))
    if (only!.kind === "element") return this.#attemptElement(frame, only!)
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
    if (this.#targets.length === 1 && only?.kind === "element") {
      return yield* this.#storeElement(frame, only, only.of.run(frame))
    }
    return yield* this.store(frame, this.#value.isPlain ? this.#value.get(frame) : yield* this.#value.run(frame))
  }

  /** Stores a value in the targets, the last one first. Gives the value that was stored. */
  *store(frame: Frame, given: unknown): Evaluation {
    let value = given
    for (let at = this.#targets.length - 1; at >= 0; at--) {
      const target = this.#targets[at]!
      if (target.kind === "local") value = this.#storeLocal(frame, target.local, value)
      else if (target.kind === "binding") value = yield* this.#storeBinding(frame, target, value)
      else {
        const container = yield* target.of.run(frame)
        value = this.#storedIn(frame, target, [container, yield* target.index.run(frame)], value)
      }
    }
    return value
  }

  #joined(frame: Frame, before: unknown, value: unknown): unknown {
    const operator = this.#operator
    if (operator === undefined) return value
    if (operator === "?:") return isTrue(before) ? before : value
    if (this.#ofInts !== undefined && areInts(before, value)) {
      const sum = this.#ofInts(before as number, value as number)
      if (sum !== undefined) return sum
    }
    const { budget } = frame.runtime
    return this.#unit.places.at(this.#position, () =>
      operator === "++" || operator === "--"
        ? neighbour(before, operator, budget)
        : binary(operator, before, value, budget)
    )
  }

  #storeLocal(frame: Frame, local: Local, value: unknown): unknown {
    const held = frame.locals[local.index]
    const before = local.isBoxed ? (held as Box).value : held
    const assigned = this.#operator === undefined ? value : this.#joined(frame, before, value)
    const stored = isOfType(assigned, local.type) ? assigned : this.#converted(frame, local, assigned)
    if (local.isBoxed) (held as Box).value = stored
    else frame.locals[local.index] = stored
    return stored
  }

  #converted({ runtime }: Frame, { type }: Local, value: unknown): unknown {
    return this.#unit.places.at(this.#position, () => converted(value, type, runtime.budget))
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

  #attemptElement(frame: Frame, target: ElementTarget): unknown {
    const container = attemptedValue(target.of, frame)
    if (container instanceof Suspension) return new Suspension(this.#storeElement(frame, target, container.rest))
    const index = attemptedValue(target.index, frame)
    if (index instanceof Suspension) return new Suspension(this.#afterIndex(frame, target, container, index.rest))
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#afterValue(frame, target, [container, index], value))
    if (this.#operator === undefined || !lacks(container, index)) {
      return this.#storedIn(frame, target, [container, index], value)
    }
    return new Suspension(this.#afterDefault(frame, target, [container, index], value))
  }

  /** Stores a value after the default value of a map that lacks the key. */
  *#afterDefault(frame: Frame, target: ElementTarget, place: Place, value: unknown): Evaluation {
    const { receivers } = frame.runtime
    if (this.#operator !== undefined && lacks(...place)) {
      yield* this.#unit.places.placed(this.#position, receivers.index(...place))
    }
    return this.#storedIn(frame, target, place, value)
  }

  *#storeElement(frame: Frame, target: ElementTarget, of: Evaluation): Evaluation {
    const container = yield* of
    return yield* this.#afterIndex(frame, target, container, target.index.run(frame))
  }

  *#afterIndex(frame: Frame, target: ElementTarget, container: unknown, index: Evaluation): Evaluation {
    const place = [container, yield* index] as const
    const value = this.#value.attempt(frame)
    return value instanceof Suspension
      ? yield* this.#afterValue(frame, target, place, value)
      : yield* this.#afterDefault(frame, target, place, value)
  }

  *#afterValue(frame: Frame, target: ElementTarget, place: Place, { rest }: Suspension): Evaluation {
    return yield* this.#afterDefault(frame, target, place, yield* rest)
  }

  /** Stores a value in a container. The operator of the assignment first reads the previous value. */
  #storedIn(frame: Frame, { isMember }: ElementTarget, [container, index]: Place, value: unknown): unknown {
    const { budget } = frame.runtime
    try {
      const before = this.#operator === undefined ? null : readTarget(container, index, isMember, budget)
      return storeIn(container, index, this.#joined(frame, before, value), budget)
    } catch (error) {
      throw this.#unit.places.placedError(error, this.#position)
    }
  }
}

type ElementTarget = Extract<TargetCode, { kind: "element" }>

/** Where an assignment stores its value. */
type Place = readonly [container: unknown, index: unknown]

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
