import { Pending } from "../../src/scheduling/Pending.ts"
import type { Reads } from "../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../src/structure/graph/GraphStore.ts"

/** Waits for the end of work that completes synchronously or later. */
export const settled = Pending.toPromise

/** Fetches the data of reads, in a store that answers later. */
export const fetched = async (transaction: GraphTransaction, ...reads: ReadonlyArray<Reads>): Promise<void> => {
  if (transaction.answersLater) await settled(transaction.prefetch(reads))
}

/** Vertices or edges as a column of refs. */
export const column = (transaction: GraphTransaction, ...refs: ReadonlyArray<number>) => {
  const made = transaction.newRefs(refs.length)
  made.set(refs)
  return { refs: made, length: refs.length }
}
