import type { SliceQuery, Table } from "./CellStore.ts"

/**
 * A slice whose object has all fields. The code that reads slices is slower for good once it has met objects of a fifth form, even
 * once and at the start. All slices of requests, of the schema and of commits are therefore made here and by {@link withLimit} and
 * {@link reversed}.
 */
export const sliceOf = (
  table: Table,
  key: Uint8Array,
  start?: Uint8Array,
  end?: Uint8Array,
  limit?: number
): SliceQuery => ({ table, key, start, end, limit, reverse: undefined })

/** A slice with another limit. */
export const withLimit = ({ end, key, reverse, start, table }: SliceQuery, limit: number | undefined): SliceQuery => ({
  table,
  key,
  start,
  end,
  limit,
  reverse
})

/** A slice that is read from its end. */
export const reversed = ({ end, key, limit, start, table }: SliceQuery): SliceQuery => ({
  table,
  key,
  start,
  end,
  limit,
  reverse: true
})
