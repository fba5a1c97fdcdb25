import { sliceOf, type Table } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { rowKeysOf } from "../format/PartitionedVertices.ts"
import type { GraphCore } from "../GraphCore.ts"
import { indexRowPrefix } from "../indexes/IndexEntries.ts"
import { headersOf } from "../rows/Headers.ts"
import type { GraphIndex, RelationIndex } from "../schema/Schema.ts"
import { commitPieces, someRows, vertexPages } from "./IndexBuild.ts"
import { indexOf, relationIndexOf } from "./IndexStatus.ts"

/** Rows that are read for one commit. */
const ROWS_PER_COMMIT = 1024

/** Copies that one commit removes; the last row may exceed it. */
const COPIES_PER_COMMIT = 4096

/** Copies that are processed between two yields. */
const COPIES_PER_YIELD = 64

/**
 * Removes the entries of an index, or the copies of a vertex-centric index. Commits must have stopped to write the index.
 */
export const removeIndexEntries = async (core: GraphCore, id: number): Promise<void> => {
  const index = indexOf(core.schema, id)
  const relationIndex = relationIndexOf(core.schema, id)
  if (index?.outsideStatus !== undefined) await core.documents!.discard(index)
  else if (index !== undefined) await removeEntries(core, index)
  if (relationIndex !== undefined) await removeCopies(core, relationIndex)
}

/** Removes the entries of a graph index. */
const removeEntries = async (core: GraphCore, index: GraphIndex): Promise<void> => {
  const begin = indexRowPrefix(index)
  const table: Table = index.kind === "equality" ? "graphindex" : "engine_ranges"
  let last: Uint8Array | undefined
  for (;;) {
    const rows = await someRows(core, table, last, ROWS_PER_COMMIT)
    if (rows.length === 0) return
    last = Uint8Array.from(rows.at(-1)!.key)
    const mine = rows.filter(({ key }) => begin.equals(key.subarray(0, begin.length)))
    if (mine.length === 0) continue
    await commitPieces(core, function* (batch) {
      for (const { key } of mine) {
        batch.removeRow(table, key)
        yield
      }
    })
  }
}

/**
 * Removes the copies of a vertex-centric index by their columns. It needs neither the copied relations nor the schema.
 */
const removeCopies = async (core: GraphCore, { type }: RelationIndex): Promise<void> => {
  const { in: inHeader, out } = headersOf(type, true)
  for await (const ids of vertexPages(core)) {
    for (let at = 0; at < ids.length; ) {
      let next = at
      await commitPieces(core, function* (batch) {
        const changes = new RowChanges()
        let removed = 0
        for (next = at; next < ids.length && removed < COPIES_PER_COMMIT; next++) {
          const pages = rowKeysOf(ids[next]!, core.options.partitionBits).flatMap((key) =>
            [out, inHeader].map(({ bytes: start, end }) => ({
              key,
              ...batch.slice(sliceOf("edgestore", key, start, end))
            }))
          )
          for (const { cells, key } of pages) {
            const cursor = new CellCursor().over(cells)
            for (; cursor.next(); removed++) {
              changes.remove("edgestore", key, Uint8Array.from(cursor.column()))
              if (removed % COPIES_PER_YIELD === 0) yield
            }
          }
          yield
          // A row with more copies is continued in the next commit.
          if (pages.some(({ more }) => more)) break
        }
        yield* changes.applyTask(batch)
        core.cache.changes(batch.version, ids)
      })
      at = next
    }
  }
}
