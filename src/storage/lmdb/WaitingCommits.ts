import type { CellBatch, LongWork } from "../janusgraph/cells/CellStore.ts"
import type { Answer } from "../shared/Answer.ts"

/** A commit that waits for its transaction of lmdb, or for the end of it. */
export interface Waiting {
  readonly work: (batch: CellBatch) => void
  /** The work of a commit in time slices; undefined for other commits. */
  readonly longWork: LongWork | undefined
  error: Error | undefined
  readonly answer: Answer
}

/** Completes commits with their own errors, or with a common one. */
export const settle = (group: Iterable<Waiting>, error: Error | undefined): void => {
  for (const waiting of group) {
    waiting.answer.give(waiting.error ?? error)
  }
}
