import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { SortedSlots } from "../../../src/storage/memory/SortedSlots.ts"

describe("A set of sorted slots", () => {
  it("can be read in order from any slot on", () => {
    const operation = FastCheck.tuple(FastCheck.boolean(), FastCheck.nat(1500))
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(operation, { size: "max", maxLength: 3000 }),
        FastCheck.nat(1500),
        (all, after) => {
          const slots = new SortedSlots()
          const expected = new Set<number>()
          for (const [add, slot] of all) {
            if (add) expect(slots.add(slot)).toBe(!expected.has(slot))
            else expect(slots.delete(slot)).toBe(expected.has(slot))
            if (add) expected.add(slot)
            else expected.delete(slot)
          }
          expect(slots.size).toBe(expected.size)
          const into = new Int32Array(expected.size + 5)
          const count = slots.read(after, expected.size, into, 5)
          const rest = [...expected].filter((slot) => slot > after).sort((a, b) => a - b)
          expect([...into.subarray(5, 5 + count)]).toEqual(rest)
        }
      ),
      { numRuns: 20 }
    )
  })

  it("keeps its chunks full when slots come in order", () => {
    const slots = new SortedSlots()
    for (let slot = 0; slot < 10_000; slot++) slots.add(slot)
    const into = new Int32Array(3)
    expect(slots.read(9_997, 3, into, 0)).toBe(2)
    expect([...into.subarray(0, 2)]).toEqual([9_998, 9_999])
  })
})
