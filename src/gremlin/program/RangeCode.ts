import type { HostCall, ScriptRun } from "../HostCall.ts"
import { asIndex } from "../script/methods/MethodTable.ts"
import { type MemberVisit, Visit } from "../script/methods/Visits.ts"
import { OperandError } from "../script/values/OperandErrors.ts"
import { RangeList } from "../script/values/RangeList.ts"
import { textRangeSize, textsBetween } from "../TextRange.ts"
import { type Code, type Frame, SuspendingCode } from "./Frame.ts"
import type { Unit } from "./Names.ts"

/** The first and the last integer of a range. Undefined for an empty range. */
interface Ends {
  readonly from: number
  readonly to: number
  /** True if the integers are Longs. */
  readonly isLong: boolean
}

/** Visits the integers between two ends, both included. They descend if `from` is greater than `to`. */
class CountedVisit implements MemberVisit {
  member: number | bigint = 0
  readonly #ends: Ends
  #at: number

  constructor(ends: Ends) {
    this.#ends = ends
    this.#at = ends.from
  }

  next(): boolean {
    const { from, isLong, to } = this.#ends
    const at = this.#at
    if (from <= to ? at > to : at < to) return false
    this.member = isLong ? BigInt(at) : at
    this.#at = from <= to ? at + 1 : at - 1
    return true
  }
}

/** The integers between two ends, as {@link CountedVisit} visits them. */
const countedBetween = (ends: Ends): Array<number | bigint> => {
  const visit = new CountedVisit(ends)
  const numbers: Array<number | bigint> = []
  while (visit.next()) numbers.push(visit.member)
  return numbers
}

/** The largest Int, because both ends of a range are Ints. */
const INT_MAX = 0x7fffffff

/** `a..b` and `a..<b`. */
export class RangeCode extends SuspendingCode {
  override readonly isPlain: boolean
  readonly #from: Code
  readonly #to: Code
  readonly #isInclusive: boolean
  readonly #unit: Unit
  readonly #position: number
  constructor(from: Code, to: Code, isInclusive: boolean, unit: Unit, position: number) {
    super()
    this.#from = from
    this.#to = to
    this.#isInclusive = isInclusive
    this.#unit = unit
    this.#position = position
    this.isPlain = from.isPlain && to.isPlain
  }
  override get(frame: Frame): unknown {
    return this.#list(frame, this.#from.get(frame), this.#to.get(frame))
  }
  *run(frame: Frame): ScriptRun {
    return this.#list(frame, yield* this.#from.run(frame), yield* this.#to.run(frame))
  }
  /** The members one after the other, for a loop that needs no list. */
  *members(frame: Frame): Generator<HostCall, MemberVisit, unknown> {
    return this.#counted(frame, yield* this.#from.run(frame), yield* this.#to.run(frame))
  }
  /** The members of a plain range, as {@link members} gives them. */
  membersNow(frame: Frame): MemberVisit {
    return this.#counted(frame, this.#from.get(frame), this.#to.get(frame))
  }
  #counted(frame: Frame, first: unknown, last: unknown): MemberVisit {
    const texts = this.#texts(frame, first, last)
    if (texts !== undefined) return new Visit({ list: texts, of: undefined })
    const ends = this.#ends(first, last)
    return ends === undefined ? new Visit({ list: [], of: undefined }) : new CountedVisit(ends)
  }
  /** The texts between two texts; undefined for other ends. */
  #texts({ runtime: { budget } }: Frame, first: unknown, last: unknown): string[] | undefined {
    if (typeof first !== "string" || typeof last !== "string") return undefined
    return this.#unit.positions.at(this.#position, () => {
      const size = textRangeSize(first, last)
      if (size === undefined) {
        throw new OperandError("the two ends of a range of strings may differ only in their last character")
      }
      budget.spend(size, "this range")
      budget.created(size)
      return textsBetween(first, last, this.#isInclusive ? size : Math.max(0, size - 1))
    })
  }
  #ends(first: unknown, last: unknown): Ends | undefined {
    return this.#unit.positions.at(this.#position, () => {
      const from = asIndex(first)
      const to = asIndex(last)
      if (Math.abs(from) > INT_MAX || Math.abs(to) > INT_MAX) throw new OperandError("both ends of a range are Ints")
      const isLong = typeof first === "bigint" || typeof last === "bigint"
      if (this.#isInclusive) return { from, to, isLong }
      return from === to ? undefined : { from, to: from < to ? to - 1 : to + 1, isLong }
    })
  }
  #list(frame: Frame, first: unknown, last: unknown): unknown {
    const texts = this.#texts(frame, first, last)
    if (texts !== undefined) return texts
    const ends = this.#ends(first, last)
    return this.#unit.positions.at(this.#position, () => {
      if (ends === undefined) return new RangeList([], asIndex(first), asIndex(last), this.#isInclusive)
      const size = Math.abs(ends.to - ends.from) + 1
      frame.runtime.budget.spend(size, "this range")
      frame.runtime.budget.created(size)
      return new RangeList(countedBetween(ends), asIndex(first), asIndex(last), this.#isInclusive)
    })
  }
}
