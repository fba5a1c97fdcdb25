import type { CountedKind, Page, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { readWhole } from "../schema/SchemaRead.ts"
import type { RowChanges } from "./RowChanges.ts"

/** Element counts by label, in the table `engine_counters`: the rows of vertices and of edges. */
const counterRows = { vertex: Buffer.from("v"), edge: Buffer.from("e") } as const

/** Reads the counts by label id from a snapshot or a batch; 0 is the default vertex label. */
export const readCounts = (
  from: { readonly slice: (query: SliceQuery) => Page },
  kind: CountedKind
): ReadonlyMap<number, number> => {
  const cells = readWhole((query) => from.slice(query))({ table: "engine_counters", key: counterRows[kind] })
  const counts = new Map<number, number>()
  const cursor = new CellCursor().over(cells)
  const reader = new ByteReader(cells.bytes)
  while (cursor.next()) {
    const label = Number(reader.over(cursor.bytes, cursor.columnStart, cursor.columnEnd).varint())
    counts.set(label, Number(reader.over(cursor.bytes, cursor.columnEnd, cursor.valueEnd).varint()))
  }
  return counts
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
