import { Pending } from "../../src/scheduling/Pending.ts"
import type { GraphTransaction, Reads } from "../../src/structure/GraphStore.ts"

/** Waits for the end of work that is done at once or later. */
export const settled = Pending.toPromise

/** Fetches what the reads need, where the store answers later. */
export const fetched = async (transaction: GraphTransaction, ...reads: ReadonlyArray<Reads>): Promise<void> => {
  if (transaction.answersLater) await settled(transaction.prefetch(reads))
}

/** One vertex or edge as the reads of a batch name it. */
export const column = (transaction: GraphTransaction, ...refs: ReadonlyArray<number>) => {
  const made = transaction.newRefs(refs.length)
  made.set(refs)
  return { refs: made, length: refs.length }
}
