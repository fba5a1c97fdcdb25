import type { Activation } from "../plan/Activation.ts"
import { Batch, concat, select } from "../plan/Batch.ts"
import type { Plan } from "../plan/Plan.ts"

/** Results of children that run over one piece of a batch, put in the order of the piece's rows. */
export class ChildRows {
  readonly #batches: Array<Batch> = []
  #ordered = true
  #last = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Takes in results; their origin is the row of the piece. */
  add(batch: Batch): void {
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      if (origin < this.#last) this.#ordered = false
      this.#last = origin
    }
    this.#length += batch.length
    this.#batches.push(batch)
  }

  /** The results in order: as they came when that is the order, else sorted by origin. */
  inOrder(activation: Activation): ReadonlyArray<Batch> {
    if (this.#ordered) return this.#batches
    const all = concat(this.#batches, activation.transaction)
    const rows = Int32Array.from({ length: all.length }, (_, i) => i)
    rows.sort((a, b) => all.originOf(a) - all.originOf(b) || a - b)
    return [select(all, rows, rows.length)]
  }
}

/** What a result takes from the row of the piece it belongs to, beside origin, loops and bulk. */
type Inherits =
  /** The result is a traverser that went through the child: local(), optional(). */
  | "nothing"
  /** The result is a new object at the place of the row: its path and sack are the row's. */
  | "path and sack"

/** Results of a child as rows of the batch the piece is of. */
export const asRowsOf = (piece: Batch, result: Batch, inherits: Inherits): Batch => {
  const { length } = result
  const out = new Batch(result.kind, result.data, length)
  out.loops = piece.loops
  const rows = result.origin ?? new Int32Array(length)
  if (piece.bulk !== null || result.bulk !== null) {
    const bulk = new Float64Array(length)
    for (let i = 0; i < length; i++) bulk[i] = result.bulkOf(i) * piece.bulkOf(rows[i]!)
    out.bulk = bulk
  }
  if (piece.origin !== null) {
    const origin = new Int32Array(length)
    for (let i = 0; i < length; i++) origin[i] = piece.origin[rows[i]!]!
    out.origin = origin
  }
  if (inherits === "nothing") {
    out.path = result.path
    out.sack = result.sack
    return out
  }
  const { path, sack } = piece
  if (path !== null) out.path = Array.from(rows, (row) => path[row]!)
  if (sack !== null) out.sack = Array.from(rows, (row) => sack[row])
  return out
}

/** Runs a child over rows and hands its results over in their order. */
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

/** Each traverser as a row of its own. */
export const apart = (batch: Batch): Batch => {
  if (batch.bulk === null || batch.bulk.every((bulk) => bulk === 1)) return batch
  const rows: Array<number> = []
  for (let row = 0; row < batch.length; row++) for (let i = 0; i < batch.bulkOf(row); i++) rows.push(row)
  const out = select(batch, rows, rows.length)
  out.bulk = null
  return out
}
