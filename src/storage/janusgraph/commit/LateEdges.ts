import type { Ref } from "../../../structure/Element.ts"
import { TransactionConflict } from "../../../structure/StoreErrors.ts"
import type { Cells } from "../cells/Cells.ts"
import { prefixes } from "../format/RelationTypes.ts"
import { adjacencyOf } from "../rows/Adjacency.ts"
import { groupsOf } from "../rows/Row.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import type { TransactionReading } from "../transaction/TransactionReading.ts"

/**
 * Throws TransactionConflict when a vertex that the transaction removes has an edge that it does not remove: one that came
 * after it had read the others, where a store has no snapshots. Its other end would stay.
 *
 * @param cells the newest row of the vertex
 */
export const assertNoLateEdges = (reading: TransactionReading, own: Overlay, ref: Ref, cells: Cells): void => {
  for (const group of groupsOf(cells)) {
    if (group.prefix !== prefixes.edge) continue
    const type = reading.schema.type(group.typeId) as EdgeLabel | undefined
    const adjacency = type === undefined ? undefined : adjacencyOf(group, type)
    if (adjacency === undefined) throw late(reading, ref)
    for (let at = 0; at < adjacency.relations.length; at++) {
      if (own.removedEdges.has(reading.edges.find(adjacency.relation(at)))) continue
      if (!reading.hasEdgeEnded(group, adjacency.offsets[at]!)) throw late(reading, ref)
    }
  }
}

const late = (reading: TransactionReading, ref: Ref): TransactionConflict =>
  new TransactionConflict(`the edges of vertex ${reading.vertexRefs.id(ref)}, which this transaction removes`)
