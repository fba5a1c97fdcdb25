import type { Task } from "../../../scheduling/Task.ts"
import type { CellStore } from "../cells/CellStore.ts"
import { compareColumns } from "../cells/Cells.ts"
import { NORMAL_VERTEX, vertexId } from "../format/Ids.ts"
import { idOfRowKey, rowKey } from "../format/RowKeys.ts"
import type { IdBlock } from "./IdSource.ts"

/** Rows that one read returns. */
const ROWS_PER_READ = 64

/**
 * True if a vertex has an id of the block: clients may have chosen it while the graph had `graph.set-vertex-id=true`. Yields after each
 * read: the rows of static vertices, which have their own counts, are between those of the block. Each read has a new snapshot. Only
 * for stores that answer at once, and scan rows by the lengths of their keys, and then by the keys.
 */
export function* isTaken(store: CellStore, { count, first, partition }: IdBlock, partitionBits: number): Task<boolean> {
  const key = (at: number): Buffer => rowKey(vertexId(at, partition, partitionBits), partitionBits)
  const end = key(first + count)
  for (let last: Uint8Array = key(first - 1); ; ) {
    const keys = keysAfter(store, last)
    for (const found of keys) {
      // A longer key is that of a text id.
      if (found.length !== end.length || compareColumns(found, end) >= 0) return false
      const id = idOfRowKey(found, partitionBits)
      // Types, static and partitioned vertices have rows between those of other vertices.
      if (typeof id === "number" && id % 8 === NORMAL_VERTEX) return true
    }
    if (keys.length === 0) return false
    last = keys.at(-1)!
    yield
  }
}

/** The keys of some rows after the row with the key `last`. */
const keysAfter = (store: CellStore, last: Uint8Array): ReadonlyArray<Uint8Array> => {
  const snapshot = store.snapshot()
  try {
    const rows = snapshot.scanFrom("edgestore", last).next(ROWS_PER_READ)
    return rows.map(({ key }) => Uint8Array.from(key))
  } finally {
    snapshot.close()
  }
}
