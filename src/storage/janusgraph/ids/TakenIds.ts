import type { CellStore } from "../cells/CellStore.ts"
import { compareColumns } from "../cells/Cells.ts"
import { NORMAL_VERTEX, vertexId } from "../format/Ids.ts"
import { idOfRowKey, rowKey } from "../format/RowKeys.ts"
import type { IdBlock } from "./IdSource.ts"

/** Rows that one read returns. */
const ROWS_PER_READ = 64

/**
 * True if a vertex has an id of the block: clients may have chosen it while the graph had `graph.set-vertex-id=true`. Only for stores
 * that answer at once, and scan rows by the lengths of their keys, and then by the keys.
 */
export const isTaken = (store: CellStore, { count, first, partition }: IdBlock, partitionBits: number): boolean => {
  const key = (at: number): Buffer => rowKey(vertexId(at, partition, partitionBits), partitionBits)
  const end = key(first + count)
  const snapshot = store.snapshot()
  try {
    const scan = snapshot.scanFrom("edgestore", key(first - 1))
    for (let rows = scan.next(ROWS_PER_READ); rows.length > 0; rows = scan.next(ROWS_PER_READ)) {
      for (const { key: found } of rows) {
        // A longer key is that of a text id.
        if (found.length !== end.length || compareColumns(found, end) >= 0) return false
        const id = idOfRowKey(found, partitionBits)
        // Types, static and partitioned vertices have rows between those of other vertices.
        if (typeof id === "number" && id % 8 === NORMAL_VERTEX) return true
      }
    }
    return false
  } finally {
    snapshot.close()
  }
}
