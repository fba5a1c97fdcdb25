import type { GraphTransaction, Later, Reads } from "../../src/structure/GraphStore.ts"

/** The end of what is answered at once or later. */
export const settled = (later: Later | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (later === undefined) resolve()
    else later.onDone((error) => (error === undefined ? resolve() : reject(error)))
  })

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
