import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { ResultRows } from "../../../src/layers/evaluation/ResultRows.ts"

const batches = FastCheck.array(
  FastCheck.array(FastCheck.record({ value: FastCheck.nat(), bulk: FastCheck.integer({ min: 1, max: 9 }) }), {
    maxLength: 12
  }),
  { maxLength: 8 }
)

const fill = (
  rows: ResultRows,
  given: ReadonlyArray<ReadonlyArray<{ value: number; bulk: number }>>,
  bulked: boolean
) => {
  for (const batch of given) {
    rows.add(
      batch.map(({ value }) => value),
      batch.length,
      bulked ? Float64Array.from(batch, ({ bulk }) => bulk) : null
    )
  }
}

describe("ResultRows", () => {
  it("settles changing values when it gives them, and not before", () => {
    for (const size of [1, 3, 9]) {
      const rows = new ResultRows(false)
      let settled = 0
      rows.add([[0]], 1, null)
      rows.add([[1], [2]], 2, null, () => settled++)
      expect(settled).toBe(0)
      const first = rows.take(size)
      expect(first.length).toBe(Math.min(size, 3))
      expect(settled > 0).toBe(size > 1)
      rows.take(size)
      expect(settled).toBeGreaterThan(0)
    }
  })

  it("gives each result as often as it occurs, in order, in batches of the given size", () => {
    FastCheck.assert(
      FastCheck.property(batches, FastCheck.integer({ min: 1, max: 7 }), FastCheck.boolean(), (given, size, bulked) => {
        const rows = new ResultRows(false)
        fill(rows, given, bulked)
        const all = given.flat().flatMap(({ bulk, value }) => Array.from({ length: bulked ? bulk : 1 }, () => value))
        expect(rows.count).toBe(all.length)
        const taken: Array<unknown> = []
        while (rows.count > 0) {
          const { bulks, length, values } = rows.take(size)
          expect(length).toBe(Math.min(size, all.length - taken.length))
          expect(bulks).toBeNull()
          taken.push(...values.slice(0, length))
        }
        expect(taken).toEqual(all)
      })
    )
  })

  it("gives traversers once, with their bulk", () => {
    FastCheck.assert(
      FastCheck.property(batches, FastCheck.integer({ min: 1, max: 7 }), (given, size) => {
        const rows = new ResultRows(true)
        fill(rows, given, true)
        const taken: Array<unknown> = []
        while (rows.count > 0) {
          const { asTraversers, bulks, length, values } = rows.take(size)
          expect(asTraversers).toBe(true)
          for (let i = 0; i < length; i++) taken.push({ value: values[i], bulk: bulks![i] })
        }
        expect(taken).toEqual(given.flat())
      })
    )
  })

  it("does not repeat a result whose bulk is larger than the memory", () => {
    const rows = new ResultRows(false)
    rows.add(["a", "b"], 2, Float64Array.of(1e12, 2))
    expect(rows.count).toBe(1e12 + 2)
    expect(rows.take(3)).toMatchObject({ values: ["a", "a", "a"], length: 3 })
    expect(rows.count).toBe(1e12 - 1)
  })
})
