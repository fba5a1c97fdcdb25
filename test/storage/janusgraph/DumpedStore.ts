import { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellChange } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { dumpedCells } from "./Fixtures.ts"
import { MemoryCellStore, type MemoryCellStoreOptions } from "./MemoryCellStore.ts"

/** A store with the cells of a graph that JanusGraph 1.1 wrote. */
export const dumpedStore = async (options: MemoryCellStoreOptions): Promise<MemoryCellStore> => {
  const store = new MemoryCellStore(options)
  await Pending.toPromise(
    store.commit((batch) => {
      for (const table of ["edgestore", "graphindex", "janusgraph_ids", "system_properties"] as const) {
        const rows = new Map<string, { readonly key: Buffer; readonly changes: Array<CellChange> }>()
        for (const { column, key, value } of dumpedCells(`jgfmt.${table}.csv`)) {
          const name = key.toString("hex")
          const row = rows.get(name) ?? { key, changes: [] }
          rows.set(name, row)
          row.changes.push({ column, value })
        }
        for (const { changes, key } of rows.values()) batch.change(table, key, changes)
      }
      batch.advanceSchema()
    })
  )
  return store
}
