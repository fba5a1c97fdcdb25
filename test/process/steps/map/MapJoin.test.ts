import { describe, expect, it } from "vitest"
import type { Step } from "../../../../src/process/plan/Step.ts"
import { joinedLists, joinedMaps } from "../../../../src/process/steps/map/MapJoin.ts"
import { runWhole } from "../../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../../src/structure/collections/Collections.ts"

describe("A join of lists", () => {
  it("copies a list once, and then adds to its own copy", () => {
    const [owned, given] = [new WeakSet<object>(), [1]]
    const joined = joinedLists(given, [2], owned)
    expect(joinedLists(joined, [3], owned)).toBe(joined)
    expect([given, joined]).toEqual([[1], [1, 2, 3]])
    expect(joinedLists(joined, [4], new WeakSet())).not.toBe(joined)
    expect(joined).toEqual([1, 2, 3])
  })
})

describe("A join of maps", () => {
  const step = { operator: "group" } as Step
  const join = (earlier: unknown, later: unknown, owned: WeakSet<object>) =>
    runWhole(
      joinedMaps(new TimeSlice(), step, [earlier, later], (a, b, own) => joinedLists(a as [], b as [], own), owned)
    )

  it("copies a map once, and then adds to its own copy, and to its own lists in it", () => {
    const [owned, given] = [new WeakSet<object>(), new GremlinMap([["a", [1]]])]
    const joined = join(given, new GremlinMap([["a", [2]]]), owned)
    const list = joined.get("a")
    const later = new GremlinMap([
      ["a", [3]],
      ["b", [4]]
    ])
    expect(join(joined, later, owned)).toBe(joined)
    expect(joined.get("a")).toBe(list)
    expect([list, joined.get("b"), given.get("a"), later.get("a")]).toEqual([[1, 2, 3], [4], [1], [3]])
    expect(join(joined, new GremlinMap([["b", [5]]]), owned).get("b")).toEqual([4, 5])
    expect(later.get("b")).toEqual([4])
  })
})
