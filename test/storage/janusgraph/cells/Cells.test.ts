import { describe, expect, it } from "vitest"
import { CellCursor, CellPacker, type Cells, SHARED_BYTES } from "../../../../src/storage/janusgraph/cells/Cells.ts"

const textOf = (cells: Cells): string => {
  const cursor = new CellCursor().over(cells)
  const texts: Array<string> = []
  while (cursor.next()) texts.push(`${Buffer.from(cursor.column())}=${Buffer.from(cursor.value()).length}`)
  return texts.join(" ")
}

/** Packs rows whose cells have values of these lengths. */
const rowsOf = (packer: CellPacker, rows: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<Cells> => {
  for (const lengths of rows) {
    for (const [at, length] of lengths.entries()) packer.add(Buffer.from(`c${at}`), Buffer.alloc(length))
    packer.endRow()
  }
  return packer.takeRows()
}

describe("Rows that a packer returns together", () => {
  it("have their own cells, and share a buffer", () => {
    const packer = new CellPacker()
    const rows = rowsOf(packer, [[1, 2], [], [3]])
    expect(rows.map(textOf)).toEqual(["c0=1 c1=2", "", "c0=3"])
    expect(new Set(rows.map(({ bytes }) => bytes)).size).toBe(1)
    expect(rowsOf(packer, [[7]]).map(textOf)).toEqual(["c0=7"])
    expect(rows.map(textOf)).toEqual(["c0=1 c1=2", "", "c0=3"])
  })

  it("share a buffer only up to a size, so that a row that is kept does not keep a large one", () => {
    const large = SHARED_BYTES + 1
    const rows = rowsOf(new CellPacker(), [[1], [2], [large], [3], [SHARED_BYTES - 100], [200]])
    expect(rows.map(textOf)).toEqual(["c0=1", "c0=2", `c0=${large}`, "c0=3", `c0=${SHARED_BYTES - 100}`, "c0=200"])
    const buffers = [...new Set(rows.map(({ bytes }) => bytes))]
    expect(rows.map(({ bytes }) => buffers.indexOf(bytes))).toEqual([0, 0, 1, 2, 2, 3])
  })
})
