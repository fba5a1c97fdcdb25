import type { Table } from "../CellStore.ts"
import { RelationCells } from "../commit/RelationCells.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import type { GraphCore } from "../GraphCore.ts"
import { indexRowPrefix } from "../indexes/IndexEntries.ts"
import { RowLoader } from "../RowLoader.ts"
import type { GraphIndex, RelationIndex } from "../schema/Schema.ts"
import { commitLater, copiesOf, someRows, vertexPages } from "./IndexBuilding.ts"

/** Rows that are looked at between two commits. */
const ROWS = 1024

/** Removes the entries of an index that is in the schema no more. */
export const removeEntries = async (core: GraphCore, index: GraphIndex): Promise<void> => {
  const begin = indexRowPrefix(index)
  const table: Table = index.kind === "equality" ? "graphindex" : "engine_ranges"
  let last: Uint8Array | undefined
  for (;;) {
    const rows = await someRows(core, table, last, ROWS)
    if (rows.length === 0) return
    last = Uint8Array.from(rows.at(-1)!.key)
    const mine = rows.filter(({ key }) => begin.equals(key.subarray(0, begin.length)))
    if (mine.length === 0) continue
    await commitLater(core, (batch) => {
      for (const { key } of mine) batch.removeRow(table, key)
    })
  }
}

/** Removes the copies of a vertex-centric index that is in the schema no more. */
export const removeCopies = async (core: GraphCore, index: RelationIndex): Promise<void> => {
  for await (const ids of vertexPages(core)) {
    await commitLater(core, (batch) => {
      const { schema } = core
      const base = schema.type(index.base)
      if (base === undefined) return
      const loader = new RowLoader((query) => batch.slice(query), core.options.partitionBits)
      const cells = new RelationCells(schema, core.options.partitionBits)
      const changes = new RowChanges()
      for (const vertex of ids) {
        for (const copy of copiesOf(loader, index, base, vertex, schema)) {
          const { key, column } = cells.cell(vertex, copy)
          changes.remove("edgestore", key, column)
        }
      }
      changes.apply(batch)
      core.cache.changes(batch.version, ids)
    })
  }
}
