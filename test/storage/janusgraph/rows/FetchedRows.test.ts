import { describe, expect, it } from "vitest"
import { Cells } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { VertexRow } from "../../../../src/storage/janusgraph/rows/Row.ts"
import { FetchedRows } from "../../../../src/storage/janusgraph/rows/RowSource.ts"

const BYTES = 1_000
const rowOf = (id: number): VertexRow => new VertexRow(id, new Cells(new Uint8Array(BYTES), 0, BYTES), true, null)

describe("The rows of a transaction over a store that answers later", () => {
  it("are kept in a scan, the first ones to the end and later ones for a while, and count their memory", () => {
    const rows = new FetchedRows(100, 50)
    const scanned = Array.from({ length: 1_000 }, (_, id) => rowOf(id))
    for (const row of scanned) {
      rows.offer(row)
      expect(rows.row(row.id)).toBe(row)
      expect(rows.heldBytes + rows.cellBytes).toBeLessThan(200 * 2 * BYTES)
    }
    expect(rows.cellBytes).toBeGreaterThanOrEqual(150 * BYTES)
    for (let id = 0; id < 100; id++) expect(rows.row(id)).toBe(scanned[id])
    for (let id = 950; id < 1_000; id++) expect(rows.row(id)).toBe(scanned[id])
    // A row that has left the memory is to be fetched again, and stays then.
    const again = rows.row(500)
    expect(again.complete).toBe(false)
    for (let id = 2_000; id < 3_000; id++) rows.offer(rowOf(id))
    expect(rows.row(500)).toBe(again)
  })

  it("count once when several scans read them, and leave room for the rows of later scans", () => {
    const rows = new FetchedRows(100, 1_000)
    for (let scan = 0; scan < 50; scan++) for (let id = 0; id < 10; id++) rows.offer(rowOf(id))
    expect(rows.cellBytes).toBe(10 * BYTES)
    for (let id = 10; id < 100; id++) rows.offer(rowOf(id))
    expect(rows.cellBytes).toBe(100 * BYTES)
    for (let scan = 0; scan < 50; scan++) for (let id = 100; id < 110; id++) rows.offer(rowOf(id))
    expect(rows.cellBytes).toBe(110 * BYTES)
    const kept = rows.row(99)
    for (let id = 1_000; id < 4_000; id++) rows.offer(rowOf(id))
    expect(rows.row(99)).toBe(kept)
  })

  it("count the cells that are fetched for them", () => {
    const rows = new FetchedRows()
    rows.row(1)
    rows.countPages([{ cells: new Cells(new Uint8Array(BYTES), 0, BYTES), more: false }])
    expect(rows.cellBytes).toBe(BYTES)
  })
})
