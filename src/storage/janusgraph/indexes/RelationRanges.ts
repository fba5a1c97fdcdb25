import type { IndexCondition } from "../../../structure/graph/GraphReads.ts"
import { successor } from "../cells/Cells.ts"
import { headersOf } from "../rows/Headers.ts"
import type { EdgeLabel, PropertyKey, RelationIndex, Schema } from "../schema/Schema.ts"
import { isSorted } from "./OrderedValues.ts"
import { type ColumnRange, rangesOf, withPrefix } from "./Ranges.ts"

/** A range of columns of a row; the end is exclusive. */
interface Columns {
  readonly start: Uint8Array
  readonly end: Uint8Array
}

/** A range of copies in a vertex-centric index. */
export interface Copies extends Columns {
  readonly index: RelationIndex
}

/**
 * The range of the copies in a vertex-centric index that includes all edges of a label that meet the conditions.
 * Undefined when no index restricts the edges.
 */
export const copiesFor = (
  schema: Schema,
  label: EdgeLabel,
  direction: "OUT" | "IN",
  conditions: ReadonlyArray<IndexCondition>
): Copies | undefined => {
  if (conditions.length === 0) return undefined
  for (const index of schema.copiesOf(label.id)) {
    if (index.status !== "ENABLED" || (index.direction !== "BOTH" && index.direction !== direction)) continue
    const range = rangeOfSortKey(index, conditions)
    if (range === undefined) continue
    const headers = headersOf(index.type, true)
    const { bytes, end } = direction === "OUT" ? headers.out : headers.in
    return {
      index,
      start: range.start === undefined ? bytes : Buffer.concat([bytes, range.start]),
      end: range.end === undefined ? end : Buffer.concat([bytes, range.end])
    }
  }
  return undefined
}

const rangeOfSortKey = (
  { type }: RelationIndex,
  conditions: ReadonlyArray<IndexCondition>
): ColumnRange | undefined => {
  let prefix: Uint8Array = new Uint8Array(0)
  let found: ColumnRange | undefined
  for (const key of type.sortKey as ReadonlyArray<PropertyKey>) {
    const range = rangeOfKey(key, conditions)
    if (range === undefined) break
    found = withPrefix(prefix, range.columns)
    if (!range.exact || range.columns.start === undefined) break
    prefix = Buffer.concat([prefix, range.columns.start])
  }
  if (found === undefined) return undefined
  return type.descending ? inverted(found) : found
}

/** The range of one key. Texts have no range: JanusGraph encodes them differently from an ordered index. */
const rangeOfKey = (
  key: PropertyKey,
  conditions: ReadonlyArray<IndexCondition>
): { readonly columns: ColumnRange; readonly exact: boolean } | undefined => {
  if (!isSorted(key) || key.dataType.name === "String") return undefined
  for (const condition of conditions) {
    const ranges = condition.key === key.name ? rangesOf(key, condition) : undefined
    const [columns, ...more] = ranges ?? []
    if (columns === undefined || more.length > 0) continue
    const next = columns.start === undefined ? undefined : successor(columns.start)
    const exact = next !== undefined && columns.end !== undefined && Buffer.compare(next, columns.end) === 0
    return { columns, exact }
  }
  return undefined
}

/** The range of the same values when all bytes are inverted, for a descending index. */
const inverted = ({ end, start }: ColumnRange): ColumnRange => ({
  start: end === undefined ? undefined : successor(invertedBytes(end)),
  end: start === undefined ? undefined : successor(invertedBytes(start))
})

const invertedBytes = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => 255 - byte)
