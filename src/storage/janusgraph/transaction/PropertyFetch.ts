import type { CellSnapshot } from "../cells/CellStore.ts"
import { sliceOf } from "../cells/Slices.ts"
import type { VertexId } from "../format/Ids.ts"
import { rowKey } from "../format/RowKeys.ts"
import { PROPERTIES_END } from "../rows/Headers.ts"
import type { VertexRow } from "../rows/Row.ts"
import type { TransactionView } from "./TransactionView.ts"

/** Fetches the properties of vertices from a store that answers later, unless the transaction has them. */
export const fetchProperties = async (
  reading: TransactionView,
  snapshot: CellSnapshot,
  partitionBits: number,
  ids: Iterable<VertexId>
): Promise<void> => {
  const rows = new Set<VertexRow>()
  for (const id of ids) {
    const row = reading.rows.row(id)
    if (!row.knowsProperties) rows.add(row)
  }
  if (rows.size === 0) return
  const queries = [...rows].map(({ id }) => sliceOf("edgestore", rowKey(id, partitionBits), undefined, PROPERTIES_END))
  const answers = await snapshot.fetch(queries)
  let at = 0
  for (const row of rows) row.addProperties(answers[at++]!.cells)
}
