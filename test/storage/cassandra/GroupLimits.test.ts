import { afterEach, describe, expect, it, vi } from "vitest"
import { GroupLimits } from "../../../src/storage/cassandra/GroupLimits.ts"
import type { SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"

const sliceOf = (start: number, limit?: number): SliceQuery => ({
  table: "edgestore",
  key: Buffer.from([1]),
  start: Buffer.from([start]),
  end: Buffer.from([start + 1]),
  limit
})
const limitsOf = (limit = 100): GroupLimits => new GroupLimits({ allowed: true, limit, least: 2 })
const MEGABYTE = 1024 * 1024

afterEach(() => {
  vi.useRealTimers()
})

describe("The rows of a statement", () => {
  it("are limited by the options and by the cells that they may have", () => {
    expect([limitsOf().most(sliceOf(1)), limitsOf().most(sliceOf(1, 1)), limitsOf(7).most(sliceOf(1))]).toEqual([
      20, 100, 7
    ])
  })

  it("are fewer where answers have shown that a row is large, and only there", () => {
    const limits = limitsOf()
    limits.answered(sliceOf(1), 20, 20 * 10_000)
    expect(limits.most(sliceOf(1))).toBe(20)
    limits.answered(sliceOf(1), 20, 2 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(10)
    limits.answered(sliceOf(1), 10, 10 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(2)
    expect([limits.most(sliceOf(2)), limits.most(sliceOf(1, 1))]).toEqual([20, 100])
  })

  it("are more again when the rows have become small", () => {
    const limits = limitsOf()
    limits.answered(sliceOf(1), 20, 20 * MEGABYTE)
    for (let answer = 0; answer < 60; answer++) limits.answered(sliceOf(1), limits.most(sliceOf(1)), 100)
    expect(limits.most(sliceOf(1))).toBe(20)
  })

  it("are halved for a minute when the cluster does not accept them, down to one", () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const limits = limitsOf()
    // Several statements of one fetch are refused.
    for (let statement = 0; statement < 3; statement++) limits.refused(20)
    expect(limits.most(sliceOf(1))).toBe(10)
    for (const rows of [10, 5, 2]) limits.refused(rows)
    expect(limits.most(sliceOf(1, 1))).toBe(1)
    vi.advanceTimersByTime(61_000)
    expect(limits.most(sliceOf(1))).toBe(20)
  })
})
