import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type Nearness, SortedPages } from "../../../src/structure/containers/SortedPages.ts"

const ascending = (left: unknown, right: unknown): number => (left as number) - (right as number)

/** The key that `near` finds among sorted keys. */
const nearIn = (keys: ReadonlyArray<number>, key: number, which: Nearness): number | undefined => {
  if (which === "floor") return keys.findLast((other) => other <= key)
  if (which === "lower") return keys.findLast((other) => other < key)
  return keys.find((other) => (which === "ceiling" ? other >= key : other > key))
}

const nearnesses = ["floor", "ceiling", "lower", "higher"] as const

describe("Sorted pages", () => {
  it("hold the keys of a set in order through any changes", () => {
    const keys = FastCheck.integer({ min: 0, max: 6_000 })
    const runs = FastCheck.record({
      isAdded: FastCheck.boolean(),
      from: keys,
      count: FastCheck.integer({ min: 1, max: 2_500 }),
      step: FastCheck.constantFrom(-7, -1, 1, 11, 3_701)
    })
    const same = FastCheck.property(FastCheck.array(runs, { maxLength: 12 }), keys, (changes, sought) => {
      const pages = new SortedPages(ascending)
      const model = new Set<number>()
      for (const { count, from, isAdded, step } of changes) {
        for (let at = 0; at < count; at++) {
          const key = (((from + at * step) % 6_001) + 6_001) % 6_001
          if (isAdded && !model.has(key)) pages.add(key)
          else if (!isAdded && model.has(key)) pages.remove(key)
          if (isAdded) model.add(key)
          else model.delete(key)
        }
        const expected = [...model].sort(ascending)
        expect(pages.list).toEqual(expected)
        expect([pages.first, pages.last]).toEqual([expected[0], expected.at(-1)])
        expect([pages.has(sought), [...pages.from(sought)]]).toEqual([
          model.has(sought),
          expected.filter((key) => key >= sought)
        ])
        for (const which of nearnesses) expect(pages.near(sought, which)).toBe(nearIn(expected, sought, which))
      }
    })
    FastCheck.assert(same, { numRuns: 30 })
  })

  it("compare a key with few of many keys", () => {
    let compared = 0
    const pages = new SortedPages((left, right) => {
      compared++
      return ascending(left, right)
    })
    const size = 50_000
    for (let at = 0; at < size; at++) pages.add((at * 7_919) % size)
    const most = 40
    expect(compared).toBeLessThan(size * most)
    for (let round = 0; round < 20; round++) {
      compared = 0
      for (let at = 0; at < 33; at++) pages.add(round + (at + 1) / 100)
      expect(pages.near(round + 0.005, "higher")).toBe(round + 0.01)
      expect([pages.first, pages.last]).toEqual([0, size - 1])
      expect(compared).toBeLessThan(34 * most)
    }
  })

  it("hold many keys that are added together", () => {
    const pages = new SortedPages(ascending)
    pages.addAll([5, 1, 3])
    pages.addAll(Array.from({ length: 2_000 }, (_, at) => 2_000 - at + 0.5))
    expect(pages.list.slice(0, 5)).toEqual([1, 1.5, 2.5, 3, 3.5])
    expect(pages.list.length).toBe(2_003)
  })

  it("give a list that later changes leave alone", () => {
    const pages = new SortedPages(ascending)
    for (const key of [3, 1, 2]) pages.add(key)
    const { list } = pages
    pages.remove(2)
    pages.add(0)
    expect([list, pages.list]).toEqual([
      [1, 2, 3],
      [0, 1, 3]
    ])
  })

  it("refuse a key without an order, also the first one", () => {
    const pages = new SortedPages((_, key) => {
      if (key === null) throw new Error("no order")
      return 0
    })
    expect(() => pages.add(null)).toThrow("no order")
    expect(() => pages.near(null, "floor")).toThrow("no order")
    expect(pages.list).toEqual([])
  })
})
