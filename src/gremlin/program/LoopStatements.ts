import type { ScriptRun } from "../HostCall.ts"
import { primitiveClasses } from "../parser/Names.ts"
import { attemptOf, Suspension } from "../Suspension.ts"
import { isTrue } from "../script/comparison/Truth.ts"
import { type MemberVisit, Visit } from "../script/methods/Visits.ts"
import { converted, isOfType } from "../script/types/Conversions.ts"
import { JavaArray } from "../script/values/JavaArray.ts"
import { Box, type Code, type Frame, type Runtime } from "./Frame.ts"
import type { Local, Unit } from "./Names.ts"
import { RangeCode } from "./RangeCode.ts"
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
  /** Runs rounds until a part of one waits, or the slice is over. */
  override attempt(frame: Frame): Completion | Suspension {
    const { body, condition, label, next, runsFirst } = this.#parts
    const { budget } = frame.runtime
    for (let isFirst = true; ; isFirst = false) {
      budget.spend(1)
      if (budget.isSliceOver) return new Suspension(this.#from(frame, isFirst))
      if (condition !== undefined && !(isFirst && runsFirst)) {
        const met = condition.attempt(frame)
        if (met instanceof Suspension) return new Suspension(this.#afterCondition(frame, met.rest))
        if (!isTrue(met)) return undefined
      }
      const tried = body.attempt(frame)
      if (tried instanceof Suspension) return new Suspension(this.#afterBody(frame, tried.rest))
      const end = after(tried, label)
      if (end === ENDS) return undefined
      if (end !== undefined) return end as Completion
      if (next !== undefined) {
        const rest = next.attempt(frame)
        if (rest instanceof Suspension) return new Suspension(this.#afterRound(frame, rest.rest))
      }
    }
  }
  run(frame: Frame): StatementRun {
    return this.#from(frame, true)
  }
  *#from(frame: Frame, begin: boolean): StatementRun {
    const { body, condition, label, next, runsFirst } = this.#parts
    const { budget } = frame.runtime
    for (let isFirst = begin; ; isFirst = false) {
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
  *#afterCondition(frame: Frame, rest: ScriptRun): StatementRun {
    if (!isTrue(yield* rest)) return undefined
    const tried = this.#parts.body.attempt(frame)
    return yield* this.#ended(frame, tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried)
  }
  *#afterBody(frame: Frame, rest: ScriptRun): StatementRun {
    return yield* this.#ended(frame, (yield* rest) as Completion)
  }
  /** Continues after the body of a round. */
  *#ended(frame: Frame, completion: Completion): StatementRun {
    const { label, next } = this.#parts
    const end = after(completion, label)
    if (end === ENDS) return undefined
    if (end !== undefined) return end as Completion
    const rest = next?.attempt(frame)
    if (rest instanceof Suspension) yield* rest.rest
    return yield* this.#from(frame, false)
  }
  *#afterRound(frame: Frame, rest: ScriptRun): StatementRun {
    yield* rest
    return yield* this.#from(frame, false)
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
  /** Runs rounds until a part of one waits, or the slice is over. */
  override attempt(frame: Frame): Completion | Suspension {
    const { budget } = frame.runtime
    this.#begin(frame)
    const members = this.#attemptMembers(frame)
    if (members instanceof Suspension) return new Suspension(this.#begun(frame, members.rest))
    const body = this.#body
    while (this.#goesOn(members)) {
      budget.spend(1)
      this.#store(frame, members.member)
      if (budget.isSliceOver) return new Suspension(this.#round(frame, members))
      const tried = body.attempt(frame)
      if (tried instanceof Suspension) return new Suspension(this.#afterBody(frame, members, tried.rest))
      const end = after(tried, this.#label)
      if (end === ENDS) return undefined
      if (end !== undefined) return end as Completion
    }
    return undefined
  }
  *run(frame: Frame): StatementRun {
    this.#begin(frame)
    return yield* this.#begun(frame, this.#members(frame))
  }
  /** As in Groovy, all rounds have one variable: closures that are made in several rounds see the last member. */
  #begin({ locals }: Frame): void {
    if (this.#local.isBoxed) locals[this.#local.index] = new Box(null)
  }
  *#begun(frame: Frame, members: ScriptRun): StatementRun {
    return yield* this.#rounds(frame, (yield* members) as MemberVisit)
  }
  #store({ locals, runtime }: Frame, member: unknown): void {
    const { index, isBoxed, type } = this.#local
    const value = isOfType(member, type) ? member : this.#converted(member, type, runtime)
    if (isBoxed) (locals[index] as Box).value = value
    else locals[index] = value
  }
  #converted(member: unknown, type: string, { budget }: Runtime): unknown {
    return this.#unit.positions.at(this.#position, () => converted(member, type, budget))
  }
  *#rounds(frame: Frame, members: MemberVisit): StatementRun {
    const { budget } = frame.runtime
    while (this.#goesOn(members)) {
      budget.spend(1)
      if (budget.isSliceOver) yield { kind: "pause" }
      this.#store(frame, members.member)
      const tried = this.#body.attempt(frame)
      const end = after(tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried, this.#label)
      if (end === ENDS) return undefined
      if (end !== undefined) return end as Completion
    }
    return undefined
  }
  /** Continues with the body of a round, for a member that is stored. */
  *#round(frame: Frame, members: MemberVisit): StatementRun {
    yield { kind: "pause" }
    const tried = this.#body.attempt(frame)
    return yield* this.#ended(frame, members, tried instanceof Suspension ? ((yield* tried.rest) as Completion) : tried)
  }
  *#afterBody(frame: Frame, members: MemberVisit, rest: ScriptRun): StatementRun {
    return yield* this.#ended(frame, members, (yield* rest) as Completion)
  }
  /** Continues after the body of a round. */
  *#ended(frame: Frame, members: MemberVisit, completion: Completion): StatementRun {
    const end = after(completion, this.#label)
    if (end === ENDS) return undefined
    return end === undefined ? yield* this.#rounds(frame, members) : (end as Completion)
  }
  /** A visit of the members, if nothing has to be waited for. */
  #attemptMembers(frame: Frame): MemberVisit | Suspension {
    if (this.#values instanceof RangeCode) {
      return this.#values.isPlain ? this.#values.membersNow(frame) : new Suspension(this.#members(frame))
    }
    const values = this.#values.attempt(frame)
    if (values instanceof Suspension) return new Suspension(this.#membersOf(frame, values.rest))
    if (Array.isArray(values) && !(values instanceof JavaArray)) return new Visit({ list: values, of: values })
    return attemptOf(this.#iterated(frame, values)) as MemberVisit | Suspension
  }
  *#members(frame: Frame): ScriptRun {
    if (this.#values instanceof RangeCode) {
      return yield* this.#values.members(frame)
    }
    return yield* this.#membersOf(frame, this.#values.run(frame))
  }
  *#membersOf(frame: Frame, values: ScriptRun): ScriptRun {
    return yield* this.#iterated(frame, yield* values)
  }
  *#iterated({ runtime }: Frame, values: unknown): ScriptRun {
    const members = yield* this.#unit.positions.positioned(this.#position, runtime.receivers.iterated(values))
    // As in Groovy, a loop visits a copy of an array of primitives.
    const isCopied = values instanceof JavaArray && primitiveClasses.has(values.type)
    const of = isCopied ? runtime.budget.list([...values]) : values
    return new Visit({ list: members as readonly unknown[], of })
  }
  /** Goes to the next member. False after the last one. */
  #goesOn(members: MemberVisit): boolean {
    try {
      return members.next()
    } catch (error) {
      throw this.#unit.positions.positionedError(error, this.#position)
    }
  }
}
