import { TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { GraphIndex, RelationIndex, Schema } from "../schema/Schema.ts"

// A transaction over a store that answers later may be older than the removal of the entries of an index by the same process. What it
// reads of the index then may be too little.

/** False if the index has been disabled since `schema`: entries may be missing that a transaction with this schema needs. */
export const isStillUsed = ({ fields, id }: GraphIndex, schema: Schema, newest: Schema): boolean => {
  if (newest.version <= schema.version) return true
  const now = newest.indexes.find((index) => index.id === id)
  const hasGrown = now?.status === "REGISTERED" && now.fields.length > fields.length
  return now?.status === "ENABLED" || hasGrown
}

/** As {@link isStillUsed}, for the copies of a vertex-centric index. */
export const areCopiesStillUsed = ({ type }: RelationIndex, schema: Schema, newest: Schema): boolean =>
  newest.version <= schema.version ||
  newest.relationIndexes.find((index) => index.type.id === type.id)?.status === "ENABLED"

/** The error of a search in an index that is no longer used. The transaction finds everything when it runs again. */
export const wasRemoved = (name: string): TransactionConflict =>
  new TransactionConflict(`the index ${name}, in which it searches, was disabled or removed`)
