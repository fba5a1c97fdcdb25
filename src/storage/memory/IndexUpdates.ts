import type { PropertyColumn } from "../shared/Properties.ts"
import { indexKeys } from "./HashIndex.ts"
import type { TableRecord } from "./Snapshots.ts"

/** Estimated bytes of what is noted about an index entry that is out of date. */
const STALE_BYTES = 32

/**
 * Brings the index on a column up to date after the value of a slot has changed from `had` to `has`, both as a reader gives
 * them. With a record, entries of the old value stay for older snapshots, and the record notes them.
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
    // An index that is being built may not have come here yet, but snapshots after its beginning need the entry.
    if (!index.ready) index.add(key, slot)
  }
  const wasThere = setOf(before)
  for (const key of after) {
    if (!(wasThere === null ? before.includes(key) : wasThere.has(key))) index.add(key, slot)
  }
}

/** Null where the few keys are found quickly enough in their list. */
const setOf = (keys: readonly unknown[]): ReadonlySet<unknown> | null => (keys.length > 16 ? new Set(keys) : null)
