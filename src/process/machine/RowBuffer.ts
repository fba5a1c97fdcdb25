import type { Activation } from "../plan/Activation.ts"
import { type Batch, VALUE } from "../plan/Batch.ts"
import { DistinctRows } from "./DistinctRows.ts"

/** The rows that a barrier holds until all its input has come. */
export interface RowBuffer {
  /** Adds a batch. */
  add(batch: Batch): void
  /** Rows that it holds; equal ones that were merged are one. */
  readonly size: number
  /** Removes and returns the rows, in order. Called once. */
  take(): ReadonlyArray<Batch>
}

/** Which equal rows a barrier merges: only elements, or all values. */
export type Merging = "refs" | "values"

/**
 * Makes a row buffer. Equal rows become one with the sum of their bulks, in order of the first, unless their paths or sacks
 * prevent it. "refs" merges only elements, because equal values may differ (properties); "values" merges all, as barrier() does.
 */
export const rowBuffer = (activation: Activation, merging: Merging | null): RowBuffer => {
  const { plan, run } = activation
  const merges = merging !== null && (!plan.sack || run.sackMerge !== null) && (plan.path < 2 || plan.mergingShows)
  return merges ? new MergedRows(activation, merging) : new KeptRows(activation)
}

/** Counts the bytes of a buffer until its rows are taken. */
class Held {
  readonly #activation: Activation
  #bytes = 0
  count = 0
  constructor(activation: Activation) {
    this.#activation = activation
  }
  rows(count: number): void {
    this.count += count
    this.#bytes += count * ROW_BYTES
    this.#activation.run.hold(count * ROW_BYTES)
  }
  release(): void {
    this.#activation.run.hold(-this.#bytes)
    this.#bytes = 0
  }
}

/** Approximate size of a row in a buffer. */
export const ROW_BYTES = 48

/** A buffer that does not merge. */
class KeptRows implements RowBuffer {
  readonly #held: Held
  readonly #batches: Array<Batch> = []
  constructor(activation: Activation) {
    this.#held = new Held(activation)
  }
  get size(): number {
    return this.#held.count
  }

  add(batch: Batch): void {
    this.#batches.push(batch)
    this.#held.rows(batch.length)
  }
  take(): ReadonlyArray<Batch> {
    this.#held.release()
    return this.#batches
  }
}

/** A buffer that merges equal rows. */
class MergedRows implements RowBuffer {
  readonly #activation: Activation
  readonly #merging: Merging
  readonly #held: Held
  /** One table for each kind of column, and batches that are not merged, in order of first use. */
  readonly #parts: Array<DistinctRows | Batch> = []
  #current: DistinctRows | undefined
  constructor(activation: Activation, merging: Merging) {
    this.#activation = activation
    this.#merging = merging
    this.#held = new Held(activation)
  }

  get size(): number {
    return this.#held.count
  }

  add(batch: Batch): void {
    // Rows with paths are rarely equal, so they merge only if merging is observable.
    const isAlone = batch.path !== null && !this.#activation.plan.mergingShows
    if (isAlone || (batch.kind === VALUE && this.#merging === "refs")) {
      this.#parts.push(batch)
      this.#held.rows(batch.length)
      return
    }
    const rest = this.#activation.plan.mergingShows ? this.#absorbed(batch) : batch
    if (rest.length > 0) this.#addDistinct(rest)
  }

  #addDistinct(batch: Batch): void {
    if (this.#current === undefined || !this.#current.fits(batch)) {
      this.#current = this.#parts.find((part): part is DistinctRows => part instanceof DistinctRows && part.fits(batch))
      if (this.#current === undefined) this.#parts.push((this.#current = new DistinctRows(batch, this.#activation)))
    }
    const before = this.#current.size
    this.#current.add(batch)
    this.#held.rows(this.#current.size - before)
  }

  /** The rows of a batch without those that have merged with rows of another kind of column: an element is a ref or a value. */
  #absorbed(batch: Batch): Batch {
    let rest = batch
    for (const part of this.#parts) {
      const isOther = part.kind !== batch.kind && (part.kind === VALUE || batch.kind === VALUE)
      if (isOther && part instanceof DistinctRows) rest = part.absorb(rest)
    }
    return rest
  }

  take(): ReadonlyArray<Batch> {
    this.#held.release()
    return this.#parts.map((part) => (part instanceof DistinctRows ? part.batch() : part))
  }
}
