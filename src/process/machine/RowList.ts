import type { Task } from "../../scheduling/Task.ts"
import type { Activation } from "../plan/Activation.ts"
import { type Batch, select } from "../plan/Batch.ts"
import { concatTask } from "./StepTasks.ts"

/** Rows of several batches as one list, for barriers that keep only some of what comes. */
export class RowList {
  readonly batches: Array<Batch> = []
  readonly rows: Array<number> = []

  get length(): number {
    return this.rows.length
  }

  add(batch: Batch, row: number): void {
    this.batches.push(batch)
    this.rows.push(row)
  }

  /** Forgets the first `count` rows. */
  drop(count: number): void {
    this.batches.splice(0, count)
    this.rows.splice(0, count)
  }
}

/** One batch of the rows of lists, in order; null when they are all empty. */
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
      if (parts.length % PARTS === 0) yield
    }
  }
  return parts.length === 0 ? null : yield* concatTask(parts, activation.transaction, activation.slice)
}

/** Batches of which rows are taken in one piece. */
const PARTS = 64
