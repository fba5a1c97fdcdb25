import type { CountedKind, Page, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, type Cells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { after, readWhole } from "../schema/SchemaRead.ts"
import type { RowChanges } from "./RowChanges.ts"

/** Element counts by label, in the table `engine_counters`: the rows of vertices and of edges. */
const counterRows = { vertex: Buffer.from("v"), edge: Buffer.from("e") } as const

/** A commit that changes the counts of more labels reads all counts. */
const FEW_LABELS = 8

/** Where counts are read: a snapshot or a batch. */
interface CountSource {
  readonly slice: (query: SliceQuery) => Page
}

/** Reads the counts by label id from a snapshot or a batch; 0 is the default vertex label. */
export const readCounts = (from: CountSource, kind: CountedKind): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  addCounts(readWhole((query) => from.slice(query))({ table: "engine_counters", key: counterRows[kind] }), counts)
  return counts
}

/** Reads the counts of labels. Without those of other labels, the time does not grow with the number of labels of the schema. */
export const readCountsOf = (
  from: CountSource,
  kind: CountedKind,
  labels: ReadonlyMap<number, unknown>
): ReadonlyMap<number, number> => {
  if (labels.size > FEW_LABELS) return readCounts(from, kind)
  const counts = new Map<number, number>()
  for (const label of labels.keys()) {
    const column = varint(label)
    addCounts(from.slice(sliceOf("engine_counters", counterRows[kind], column, after(column))).cells, counts)
  }
  return counts
}

const addCounts = (cells: Cells, counts: Map<number, number>): void => {
  const cursor = new CellCursor().over(cells)
  const reader = new ByteReader(cells.bytes)
  while (cursor.next()) {
    const label = Number(reader.over(cursor.bytes, cursor.columnStart, cursor.columnEnd).varint())
    counts.set(label, Number(reader.over(cursor.bytes, cursor.columnEnd, cursor.valueEnd).varint()))
  }
}

/** Adds `by` to the counts `now`. A count of 0 has no cell. */
export const changeCounts = (
  kind: CountedKind,
  now: ReadonlyMap<number, number>,
  by: ReadonlyMap<number, number>,
  changes: RowChanges
): void => {
  for (const [label, change] of by) {
    if (change === 0) continue
    const count = Math.max(0, (now.get(label) ?? 0) + change)
    const column = varint(label)
    if (count === 0) changes.remove("engine_counters", counterRows[kind], column)
    else changes.put("engine_counters", counterRows[kind], column, varint(count))
  }
}

const varint = (value: number): Buffer => {
  const writer = new ByteWriter(8)
  writer.varint(value)
  return writer.copy()
}
