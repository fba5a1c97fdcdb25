import type { Task } from "../../scheduling/Task.ts"
import type { Activation } from "../plan/Activation.ts"
import { type Batch, select } from "../plan/Batch.ts"
import { concatTask } from "./StepTasks.ts"

/** A list of rows of several batches, for barriers that keep only a part of their input. */
export class RowList {
  /** The batch of each row. */
  readonly batches: Array<Batch> = []
  /** The index of each row in its batch. */
  readonly rows: Array<number> = []

  /** Number of rows. */
  get length(): number {
    return this.rows.length
  }

  /** Appends a row. */
  add(batch: Batch, row: number): void {
    this.batches.push(batch)
    this.rows.push(row)
  }

  /** Removes the first `count` rows. */
  drop(count: number): void {
    this.batches.splice(0, count)
    this.rows.splice(0, count)
  }
}

/** One batch with the rows of several lists, in order; null if all are empty. */
export function* assembleTask(lists: ReadonlyArray<RowList>, activation: Activation): Task<Batch | null> {
  const parts: Array<Batch> = []
  for (const { batches, rows } of lists) {
    let from = 0
    while (from < rows.length) {
      const batch = batches[from]!
      let to = from + 1
      while (to < rows.length && batches[to] === batch) to++
      parts.push(select(batch, rows.slice(from, to), to - from))
      from = to
      if (parts.length % SELECTIONS_PER_YIELD === 0) yield
    }
  }
  return parts.length === 0 ? null : yield* concatTask(parts, activation.transaction, activation.slice)
}

/** Selections of rows between two yields. */
const SELECTIONS_PER_YIELD = 64
