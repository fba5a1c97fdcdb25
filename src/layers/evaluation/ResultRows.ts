import { type ResultData, resultsOf } from "../../protocol/Messages.ts"
import { bytesOf } from "../../structure/HeldBytes.ts"

/** A row beside the value that it is. */
const ROW = 8

/**
 * Bytes that rows of one array take, about: the first speaks for all of them. Where the last is the same object they
 * are taken for one, which is held once.
 */
export const bytesOfRows = (values: ReadonlyArray<unknown>, first: number, length: number): number => {
  if (length <= first) return 0
  const value = values[first]
  const isShared = typeof value === "object" && value === values[length - 1]
  return isShared ? bytesOf(value) + (length - first) * ROW : (length - first) * bytesOf(value)
}

/**
 * Results between the run that makes them and the frames that carry them: takes arrays of any length, gives batches of
 * one size. For scripts a result is repeated as often as it occurred, for bytecode it travels once with its bulk.
 */
export class ResultRows {
  readonly #asTraversers: boolean
  #pending: Array<{
    readonly values: ReadonlyArray<unknown>
    readonly length: number
    readonly bulks: Float64Array | null
    readonly settle: (() => void) | null
  }> = []
  /** Row of the first pending array, and how often it was given already. */
  #row = 0
  #repeated = 0
  /** Results to come, repetitions counted where they are sent. */
  #count = 0

  constructor(asTraversers: boolean) {
    this.#asTraversers = asTraversers
  }

  /** Results that are not yet taken. */
  get count(): number {
    return this.#count
  }

  /** Bytes that they take, about. */
  get heldBytes(): number {
    let bytes = 0
    for (const { length, values } of this.#pending) bytes += bytesOfRows(values, 0, length)
    return bytes
  }

  /** `settle`: makes values that may still grow stay as they are; called when the first of them is taken. */
  add(
    values: ReadonlyArray<unknown>,
    length: number,
    bulks: Float64Array | null,
    settle: (() => void) | null = null
  ): void {
    if (length === 0) return
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

  /** What came as one array leaves as it is when it fits: the common small answer is never copied. */
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
