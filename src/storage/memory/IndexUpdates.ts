import { indexKeys } from "./HashIndex.ts"
import type { PropertyColumn } from "./PropertyColumn.ts"
import type { TableRecord } from "./Snapshots.ts"

/** Estimated bytes of the notes about a stale index entry. */
const STALE_BYTES = 32

/**
 * Updates the index of a column after the value of a slot has changed from `had` to `has`, both as a reader returns them. With a
 * record, the entries of the old value stay for older snapshots, and the record notes them.
 */
export const updateIndex = (
  column: PropertyColumn,
  slot: number,
  had: unknown,
  has: unknown,
  record: TableRecord | undefined
): void => {
  const { index } = column
  if (index === null) return
  const before = indexKeys(had)
  const after = indexKeys(has)
  const stays = setOf(after)
  for (const key of before) {
    if (stays === null ? after.includes(key) : stays.has(key)) continue
    if (record === undefined) {
      index.remove(key, slot)
      continue
    }
    record.staleIndexes.push(index)
    record.staleColumns.push(column)
    record.staleKeys.push(key)
    record.staleSlots.push(slot)
    record.bytes += STALE_BYTES
    index.stale++
    // An index that is being built may not have reached this slot, but snapshots that are newer than the start of the build need the entry.
    if (!index.ready) index.add(key, slot)
  }
  const wasThere = setOf(before)
  for (const key of after) {
    if (!(wasThere === null ? before.includes(key) : wasThere.has(key))) index.add(key, slot)
  }
}

/** Null for few keys, which are searched in their list. */
const setOf = (keys: readonly unknown[]): ReadonlySet<unknown> | null => (keys.length > 16 ? new Set(keys) : null)
