import type { CellChange, LongWork, Page, Table } from "../cells/CellStore.ts"
import { CellCursor, type Cells, noCells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { rowKeysOf } from "../format/PartitionedVertices.ts"
import type { GraphCore } from "../GraphCore.ts"
import { fieldRow, indexRowPrefix } from "../indexes/IndexEntries.ts"
import { headersOf } from "../rows/Headers.ts"
import type { GraphIndex, RelationIndex } from "../schema/Schema.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import { CommitSize } from "./CommitSize.ts"
import { commitPieces, someRows, vertexPages } from "./IndexBuild.ts"
import { indexOf, relationIndexOf } from "./IndexStatus.ts"
import { untilDone } from "./PatientWork.ts"

/** Rows that are read at once. */
const ROWS_PER_READ = 1024

/** Entries that one commit removes; the last page may exceed it. Other commits wait for this one a few milliseconds. */
const ENTRIES_PER_COMMIT = 4096

/** Copies that one commit removes at most; the last row may exceed it. */
const COPIES_PER_COMMIT = 4096

/** Copies that are processed between two yields. */
const COPIES_PER_YIELD = 64

/**
 * Removes the entries of an index, or the copies of a vertex-centric index. Commits must have stopped to write the index.
 */
export const removeIndexEntries = async (core: GraphCore, id: number): Promise<void> => {
  const index = indexOf(core.schema, id)
  const relationIndex = relationIndexOf(core.schema, id)
  if (index?.engineStatus !== undefined) await core.documents!.discard(index)
  else if (index !== undefined) await removeEntries(core, index)
  if (relationIndex !== undefined) await removeCopies(core, relationIndex)
}

/** Removes the entries of a graph index. */
const removeEntries = async (core: GraphCore, index: GraphIndex): Promise<void> => {
  if (index.kind !== "equality") return removeRows(core, "engine_ranges", rangeRows(index))
  const begin = indexRowPrefix(index)
  let last: Uint8Array | undefined
  for (;;) {
    const rows = await someRows(core, "graphindex", last, ROWS_PER_READ)
    if (rows.length === 0) return
    last = Uint8Array.from(rows.at(-1)!.key)
    const mine = rows.map(({ key }) => key).filter((key) => begin.equals(key.subarray(0, begin.length)))
    if (mine.length > 0) await removeRows(core, "graphindex", mine)
  }
}

/** The keys of all rows that an ordered or mixed index can have. */
const rangeRows = (index: GraphIndex): ReadonlyArray<Uint8Array> =>
  index.kind === "ordered"
    ? [indexRowPrefix(index)]
    : index.fields.flatMap((key, at) => index.forms[at]!.map((form) => fieldRow(index, key, form)))

/** Removes rows. In a store that answers at once, many commits remove the cells of a long row, because the store removes them singly. */
const removeRows = async (core: GraphCore, table: Table, keys: ReadonlyArray<Uint8Array>): Promise<void> => {
  for (let at = 0; at < keys.length; ) {
    let next = at
    const remove: LongWork = function* (batch) {
      let removed = 0
      for (next = at; next < keys.length && removed < ENTRIES_PER_COMMIT; next++) {
        const key = keys[next]!
        let start: Uint8Array | undefined
        // A store that answers later removes a row by one statement.
        let page: Page = core.cells.answersLater ? { cells: noCells, more: false } : batch.slice(sliceOf(table, key))
        for (; page.more; page = batch.slice(sliceOf(table, key, start))) {
          // The next commit continues with the rest of the row.
          if (removed >= ENTRIES_PER_COMMIT) return
          const changes = removals(page.cells)
          batch.change(table, key, changes)
          removed += changes.length
          start = after(lastColumn(page.cells))
          yield
        }
        const rest = removals(page.cells)
        if (start === undefined) batch.removeRow(table, key)
        else batch.change(table, key, rest)
        removed += rest.length
        yield
      }
    }
    await untilDone(core, () => commitPieces(core, remove))
    at = next
  }
}

/** The changes that remove these cells. */
const removals = (cells: Cells): ReadonlyArray<CellChange> => {
  const cursor = new CellCursor().over(cells)
  const changes: Array<CellChange> = []
  while (cursor.next()) changes.push({ column: Uint8Array.from(cursor.column()), value: null })
  return changes
}

/**
 * Removes the copies of a vertex-centric index by their columns. It needs neither the copied relations nor the schema.
 */
const removeCopies = async (core: GraphCore, { type }: RelationIndex): Promise<void> => {
  const { in: inHeader, out } = headersOf(type, true)
  const size = new CommitSize(COPIES_PER_YIELD, COPIES_PER_COMMIT)
  for await (const ids of vertexPages(core)) {
    for (let at = 0; at < ids.length; ) {
      let next = at
      let milliseconds = 0
      const remove: LongWork = function* (batch) {
        const begun = performance.now()
        const changes = new RowChanges()
        let removed = 0
        for (next = at; next < ids.length && removed < size.value; next++) {
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
        milliseconds = performance.now() - begun
      }
      await untilDone(core, () => commitPieces(core, remove))
      size.delayed(milliseconds)
      at = next
    }
  }
}
