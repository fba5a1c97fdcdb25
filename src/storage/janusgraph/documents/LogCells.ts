import type { CellStore, Page } from "../cells/CellStore.ts"
import { CellCursor } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import { type LogCell, logPrefix } from "./LogEntry.ts"

/** The row with a column for each instance that may have entries. Its values are times before which nothing is left to do. */
export const directory: Uint8Array = logPrefix()

/** The key of the row with the entries of an instance. */
export const rowOf = (instance: string): Buffer => Buffer.concat([logPrefix(), Buffer.from(instance)])

/** An instance writes its column of the directory again after this time, microseconds, and is forgotten after 24 times as long. */
export const HOUR_MICROS = 3_600_000_000n

/** The cells of a row of the log from a column on, at most `most`. Fails as the store does. */
export const logCells = async (
  cells: CellStore,
  key: Uint8Array,
  from?: Uint8Array,
  most = Number.POSITIVE_INFINITY
): Promise<ReadonlyArray<LogCell>> => {
  const snapshot = cells.snapshot()
  try {
    const found: Array<LogCell> = []
    let start = from
    for (;;) {
      const limit = Math.min(most - found.length, 1000)
      const [page] = await snapshot.fetch([sliceOf("engine_ranges", key, start, undefined, limit)], true)
      const cursor = new CellCursor().over((page as Page).cells)
      while (cursor.next()) {
        found.push({ column: Uint8Array.from(cursor.column()), value: Uint8Array.from(cursor.value()) })
      }
      if (!page!.more || found.length >= most) return found
      start = after(lastColumn(page!.cells))
    }
  } finally {
    snapshot.close()
  }
}

/** The lower of two columns; undefined is higher than all. */
export const first = (a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined =>
  a === undefined || (b !== undefined && Buffer.compare(b, a) < 0) ? b : a

/** The present, microseconds since the epoch. */
export const nowMicros = (): bigint => BigInt(Date.now()) * 1000n
