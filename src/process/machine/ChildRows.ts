import { runWhole, type Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { joinedBulks } from "../../structure/numbers/Bulks.ts"
import { LimitExceeded } from "../language/Errors.ts"
import type { Activation } from "../plan/Activation.ts"
import { Batch, select } from "../plan/Batch.ts"
import type { Plan } from "../plan/Plan.ts"
import type { Step } from "../plan/Step.ts"
import { concatTask } from "./StepTasks.ts"

/** Results of children that run over one chunk of a batch, sorted by the rows of the chunk. */
export class ChildRows {
  readonly #batches: Array<Batch> = []
  #ordered = true
  #last = 0
  #length = 0

  /** Number of results. */
  get length(): number {
    return this.#length
  }

  /** Adds results. Their origins are rows of the chunk. */
  add(batch: Batch): void {
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      if (origin < this.#last) this.#ordered = false
      this.#last = origin
    }
    this.#length += batch.length
    this.#batches.push(batch)
  }

  /** The results sorted by origin. */
  inOrder({ transaction }: Activation): ReadonlyArray<Batch> {
    return this.#ordered ? this.#batches : runWhole(this.#sorted(transaction, new TimeSlice()))
  }

  /** The same as {@link inOrder}, with yields. */
  *inOrderTask({ slice, transaction }: Activation): Task<ReadonlyArray<Batch>> {
    return this.#ordered ? this.#batches : yield* this.#sorted(transaction, slice)
  }

  /** Sorts by counting, which takes linear time: there are few origins. */
  *#sorted(transaction: GraphTransaction, slice: TimeSlice): Task<ReadonlyArray<Batch>> {
    const all = yield* concatTask(this.#batches, transaction, slice)
    let origins = 0
    for (let row = 0; row < all.length; row++) {
      origins = Math.max(origins, all.originOf(row) + 1)
      if (slice.isOverAfter(row + 1)) yield
    }
    const places = new Int32Array(origins + 1)
    for (let row = 0; row < all.length; row++) {
      places[all.originOf(row) + 1]!++
      if (slice.isOverAfter(row + 1)) yield
    }
    for (let origin = 1; origin < origins; origin++) places[origin]! += places[origin - 1]!
    const rows = new Int32Array(all.length)
    for (let row = 0; row < all.length; row++) {
      rows[places[all.originOf(row)]!++] = row
      if (slice.isOverAfter(row + 1)) yield
    }
    const sorted: Array<Batch> = []
    for (let from = 0; from < rows.length; from += CHUNK_ITEMS) {
      const part = rows.subarray(from, from + CHUNK_ITEMS)
      sorted.push(select(all, part, part.length))
      if (slice.isOverNow()) yield
    }
    return sorted
  }
}

/** What a result takes from its row of the chunk, besides origin, loops and bulk. */
type Inherits =
  /** The result is a traverser that passed through the child: local(), optional(). */
  | "nothing"
  /** The result is a new object that replaces the row, and has its path and sack. */
  | "path and sack"

/** Results of a child as rows of the batch that the chunk belongs to. */
export const asRowsOf = (chunk: Batch, result: Batch, inherits: Inherits): Batch => {
  const { length } = result
  const out = new Batch(result.kind, result.data, length)
  out.loops = chunk.loops
  const rows = result.origin ?? new Int32Array(length)
  if (chunk.bulk !== null || result.bulk !== null) {
    const bulk = new Float64Array(length)
    for (let i = 0; i < length; i++) bulk[i] = result.bulkOf(i) * chunk.bulkOf(rows[i]!)
    out.bulk = joinedBulks(bulk)
  }
  if (chunk.origin !== null) {
    const origin = new Int32Array(length)
    for (let i = 0; i < length; i++) origin[i] = chunk.origin[rows[i]!]!
    out.origin = origin
  }
  if (inherits === "nothing") {
    out.path = result.path
    out.sack = result.sack
    return out
  }
  const { path, sack } = chunk
  if (path !== null) out.path = Array.from(rows, (row) => path[row]!)
  if (sack !== null) out.sack = Array.from(rows, (row) => sack[row])
  return out
}

/**
 * Results of a child that replace the rows of a step. Where sacks merge, each of them is a traverser with the sack of its row, so
 * that a row with a bulk becomes as many rows. Throws LimitExceeded for more than a step can give at once.
 */
export const singles = (step: Step, result: Batch, { plan }: Activation): Batch => {
  const { bulk } = result
  if (!plan.mergingShows || !plan.sack || bulk === null) return result
  let traversers = 0
  for (let row = 0; row < result.length; row++) traversers += bulk[row]!
  if (traversers > MAX_SINGLES) {
    throw new LimitExceeded(
      `${step.operator}() has more than ${MAX_SINGLES} equal results for one traverser, whose sacks would merge one by one. ` +
        "Use local() in its place, or add dedup()."
    )
  }
  return apart(result)
}

/** Limit of the traversers that {@link singles} makes of one batch. */
const MAX_SINGLES = 100_000

/** Runs a child over rows and passes its results, sorted by row, to `done`. */
export const runInOrder = (
  child: Plan,
  rows: Batch,
  activation: Activation,
  done: (results: ReadonlyArray<Batch>, count: number) => void
): void => {
  const results = new ChildRows()
  activation.invokeAll(
    child,
    rows,
    (batch) => results.add(batch),
    () => done(results.inOrder(activation), results.length)
  )
}

/**
 * A batch whose first rows are one traverser each: all of them, or the first `most`. A bulk may be far larger than the memory, so
 * the rows after them keep theirs.
 */
export const apart = (batch: Batch, most = Number.POSITIVE_INFINITY): Batch => {
  if (batch.bulk === null || batch.bulk.every((bulk) => bulk === 1)) return batch
  const rows: Array<number> = []
  const bulks: Array<number> = []
  for (let row = 0; row < batch.length; row++) {
    let left = batch.bulkOf(row)
    for (; left > 0 && rows.length < most; left--) {
      rows.push(row)
      bulks.push(1)
    }
    if (left === 0) continue
    rows.push(row)
    bulks.push(left)
  }
  const out = select(batch, rows, rows.length)
  out.bulk = rows.length > most ? Float64Array.from(bulks) : null
  return out
}
