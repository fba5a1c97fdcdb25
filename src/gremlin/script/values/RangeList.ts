import { NumberRange } from "../../../structure/numbers/NumberRange.ts"
import { OperandError } from "./OperandErrors.ts"

/** The part of a list or string that a range names. */
interface Borders {
  readonly from: number
  /** The index after the last one. */
  readonly to: number
  readonly isReverse: boolean
}

/** The integers of a range. As an index the range counts negative ends from the end: `x[1..-1]` leaves out the first. */
export class RangeList extends NumberRange {
  readonly #from: number
  readonly #to: number
  readonly #isInclusive: boolean

  constructor(numbers: ReadonlyArray<number | bigint>, from: number, to: number, isInclusive: boolean) {
    super(numbers.length)
    for (let at = 0; at < numbers.length; at++) this[at] = numbers[at]!
    this.#from = from
    this.#to = to
    this.#isInclusive = isInclusive
  }

  get text(): string {
    return `${this.#from}..${this.#isInclusive ? "" : "<"}${this.#to}`
  }

  /** True if the integers descend. */
  get isReverse(): boolean {
    return this.#from > this.#to
  }

  /** The least integer (`from`) or the greatest (`to`), as Groovy's properties give them. */
  end(which: "from" | "to"): number | bigint | null {
    return (this.isReverse === (which === "from") ? this.at(-1) : this[0]) ?? null
  }

  /** Each `width`-th integer, from the other end if the width is negative. Fails with OperandError for a width of 0. */
  stepped(width: number): Array<unknown> {
    if (width === 0) throw new OperandError("a range is stepped by a width that is not 0", "IllegalArgumentException")
    const numbers = width < 0 ? this.toReversed() : this
    return Array.from({ length: Math.ceil(numbers.length / Math.abs(width)) }, (_, at) => numbers[at * Math.abs(width)])
  }

  /** The error of a method that would change the range. */
  unchangeable(): OperandError {
    return new OperandError("a range cannot be changed: make a list of it by toList()", "UnsupportedOperationException")
  }

  /** The part of a list that an assignment replaces. It may begin at the end or after it. Fails with OperandError before the beginning. */
  bordersFor(size: number): Borders {
    const from = this.#from < 0 ? this.#from + size : this.#from
    const to = this.#to < 0 ? this.#to + size : this.#to
    const [first, last] = from <= to ? [from, to] : [to, from]
    if (first < 0) throw new OperandError(`the range ${this.text} begins before the list`, "IndexOutOfBoundsException")
    const after = this.#isInclusive ? last + 1 : last
    return { from: first, to: Math.max(first, Math.min(after, size)), isReverse: from > to }
  }

  /** The members that the range names in a list of this size. Fails with OperandError beyond its ends. */
  bordersIn(size: number, isText: boolean): Borders {
    const from = this.#from < 0 ? this.#from + size : this.#from
    const to = this.#to < 0 ? this.#to + size : this.#to
    const after = this.#isInclusive ? 1 : 0
    const borders: Borders =
      from > to ? { from: to + 1 - after, to: from + 1, isReverse: true } : { from, to: to + after, isReverse: false }
    if (borders.from >= 0 && borders.to <= size) return borders
    const problem = `the range ${this.text} is out of bounds for length ${size}`
    if (borders.from < 0) throw new OperandError(problem, "IndexOutOfBoundsException")
    if (!isText) throw new OperandError(problem, "IndexOutOfBoundsException", `toIndex = ${borders.to}`)
    const text = `begin ${borders.from}, end ${borders.to}, length ${size}`
    throw new OperandError(problem, "StringIndexOutOfBoundsException", text)
  }
}
