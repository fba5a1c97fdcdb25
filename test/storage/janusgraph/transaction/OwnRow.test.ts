import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type OwnEntry, OwnRow } from "../../../../src/storage/janusgraph/transaction/OwnRow.ts"

const sorted = (entries: ReadonlyArray<OwnEntry>): ReadonlyArray<OwnEntry> =>
  [...entries].sort((a, b) => (a.column === b.column ? a.ref - b.ref : a.column < b.column ? -1 : 1))

/** All entries of a range, in steps. */
const all = (row: OwnRow, start?: string, end?: string): ReadonlyArray<OwnEntry> => {
  const found: Array<OwnEntry> = []
  for (let more = true; more; ) {
    const read = row.read({ start, end }, found.at(-1), 100)
    found.push(...read)
    more = read.length === 100
  }
  return found
}

const { array, assert, constantFrom, integer, property, record } = FastCheck

describe("A row of own entries", () => {
  it("has the entries that were added and not removed, sorted", () => {
    const row = new OwnRow("row")
    const entries = Array.from({ length: 5000 }, (_, i) => ({ row, column: String((i * 7919) % 1000), ref: i }))
    for (const entry of entries) expect(row.add(entry)).toBe(true)
    expect(row.add({ ...entries[42]! })).toBe(false)
    expect(all(row)).toEqual(sorted(entries))
    const left = entries.filter(({ ref }) => ref % 3 === 0 && ref > 1000)
    for (const entry of entries) if (!left.includes(entry)) row.remove(entry)
    expect(all(row)).toEqual(sorted(left))
    for (const entry of left) row.remove(entry)
    expect([row.isEmpty, all(row)]).toEqual([true, []])
  })

  it("reads the entries of a range", () => {
    const names = constantFrom("", "a", "aa", "b", "\xff")
    assert(
      property(
        array(record({ column: names, ref: integer({ min: 0, max: 3 }) })),
        names,
        names,
        (given, start, end) => {
          const row = new OwnRow("row")
          const entries = given.map((entry) => ({ row, ...entry })).filter((entry) => row.add(entry))
          const expected = entries.filter(({ column }) => column >= start && column < end)
          expect(all(row, start, end)).toEqual(sorted(expected))
        }
      )
    )
  })
})
