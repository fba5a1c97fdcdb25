import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import { sortItems, sortTask, sortWaiting } from "../../src/scheduling/Sorting.ts"
import { runWhole } from "../../src/scheduling/Task.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"

const values = FastCheck.array(FastCheck.integer({ min: 0, max: 50 }), { maxLength: 3_000, size: "max" })

describe("A sort in slices", () => {
  it("has the result of a sort in one call, wherever its slices end", () => {
    FastCheck.assert(
      FastCheck.property(values, FastCheck.boolean(), FastCheck.boolean(), (numbers, costly, isOver) => {
        const slice = isOver ? new TimeSlice(0) : new TimeSlice()
        const order = runWhole(
          sortTask(numbers.length, (a, b) => numbers[a]! - numbers[b]! || a - b, { costly, slice })
        )
        assert.deepEqual(
          [...order],
          [...numbers.keys()].sort((a, b) => numbers[a]! - numbers[b]! || a - b)
        )
      })
    )
  })

  it("yields when its slice is over", () => {
    let yields = 0
    for (const _ of sortTask(5_000, (a, b) => b - a, { costly: true, slice: new TimeSlice(0) })) yields++
    assert.isAbove(yields, 1_000)
  })

  it("keeps the order of equal items", () => {
    const items = Array.from({ length: 4_000 }, (_, place) => ({ key: place % 3, place }))
    const sorted = runWhole(sortItems(items, (a, b) => a.key - b.key, new TimeSlice()))
    assert.deepEqual(
      sorted,
      items.toSorted((a, b) => a.key - b.key || a.place - b.place)
    )
  })

  it("waits for each comparison that waits, and keeps the order of equal items", () => {
    FastCheck.assert(
      FastCheck.property(values, (numbers) => {
        const items = numbers.map((key, place) => ({ key: key % 5, place }))
        let waits = 0
        const sorted = runWhole(
          sortWaiting(items, (a, b) => {
            if (a.key === b.key) return 0
            return (function* () {
              waits++
              yield
              return a.key - b.key
            })()
          })
        )
        assert.deepEqual(
          sorted,
          items.toSorted((a, b) => a.key - b.key || a.place - b.place)
        )
        if (new Set(items.map(({ key }) => key)).size > 1) assert.isAbove(waits, 0)
      })
    )
  })
})
