import { type ResultData, resultsOf } from "../../protocol/Messages.ts"
import { bytesOf } from "../../structure/memory/HeldBytes.ts"
import { exactBulk } from "../../structure/numbers/Bulks.ts"

/** Memory of a row beside its value. */
const ROW_BYTES = 8

/**
 * Bytes of the rows of an array from index `first` to `length`, about. The size of the first row is assumed for all. When
 * the last row is the same object, its value is counted once.
 */
export const bytesOfRows = (values: ReadonlyArray<unknown>, first: number, length: number): number => {
  if (length <= first) return 0
  const value = values[first]
  const isShared = typeof value === "object" && value === values[length - 1]
  return isShared ? bytesOf(value) + (length - first) * ROW_BYTES : (length - first) * bytesOf(value)
}

/**
 * A queue of results between a run and the frames of its answer. It takes arrays of any length, and gives batches of one
 * size. For scripts a result is repeated as often as it occurs; for bytecode it is sent once, with its bulk.
 */
export class ResultRows {
  readonly #asTraversers: boolean
  #pending: Array<{
    readonly values: ReadonlyArray<unknown>
    readonly length: number
    readonly bulks: Float64Array | null
    readonly settle: (() => void) | null
  }> = []
  /** The next row of the first array, and how often it was already given. */
  #row = 0
  #repeated = 0
  /** Results that are not yet taken, with repetitions where they are sent. */
  #count = 0

  constructor(asTraversers: boolean) {
    this.#asTraversers = asTraversers
  }

  /** Results that are not yet taken. */
  get count(): number {
    return this.#count
  }

  /** Bytes of the results that are not yet taken, about. */
  get heldBytes(): number {
    let bytes = 0
    for (const { length, values } of this.#pending) bytes += bytesOfRows(values, 0, length)
    return bytes
  }

  /**
   * Adds the first `length` values. `settle` is called before one of them is taken: it copies values that may still change. Throws
   * ArithmeticFailure for a bulk that is not exact.
   */
  add(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: (() => void) | null = null
  ): void {
    if (length === 0) return
    if (bulks !== null) for (let i = 0; i < length; i++) exactBulk(bulks[i]!)
    this.#pending.push({ values, length, bulks, settle })
    if (bulks === null || this.#asTraversers) this.#count += length
    else for (let i = 0; i < length; i++) this.#count += bulks[i]!
  }

  clear(): void {
    this.#pending = []
    this.#row = 0
    this.#repeated = 0
    this.#count = 0
  }

  /** The next results, at most `size`. */
  take(size: number): ResultData {
    const whole = this.#wholeArray(size)
    if (whole !== undefined) return whole
    const length = Math.min(size, this.#count)
    const values = new Array<unknown>(length)
    const bulks = this.#asTraversers ? new Float64Array(length) : null
    let filled = 0
    while (filled < length) {
      const first = this.#pending[0]!
      first.settle?.()
      const value = first.values[this.#row]
      const bulk = first.bulks === null ? 1 : first.bulks[this.#row]!
      if (bulks !== null) {
        bulks[filled] = bulk
        values[filled++] = value
      } else {
        const times = Math.min(bulk - this.#repeated, length - filled)
        for (let i = 0; i < times; i++) values[filled++] = value
        this.#repeated += times
        if (this.#repeated < bulk) break
      }
      this.#repeated = 0
      if (++this.#row === first.length) {
        this.#row = 0
        this.#pending.shift()
      }
    }
    this.#count -= length
    return { values, length, bulks, asTraversers: this.#asTraversers }
  }

  /** A single array that fits is given as it is: a small answer is never copied. */
  #wholeArray(size: number): ResultData | undefined {
    if (this.#count === 0) return resultsOf([], this.#asTraversers)
    if (this.#pending.length !== 1 || this.#count > size || this.#row > 0 || this.#repeated > 0) return undefined
    const { bulks, length, settle, values } = this.#pending[0]!
    if (bulks !== null && !this.#asTraversers) return undefined
    settle?.()
    this.clear()
    return { values, length, bulks, asTraversers: this.#asTraversers }
  }
}
