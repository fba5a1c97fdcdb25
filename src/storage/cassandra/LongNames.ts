import type { SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { LONGEST_NAME } from "./ColumnStore.ts"

/** True for a query with a key or a bound that is too long for a statement. */
export const hasLongNames = ({ end, key, start }: SliceQuery): boolean =>
  key.length > LONGEST_NAME || (start?.length ?? 0) > LONGEST_NAME || (end?.length ?? 0) > LONGEST_NAME

/** The query without bounds that are too long, with the same answer; undefined if the answer has no cells. */
export const withShortNames = (query: SliceQuery): SliceQuery | undefined => {
  if (!hasLongNames(query)) return query
  if (query.key.length > LONGEST_NAME) return undefined
  const [start, end] = [shortBound(query.start), shortBound(query.end)]
  if (start === "past all" || (isBound(start) && isBound(end) && Buffer.compare(start, end) >= 0)) return undefined
  return { ...query, start, end: end === "past all" ? undefined : end }
}

const isBound = (bound: Uint8Array | string | undefined): bound is Uint8Array => bound instanceof Uint8Array

/** The first possible column that is not before a bound: after the beginning of a bound that is too long for a column. */
const shortBound = (bound: Uint8Array | undefined): Uint8Array | "past all" | undefined => {
  if (bound === undefined || bound.length <= LONGEST_NAME) return bound
  let length = LONGEST_NAME
  while (length > 0 && bound[length - 1] === 255) length--
  if (length === 0) return "past all"
  const next = Uint8Array.prototype.slice.call(bound, 0, length)
  next[length - 1]!++
  return next
}
