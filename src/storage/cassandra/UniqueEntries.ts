import { type SliceQuery, sliceOf } from "../janusgraph/cells/CellStore.ts"
import { CellCursor, type Cells } from "../janusgraph/cells/Cells.ts"
import type { ChangedRow, CqlBatch, KnownPages } from "./CqlBatch.ts"
import type { LockTarget } from "./coordination/Locks.ts"
import { isNameRow, isSchemaData } from "./WriteOrder.ts"

// Entries of unique composite indexes and of type names: a row has one cell, whose column is a single zero byte.

const UNIQUE_COLUMN = Buffer.from([0])
const AFTER_UNIQUE_COLUMN = Buffer.from([0, 0])

/** The value of the only cell of a page; undefined when it is empty. */
export const onlyValue = (cells: Cells): Uint8Array | undefined => {
  const cursor = new CellCursor().over(cells)
  return cursor.next() ? cursor.value() : undefined
}

const isUniqueColumn = (column: Uint8Array): boolean => column.length === 1 && column[0] === 0

const entryQuery = ({ key, table }: Pick<ChangedRow, "key" | "table">): SliceQuery =>
  sliceOf(table, key, UNIQUE_COLUMN, AFTER_UNIQUE_COLUMN, 1)

/** Queries for the index entries of the type names that a commit adds. */
export const newNameQueries = (batch: CqlBatch): ReadonlyArray<SliceQuery> => {
  if (!batch.advancesSchema) return []
  const names: Array<SliceQuery> = []
  for (const row of batch.rows.values()) {
    if (row.table !== "graphindex" || !isNameRow(row.key)) continue
    if (row.changes.some(({ column, value }) => isUniqueColumn(column) && value !== null)) names.push(entryQuery(row))
  }
  return names
}

/** The value that a commit writes into the entry of a query. */
export const newValue = (batch: CqlBatch, { key, table }: SliceQuery): Uint8Array | null | undefined =>
  batch.row(table, key)?.changes.find(({ column }) => isUniqueColumn(column))?.value

/** Queries for the entries of unique indexes that a commit removes and does not replace. */
export const removedEntryQueries = (batch: CqlBatch): ReadonlyArray<SliceQuery> => {
  const removed: Array<SliceQuery> = []
  for (const row of batch.rows.values()) {
    if (row.table !== "graphindex" || isSchemaData(row)) continue
    if (row.changes.some(({ column, value }) => isUniqueColumn(column) && value === null)) removed.push(entryQuery(row))
  }
  return removed
}

/** True if a commit needs locks that other instances see. */
export const needsLocks = (batch: CqlBatch, known: KnownPages): boolean =>
  lockTargets(batch, known, false).length > 0 || removedEntryQueries(batch).length > 0

/**
 * Cells that a commit must lock: the unique entries that it has read and writes, and the cells that its work locked. With
 * `removed`, also the unique entries that it has read and removes.
 */
export const lockTargets = (batch: CqlBatch, known: KnownPages, removed: boolean): ReadonlyArray<LockTarget> => {
  const targets: Array<LockTarget> = []
  for (const row of batch.rows.values()) {
    const isLocked = row.changes.some(({ column, value }) => isUniqueColumn(column) && (removed || value !== null))
    if (row.table !== "graphindex" || !isLocked) continue
    const page = known.get(entryQuery(row))
    if (page === undefined) continue
    targets.push({ table: row.table, key: row.key, column: UNIQUE_COLUMN, expected: onlyValue(page.cells) })
  }
  for (const { column, key, page, table } of batch.locked) {
    if (table === "edgestore") targets.push({ table, key, column, expected: onlyValue(page.cells) })
  }
  return targets
}
