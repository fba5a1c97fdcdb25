import type { CellSnapshot, SliceQuery } from "../cells/CellStore.ts"
import { sliceOf } from "../cells/Slices.ts"
import type { RelationIdentifier } from "../format/RelationIds.ts"
import { rowKey } from "../format/RowKeys.ts"
import { exactColumn } from "../rows/EdgeColumns.ts"
import { EDGES_END, EDGES_START, headersOf } from "../rows/Headers.ts"
import { groupsOf } from "../rows/Row.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import type { TransactionView } from "./TransactionView.ts"

/** Fetches the cells of edges by their ids from a store that answers later, and adds the edges to the transaction. */
export const fetchEdges = async (
  reading: TransactionView,
  snapshot: CellSnapshot,
  partitionBits: number,
  ids: ReadonlyArray<RelationIdentifier>
): Promise<void> => {
  const wanted: Array<RelationIdentifier> = []
  const queries: Array<SliceQuery> = []
  for (const given of ids) {
    const id = reading.canonicalEdge(given)
    const type = reading.schema.type(id.type)
    if (id.into === undefined || type?.isKey || reading.edges.find(id.relation) !== -1) continue
    const column = type === undefined ? undefined : exactColumn(id, type as EdgeLabel)
    const { bytes, end } = type === undefined ? { bytes: EDGES_START, end: EDGES_END } : headersOf(type).out
    const key = rowKey(id.out, partitionBits)
    wanted.push(id)
    queries.push(
      column === undefined ? sliceOf("edgestore", key, bytes, end) : sliceOf("edgestore", key, column, after(column))
    )
  }
  if (queries.length === 0) return
  const pages = await snapshot.fetch(queries)
  wanted.forEach((id, at) => {
    reading.requestedEdge(id.relation)
    for (const group of groupsOf(pages[at]!.cells)) {
      const type = reading.schema.type(group.typeId)
      if (type !== undefined && !group.isIn) reading.internFrom(group, id, type as EdgeLabel)
    }
  })
}
