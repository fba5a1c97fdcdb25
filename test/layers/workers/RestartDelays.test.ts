import { describe, expect, it } from "vitest"
import { RestartDelays } from "../../../src/layers/workers/RestartDelays.ts"

const delaysAt = (times: ReadonlyArray<number>): ReadonlyArray<number> => {
  const delays = new RestartDelays()
  return times.map((time) => delays.died(time))
}

describe("The delay before a worker is replaced", () => {
  it("is none for four deaths within a minute, and grows from the fifth on", () => {
    expect(delaysAt([0, 1, 2, 3, 4, 5, 6])).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000])
  })

  it("is 30 seconds at most", () => {
    expect(delaysAt(Array.from({ length: 20 }, (_, i) => i)).at(-1)).toBe(30_000)
  })

  it("stays none for deaths that are far apart", () => {
    expect(delaysAt(Array.from({ length: 20 }, (_, i) => i * 20_000))).toEqual(Array(20).fill(0))
  })

  it("does not shrink because the delays themselves make deaths rare", () => {
    expect(delaysAt([0, 1, 2, 3, 4, 30_000, 75_000]).at(-1)).toBe(4_000)
  })

  it("is none again after a minute without a death", () => {
    expect(delaysAt([0, 1, 2, 3, 4, 100_000, 100_001])).toEqual([0, 0, 0, 0, 1_000, 0, 0])
  })
})
