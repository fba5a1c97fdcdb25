import type { ScriptRun } from "../HostCall.ts"
import type { BinaryOperator } from "../Script.ts"
import type { AssignmentOperator } from "../Statement.ts"
import { Suspension } from "../Suspension.ts"
import { isTrue } from "../script/comparison/Truth.ts"
import { binary } from "../script/operators/Operators.ts"
import { areInts, type IntOperator, intOperator } from "../script/operators/QuickOperators.ts"
import { neighbour, readTarget, storeIn } from "../script/receivers/Targets.ts"
import { converted, isOfType } from "../script/types/Conversions.ts"
import { lacks } from "../script/values/DefaultMap.ts"
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

/** What an assignment does. */
interface Assignment {
  readonly targets: readonly TargetCode[]
  /** Undefined for `=`. */
  readonly operator: AssignmentOperator | undefined
  readonly value: Code
  /** True for `x++`, whose value is the one before. */
  readonly givesBefore: boolean
}

/** An assignment: its value is what was stored, or what was there before. */
export class AssignCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #targets: readonly TargetCode[]
  readonly #operator: AssignmentOperator | undefined
  readonly #ofInts: IntOperator | undefined
  readonly #value: Code
  readonly #givesBefore: boolean
  readonly #unit: Unit
  readonly #position: number
  constructor({ givesBefore, operator, targets, value }: Assignment, unit: Unit, position: number) {
    super()
    this.#givesBefore = givesBefore
    this.#targets = targets
    this.#operator = operator
    this.#ofInts = operator === undefined ? undefined : intOperator(calculated(operator))
    this.#value = value
    this.#unit = unit
    this.#position = position
    this.isPlain = value.isPlain && targets.every(({ kind }) => kind === "local")
  }

  override get(frame: Frame): unknown {
    const local = this.#changedLocal
    if (local !== undefined) return this.#storeLocal(frame, local, localValue(frame, local), this.#value.get(frame))
    let value = this.#value.get(frame)
    for (let at = this.#targets.length - 1; at >= 0; at--) {
      const target = this.#targets[at] as Extract<TargetCode, { kind: "local" }>
      value = this.#storeLocal(frame, target.local, null, value)
    }
    return value
  }

  /** The only target, if it is a local variable that an operator changes: its value is read before the right side is evaluated. */
  get #changedLocal(): Local | undefined {
    const target = this.#targets[0]!
    return this.#operator !== undefined && target.kind === "local" ? target.local : undefined
  }

  override attempt(frame: Frame): unknown {
    if (this.isPlain) return this.get(frame)
    const only = this.#targets[0]!
    if (this.#targets.length > 1) return new Suspension(this.#storeInAll(frame))
    if (only.kind === "element" && this.#operator !== undefined) return this.#attemptElement(frame, only)
    const before = this.#operator === undefined ? null : this.#attemptBefore(frame, only)
    if (before instanceof Suspension) return new Suspension(this.#afterBefore(frame, only, before.rest))
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#after(frame, only, before, value.rest))
    if (only.kind === "local") return this.#storeLocal(frame, only.local, before, value)
    if (only.kind === "binding") return this.#storeJoined(frame, only, before, value)
    return this.#attemptStored(frame, only, value)
  }

  /** The value of a variable that an operator changes. */
  #attemptBefore(frame: Frame, target: TargetCode): unknown {
    if (target.kind === "local") return localValue(frame, target.local)
    return target.kind === "binding" ? target.value.attempt(frame) : null
  }

  *#afterBefore(frame: Frame, target: TargetCode, reading: ScriptRun): ScriptRun {
    const before = yield* reading
    const value = this.#value.attempt(frame)
    return yield* this.#stored(frame, target, before, value instanceof Suspension ? yield* value.rest : value)
  }

  *#after(frame: Frame, target: TargetCode, before: unknown, value: ScriptRun): ScriptRun {
    return yield* this.#stored(frame, target, before, yield* value)
  }

  *run(frame: Frame): ScriptRun {
    const value = this.attempt(frame)
    return value instanceof Suspension ? yield* value.rest : value
  }

  *#storeInAll(frame: Frame): ScriptRun {
    return yield* this.store(frame, this.#value.isPlain ? this.#value.get(frame) : yield* this.#value.run(frame))
  }

  /** Stores a value in the targets of `=`, the last one first. Gives the value that was stored. */
  *store(frame: Frame, given: unknown): ScriptRun {
    let value = given
    for (let at = this.#targets.length - 1; at >= 0; at--) {
      value = yield* this.#stored(frame, this.#targets[at]!, null, value)
    }
    return value
  }

  /** Stores a value in a target. Gives the value that was stored. */
  *#stored(frame: Frame, target: TargetCode, before: unknown, value: unknown): ScriptRun {
    if (target.kind === "local") return this.#storeLocal(frame, target.local, before, value)
    if (target.kind === "binding") return this.#storeJoined(frame, target, before, value)
    const container = yield* target.of.run(frame)
    return this.#storeIn(frame, [container, yield* target.index.run(frame)], null, value)
  }

  #joined(frame: Frame, before: unknown, value: unknown): unknown {
    const operator = this.#operator
    if (operator === undefined) return value
    if (operator === "?:") return this.#keeps(before) ? before : value
    if (this.#ofInts !== undefined && areInts(before, value)) {
      const sum = this.#ofInts(before as number, value as number)
      if (sum !== undefined) return sum
    }
    const { budget } = frame.runtime
    return this.#unit.positions.at(this.#position, () =>
      operator === "++" || operator === "--"
        ? neighbour(before, operator, budget)
        : binary(operator, before, value, budget)
    )
  }

  /** Whether `?=` keeps the value, so that the right side is not evaluated. */
  #keeps(before: unknown): boolean {
    return this.#operator === "?:" && this.#unit.positions.at(this.#position, () => isTrue(before))
  }

  #storeLocal(frame: Frame, local: Local, before: unknown, value: unknown): unknown {
    const assigned = this.#operator === undefined ? value : this.#joined(frame, before, value)
    const stored = isOfType(assigned, local.type) ? assigned : this.#converted(frame, local, assigned)
    if (local.isBoxed) (frame.locals[local.index] as Box).value = stored
    else frame.locals[local.index] = stored
    return this.#givesBefore ? before : stored
  }

  #converted({ runtime }: Frame, { type }: Local, value: unknown): unknown {
    return this.#unit.positions.at(this.#position, () => converted(value, type, runtime.budget))
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
      this.#unit.positions.at(this.#position, () => storeIn(frame.delegate, target.name, stored, frame.runtime.budget))
    } else scope.variables.set(target.name, stored)
    return this.#givesBefore ? before : stored
  }

  /** Stores a value that is evaluated already in an element: as in Groovy, the right side of `=` is evaluated first. */
  #attemptStored(frame: Frame, target: ElementTarget, value: unknown): unknown {
    const container = attemptedValue(target.of, frame)
    if (container instanceof Suspension) return new Suspension(this.#afterOf(frame, target, value, container.rest))
    const index = attemptedValue(target.index, frame)
    if (index instanceof Suspension) return new Suspension(this.#afterSubscript(frame, container, value, index.rest))
    return this.#storeIn(frame, [container, index], null, value)
  }

  *#afterOf(frame: Frame, target: ElementTarget, value: unknown, of: ScriptRun): ScriptRun {
    const container = yield* of
    return this.#storeIn(frame, [container, yield* target.index.run(frame)], null, value)
  }

  *#afterSubscript(frame: Frame, container: unknown, value: unknown, index: ScriptRun): ScriptRun {
    return this.#storeIn(frame, [container, yield* index], null, value)
  }

  /** Changes an element by the operator. */
  #attemptElement(frame: Frame, target: ElementTarget): unknown {
    if (this.#isTwice(target)) return new Suspension(this.#changedTwice(frame, target))
    const container = attemptedValue(target.of, frame)
    if (container instanceof Suspension) return new Suspension(this.#storeElement(frame, target, container.rest))
    const index = attemptedValue(target.index, frame)
    if (index instanceof Suspension) return new Suspension(this.#afterIndex(frame, target, container, index.rest))
    if (lacks(container, index)) return new Suspension(this.#changed(frame, target, [container, index]))
    const before = this.#readElement(frame, target, [container, index])
    if (this.#keeps(before)) return this.#storeIn(frame, [container, index], before, null)
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return new Suspension(this.#afterValue(frame, [container, index], before, value))
    return this.#storeIn(frame, [container, index], before, value)
  }

  /**
   * Whether Groovy evaluates what has the element twice: `f().x += 1` is `f().x = f().x + 1`, and `f()[g()]++` reads and stores with two
   * calls of `f` and one of `g`. Not so for `f()[0] += 1`.
   */
  #isTwice({ isMember, of }: ElementTarget): boolean {
    return !of.isPlain && (isMember || this.#isIncrement)
  }

  get #isIncrement(): boolean {
    return this.#operator === "++" || this.#operator === "--"
  }

  *#changedTwice(frame: Frame, target: ElementTarget): ScriptRun {
    const first = this.#isIncrement ? yield* target.index.run(frame) : null
    const container = yield* target.of.run(frame)
    const subscript: Subscript = [container, this.#isIncrement ? first : yield* target.index.run(frame)]
    if (lacks(...subscript))
      yield* this.#unit.positions.positioned(this.#position, frame.runtime.receivers.index(...subscript))
    const before = this.#readElement(frame, target, subscript)
    const value = this.#keeps(before) ? null : yield* this.#value.run(frame)
    return this.#storeIn(frame, [yield* target.of.run(frame), subscript[1]], before, value)
  }

  *#storeElement(frame: Frame, target: ElementTarget, of: ScriptRun): ScriptRun {
    const container = yield* of
    return yield* this.#afterIndex(frame, target, container, target.index.run(frame))
  }

  *#afterIndex(frame: Frame, target: ElementTarget, container: unknown, index: ScriptRun): ScriptRun {
    return yield* this.#changed(frame, target, [container, yield* index])
  }

  /** Reads an element, which may be the default value of a map that lacks the key, and stores its new value. */
  *#changed(frame: Frame, target: ElementTarget, subscript: Subscript): ScriptRun {
    if (lacks(...subscript))
      yield* this.#unit.positions.positioned(this.#position, frame.runtime.receivers.index(...subscript))
    const before = this.#readElement(frame, target, subscript)
    if (this.#keeps(before)) return this.#storeIn(frame, subscript, before, null)
    const value = this.#value.attempt(frame)
    if (value instanceof Suspension) return yield* this.#afterValue(frame, subscript, before, value)
    return this.#storeIn(frame, subscript, before, value)
  }

  *#afterValue(frame: Frame, subscript: Subscript, before: unknown, { rest }: Suspension): ScriptRun {
    return this.#storeIn(frame, subscript, before, yield* rest)
  }

  #readElement({ runtime: { budget } }: Frame, { isMember }: ElementTarget, [container, index]: Subscript): unknown {
    try {
      return readTarget(container, index, isMember, budget)
    } catch (error) {
      throw this.#unit.positions.positionedError(error, this.#position)
    }
  }

  /** Stores a value in a container. `before` is the previous value for the operator of the assignment. */
  #storeIn(frame: Frame, [container, index]: Subscript, before: unknown, value: unknown): unknown {
    try {
      const stored = storeIn(container, index, this.#joined(frame, before, value), frame.runtime.budget)
      return this.#givesBefore ? before : stored
    } catch (error) {
      throw this.#unit.positions.positionedError(error, this.#position)
    }
  }
}

/** The value of a local variable. */
const localValue = ({ locals }: Frame, { index, isBoxed }: Local): unknown =>
  isBoxed ? (locals[index] as Box).value : locals[index]

type ElementTarget = Extract<TargetCode, { kind: "element" }>

/** Where an assignment stores its value. */
type Subscript = readonly [container: unknown, index: unknown]
