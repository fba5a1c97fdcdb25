import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { SumTree } from "../../../src/process/machine/SumTree.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"

/** The place at a point of the running sum, by a linear search. */
const positionOf = (amounts: ReadonlyArray<number>, point: number): number => {
  let before = 0
  return amounts.findIndex((amount) => {
    before += amount
    return before > point
  })
}

describe("SumTree", () => {
  it("finds the same places as a linear search, also after changes of amounts", () => {
    const amounts = FastCheck.array(FastCheck.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })
    FastCheck.assert(
      FastCheck.property(amounts, FastCheck.array(FastCheck.nat()), (given, changes) => {
        const expected = [...given]
        const tree = new SumTree(expected.length)
        runWhole(tree.fill((place) => expected[place]!))
        for (const change of [0, ...changes]) {
          const place = change % expected.length
          tree.add(place, 3)
          expected[place]! += 3
          expect(tree.total).toBe(expected.reduce((sum, amount) => sum + amount, 0))
          for (let point = 0; point < tree.total; point++)
            expect(tree.positionOf(point)).toBe(positionOf(expected, point))
        }
      }),
      { numRuns: 40 }
    )
  })
})
