import { OperandError } from "./OperandErrors.ts"

/** The part of a list or string that a range names. */
interface Borders {
  readonly from: number
  /** The index after the last one. */
  readonly to: number
  readonly isReverse: boolean
}

/** The integers of a range. As an index the range counts negative ends from the end: `x[1..-1]` leaves out the first. */
export class RangeList extends Array<number> {
  /** Methods such as slice() make lists, which are no ranges. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  readonly #from: number
  readonly #to: number
  readonly #isInclusive: boolean

  /** @param numbers the integers of the range, at least one */
  constructor(numbers: readonly number[], from: number, to: number, isInclusive: boolean) {
    super(numbers.length)
    for (let at = 0; at < numbers.length; at++) this[at] = numbers[at]!
    this.#from = from
    this.#to = to
    this.#isInclusive = isInclusive
  }

  /** The members of a list of this many members that the range names. Fails with OperandError beyond its ends. */
  bordersIn(size: number): Borders {
    const from = this.#from < 0 ? this.#from + size : this.#from
    const to = this.#to < 0 ? this.#to + size : this.#to
    const after = this.#isInclusive ? 1 : 0
    const borders: Borders =
      from > to ? { from: to + 1 - after, to: from + 1, isReverse: true } : { from, to: to + after, isReverse: false }
    if (borders.from >= 0 && borders.to <= size) return borders
    throw new OperandError(
      `the range ${this.#from}..${this.#isInclusive ? "" : "<"}${this.#to} is out of bounds for length ${size}`,
      "IndexOutOfBoundsException"
    )
  }
}
