import { describe, expect, it } from "vitest"
import { CqlBatch, KnownPages } from "../../../src/storage/cassandra/CqlBatch.ts"
import type { SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { noCells } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { sliceOf } from "../../../src/storage/janusgraph/cells/Slices.ts"

const column = Buffer.from("column")
const rows = ["changed", "same"].map((name) => Buffer.from(name))
const queries = rows.map((key): SliceQuery => sliceOf("edgestore", key, Buffer.from("a"), Buffer.from("z")))

/** Pages of two rows, with the time to live of a cell in each. */
const pages = (): KnownPages => {
  const known = new KnownPages()
  queries.forEach((query, at) => {
    known.set(
      query,
      { cells: noCells, more: false },
      { row: String(at), start: undefined, end: undefined, since: 0, seen: undefined }
    )
  })
  for (const key of rows) known.setSecondsLeft({ key, column }, 7)
  return known
}

const undatedIn = (known: KnownPages): ReadonlyArray<string> => {
  const batch = new CqlBatch(known, 1, 1)
  for (const key of rows) batch.secondsLeft(key, column)
  return batch.undated.map(({ key }) => Buffer.from(key).toString())
}

describe("A commit that runs again over Cassandra", () => {
  it("asks again how long the cells of the rows live that another commit has changed, and of no others", () => {
    const known = pages()
    expect(undatedIn(known)).toEqual([])
    expect(known.forget(({ row }) => row === "0")).toBe(true)
    expect(undatedIn(known)).toEqual(["changed"])
  })

  it("asks again about rows that it must read again after a cell that it locks", () => {
    const known = pages()
    known.forgetRowsOf([sliceOf("edgestore", rows[0]!, Buffer.from("b"), Buffer.from("c"))])
    expect(undatedIn(known)).toEqual(["changed"])
  })

  it("does not ask again about a cell that was not found", () => {
    const known = pages()
    known.setSecondsLeft({ key: rows[0]!, column }, undefined)
    expect(undatedIn(known)).toEqual([])
    expect(new CqlBatch(known, 1, 1).secondsLeft(rows[0]!, column)).toBeUndefined()
  })
})
