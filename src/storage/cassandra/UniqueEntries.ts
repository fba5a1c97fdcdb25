import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { CellCursor, type Cells } from "../janusgraph/cells/Cells.ts"
import { sliceOf } from "../janusgraph/cells/Slices.ts"
import type { ChangedRow, CqlBatch, KnownPages } from "./CqlBatch.ts"
import type { LockTarget } from "./coordination/LockTargets.ts"
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

/** True for a row whose unique entry a commit changes. Without `removed`: only if it has a value then. */
const changesEntry = ({ changes, table }: ChangedRow, removed: boolean): boolean =>
  table === "graphindex" && changes.some(({ column, value }) => isUniqueColumn(column) && (removed || value !== null))

/** True for a row whose unique entry an element of the commit had before. */
const hadEntry = ({ changes }: ChangedRow): boolean =>
  changes.some(({ column, replaces, value }) => isUniqueColumn(column) && (replaces === true || value === null))

/**
 * Queries for the changed entries of unique indexes that a commit must read before it locks them; none if it has read all of them. `first`:
 * the pages that were read before the elements that have had the entries.
 */
export const unreadEntryQueries = (
  batch: CqlBatch,
  known: KnownPages,
  first: ReadonlySet<Page>
): ReadonlyArray<SliceQuery> => {
  const wanted: Array<SliceQuery> = []
  let areRead = true
  for (const row of batch.rows.values()) {
    if (!changesEntry(row, true) || isSchemaData(row)) continue
    const query = entryQuery(row)
    const page = known.get(query)
    const isFirst = page !== undefined && first.has(page)
    if (page !== undefined && !isFirst && !hadEntry(row)) continue
    wanted.push(query)
    if (!isFirst) areRead = false
  }
  return areRead ? [] : wanted
}

/** True if a commit needs locks that other instances see: it changes unique entries, or its work locked cells. */
export const needsLocks = (batch: CqlBatch): boolean => {
  if (batch.locked.some(isLockedRelation)) return true
  // A name of a type may be removed without a lock.
  for (const row of batch.rows.values()) if (changesEntry(row, !isSchemaData(row))) return true
  return false
}

const isLockedRelation = ({ table }: Pick<SliceQuery, "table">): boolean => table === "edgestore"

/**
 * Cells that a commit must lock: the unique entries that it writes, and the cells that its work locked. With `isShared`, also
 * the unique entries that it removes; the commit has read all of them, except those of removed names of types.
 */
export const lockTargets = (batch: CqlBatch, known: KnownPages, isShared: boolean): ReadonlyArray<LockTarget> => {
  const targets: Array<LockTarget> = []
  for (const row of batch.rows.values()) {
    if (!changesEntry(row, isShared)) continue
    const page = known.get(entryQuery(row))
    // A process that is alone compares nothing under its locks.
    if (page === undefined && isShared) continue
    const expected = page === undefined ? undefined : onlyValue(page.cells)
    targets.push({ table: "graphindex", key: row.key, column: UNIQUE_COLUMN, expected })
  }
  for (const locked of batch.locked) {
    const { column, key, page } = locked
    if (isLockedRelation(locked)) targets.push({ table: "edgestore", key, column, expected: onlyValue(page.cells) })
  }
  return targets
}
