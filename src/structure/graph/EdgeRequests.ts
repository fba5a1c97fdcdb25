import type { AdjacencyReads, DirectionName, EdgeRequest, RefColumn } from "./GraphReads.ts"

/** A read of all edges of vertices, which stops after about `limit` edges. The answers are empty, and the read is at its beginning. */
export const edgesOf = (
  transaction: Pick<AdjacencyReads, "newRefs">,
  refs: RefColumn,
  direction: DirectionName,
  limit: number
): EdgeRequest => ({
  edges: true,
  refs,
  length: refs.length,
  direction,
  labels: null,
  cursor: { row: 0, offset: 0 },
  limit,
  out: { rows: new Int32Array(limit), refs: transaction.newRefs(limit), length: 0 }
})
