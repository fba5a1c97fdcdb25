import type { Activation } from "../plan/Activation.ts"
import { type Batch, VALUE } from "../plan/Batch.ts"
import { DistinctRows } from "./DistinctRows.ts"

/** What a barrier holds until everything before it is through. */
export interface RowBuffer {
  add(batch: Batch): void
  /** What was taken in, in order. Called once. */
  take(): ReadonlyArray<Batch>
}

/** How a barrier that may merge treats equal rows. */
export type Merging = "refs" | "values"

/**
 * A place to gather rows in. Equal rows become one with the sum of their bulks, at the place of the first, where nothing
 * that rows carry would be lost: "refs" merges elements only (values may be equal and yet not the same: properties),
 * "values" everything, as barrier() does.
 */
export const rowBuffer = (activation: Activation, merging: Merging | null): RowBuffer => {
  const { plan, run } = activation
  const merges =
    merging !== null && (!plan.sack || run.sackMerge !== null) && (plan.path < 2 || mergesPaths(activation))
  return merges ? new MergedRows(activation, merging) : new KeptRows(activation)
}

/** True where it shows that rows with equal paths meet: their sacks are merged, or they count once. */
const mergesPaths = ({ plan, run }: Activation): boolean => (plan.sack && run.sackMerge !== null) || !run.bulk

/** Counts what is held until it is taken. */
class Held {
  readonly #activation: Activation
  #bytes = 0
  constructor(activation: Activation) {
    this.#activation = activation
  }
  rows(count: number): void {
    this.#bytes += count * BYTES
    this.#activation.run.hold(count * BYTES)
  }
  release(): void {
    this.#activation.run.hold(-this.#bytes)
    this.#bytes = 0
  }
}

/** What a row takes, about. */
const BYTES = 48

class KeptRows implements RowBuffer {
  readonly #held: Held
  readonly #batches: Array<Batch> = []
  constructor(activation: Activation) {
    this.#held = new Held(activation)
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

class MergedRows implements RowBuffer {
  readonly #activation: Activation
  readonly #merging: Merging
  readonly #held: Held
  /** One table for each kind, and batches that are not merged, in the order in which they were first needed. */
  readonly #parts: Array<DistinctRows | Batch> = []
  #current: DistinctRows | undefined
  constructor(activation: Activation, merging: Merging) {
    this.#activation = activation
    this.#merging = merging
    this.#held = new Held(activation)
  }

  add(batch: Batch): void {
    // Rows with a path rarely are equal: they are compared only where it shows.
    const isAlone = batch.path !== null && !mergesPaths(this.#activation)
    if (isAlone || (batch.kind === VALUE && this.#merging === "refs")) {
      this.#parts.push(batch)
      this.#held.rows(batch.length)
      return
    }
    if (this.#current === undefined || !this.#current.fits(batch)) {
      this.#current = this.#parts.find((part): part is DistinctRows => part instanceof DistinctRows && part.fits(batch))
      if (this.#current === undefined) this.#parts.push((this.#current = new DistinctRows(batch, this.#activation)))
    }
    const before = this.#current.size
    this.#current.add(batch)
    this.#held.rows(this.#current.size - before)
  }

  take(): ReadonlyArray<Batch> {
    this.#held.release()
    return this.#parts.map((part) => (part instanceof DistinctRows ? part.batch() : part))
  }
}
