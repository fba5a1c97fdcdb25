import { describe, expect, it } from "vitest"
import { type Drawn, draw } from "../../../src/process/machine/WeightedDraw.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { JavaRandom } from "../../../src/structure/numbers/JavaRandom.ts"

const drawn = (bulks: ReadonlyArray<number>, weights: ReadonlyArray<number>, amount: number, seed: number): Drawn =>
  runWhole(draw(new TimeSlice(), { bulks, weights }, amount, new JavaRandom(BigInt(seed)), false))

describe("A draw without a seed", () => {
  it("has the requested size and takes no place more often than its candidates", () => {
    for (let seed = 0; seed < 200; seed++) {
      const bulks = [1, 3, 2, 1, 5, 1, 1]
      const { counts, places } = drawn(bulks, [0.1, 0.7, 1 / 3, 2, 0.2, 5, 1], 1 + (seed % 13), seed)
      expect(places.reduce((sum, place) => sum + counts.get(place)!, 0)).toBe(1 + (seed % 13))
      for (const place of places) expect(counts.get(place)).toBeLessThanOrEqual(bulks[place]!)
      expect(new Set(places).size).toBe(places.length)
    }
  })

  it("takes each place with its share of the weight", () => {
    const bulks = [1, 2, 1, 1]
    const weights = [1, 1, 3, 0]
    const first = [0, 0, 0, 0]
    const random = new JavaRandom(42n)
    for (let i = 0; i < 6000; i++) {
      first[runWhole(draw(new TimeSlice(), { bulks, weights }, 1, random, false)).places[0]!]!++
    }
    expect(first[3]).toBe(0)
    for (const [place, share] of [1 / 6, 2 / 6, 3 / 6].entries()) {
      expect(Math.abs(first[place]! / 6000 - share)).toBeLessThan(0.03)
    }
  })

  it("has the same distribution as a draw with a seed", () => {
    const [bulks, weights] = [
      [1, 1, 2, 1],
      [4, 1, 2, 1]
    ]
    const pairs = [true, false].map((isSeeded) => {
      const random = new JavaRandom(7n)
      const found = new Map<string, number>()
      for (let i = 0; i < 8000; i++) {
        const key = runWhole(draw(new TimeSlice(), { bulks, weights }, 2, random, isSeeded)).places.join()
        found.set(key, (found.get(key) ?? 0) + 1)
      }
      return found
    })
    for (const key of pairs[0]!.keys()) {
      expect(Math.abs((pairs[0]!.get(key)! - (pairs[1]!.get(key) ?? 0)) / 8000)).toBeLessThan(0.03)
    }
  })

  it("never takes a place whose weight is not above 0", () => {
    expect(drawn([1, 1, 1], [0, -1, 2], 1, 1).places).toEqual([2])
  })

  it("fails if too few candidates have a weight above 0, or a weight is not finite", () => {
    const fewer = (open: number) =>
      `sample(2) draws by weights above 0, but only ${open} of the candidates have such a weight`
    expect(() => drawn([1, 1, 1], [0, 0, 0], 2, 1)).toThrow(fewer(0))
    expect(() => drawn([1, 1, 1], [0, -1, 2], 2, 1)).toThrow(fewer(1))
    expect(() => drawn([1, 1, 1], [Number.NaN, 1, 0], 2, 1)).toThrow("finite numbers")
    expect(() => drawn([1, 1], [1e308, 1e308], 1, 1)).toThrow("finite numbers")
    expect(drawn([1, 1], [0, Number.NaN], 2, 1).places).toEqual([0, 1])
  })

  it("of a hundred out of a million does not visit all candidates for each", () => {
    const many = new Array<number>(1_000_000).fill(1)
    let pieces = 0
    for (const _ of draw(new TimeSlice(), { bulks: many, weights: many }, 100, new JavaRandom(3n), false)) pieces++
    expect(pieces).toBeLessThan(4_000)
  })
})
