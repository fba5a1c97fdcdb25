import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { OwnColumns } from "../../../../src/storage/janusgraph/transaction/OwnColumns.ts"
import { Journal } from "../../../../src/storage/shared/Journal.ts"

const row = Buffer.from("row")

const columnOf = (number: number): Buffer => {
  const column = Buffer.alloc(4)
  column.writeUInt32BE(number)
  return column
}

/** All entries from a column on, read page by page. */
const entriesFrom = (columns: OwnColumns, start?: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let from = start === undefined ? undefined : columnOf(start)
  for (;;) {
    const page = columns.page(from)
    if (page.length === 0) return found
    for (const { column, ref } of page) {
      expect(Buffer.from(column).readUInt32BE()).toBe(ref)
      found.push(ref as number)
    }
    from = Buffer.concat([page.at(-1)!.column, Buffer.of(0)])
  }
}

describe("The entries of a transaction in a row of an index", () => {
  it("are sorted and each there once, in whatever order they are added and removed", () => {
    const number = fc.integer({ min: 0, max: 3000 })
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1200, maxLength: 3000 }),
        fc.array(number, { maxLength: 2000 }),
        number,
        (added, removed, start) => {
          const columns = new OwnColumns(row, new Journal())
          for (const each of added) columns.add({ key: row, column: columnOf(each) }, each)
          columns.add({ key: Buffer.from("other"), column: columnOf(4000) }, 4000)
          for (const each of removed) columns.remove(columnOf(each))
          const gone = new Set(removed)
          const left = [...new Set(added)].filter((each) => !gone.has(each)).sort((a, b) => a - b)
          expect(entriesFrom(columns)).toEqual(left)
          expect(entriesFrom(columns, start)).toEqual(left.filter((each) => each >= start))
        }
      ),
      { numRuns: 20 }
    )
  })
})
