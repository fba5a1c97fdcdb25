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
const limitsOf = (limit = 100, least = 2): GroupLimits => new GroupLimits({ allowed: true, limit, least })
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
    for (let answer = 0; answer < 60; answer++) limits.answered(sliceOf(1), 20, 2 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(10)
    for (let answer = 0; answer < 60; answer++) limits.answered(sliceOf(1), 10, 10 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(2)
    expect([limits.most(sliceOf(2)), limits.most(sliceOf(1, 1))]).toEqual([20, 100])
  })

  it("are hardly fewer after one large row among small ones, and a few after rows that all are very large", () => {
    const limits = limitsOf()
    for (let answer = 0; answer < 10; answer++) limits.answered(sliceOf(1), 20, 20_000)
    limits.answered(sliceOf(1), 20, 8 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBeGreaterThan(15)
    limits.answered(sliceOf(1), 20, 100 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(2)
  })

  it("are never fewer for large rows than the rows that share a statement", () => {
    const limits = limitsOf(100, 5)
    for (let answer = 0; answer < 60; answer++) limits.answered(sliceOf(1), 20, 100 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(5)
  })

  it("are more again when the rows have become small", () => {
    const limits = limitsOf()
    limits.answered(sliceOf(1), 20, 200 * MEGABYTE)
    expect(limits.most(sliceOf(1))).toBe(2)
    for (let answer = 0; answer < 60; answer++) limits.answered(sliceOf(1), limits.most(sliceOf(1)), 100)
    expect(limits.most(sliceOf(1))).toBe(20)
  })

  it("are halved when the cluster does not accept them, down to one, until one statement with more of them is answered", () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    const limits = limitsOf()
    // Several statements of one fetch are refused.
    for (let statement = 0; statement < 3; statement++) limits.refused(sliceOf(1), 20)
    expect(limits.most(sliceOf(1))).toBe(10)
    for (const rows of [10, 5, 2]) limits.refused(sliceOf(1), rows)
    expect([limits.most(sliceOf(1, 1)), limits.trial(sliceOf(1))]).toEqual([1, 0])
    vi.advanceTimersByTime(61_000)
    expect([limits.trial(sliceOf(1)), limits.trial(sliceOf(1)), limits.most(sliceOf(1))]).toEqual([20, 0, 1])
    limits.refused(sliceOf(1), 20)
    vi.advanceTimersByTime(61_000)
    expect(limits.trial(sliceOf(1))).toBe(20)
    limits.answered(sliceOf(1), 12, 100)
    expect(limits.most(sliceOf(1))).toBe(12)
    limits.answered(sliceOf(1), 20, 100)
    expect(limits.most(sliceOf(1, 1))).toBe(100)
  })

  it("are as many as before over other tables than the one that the cluster refuses", () => {
    const limits = limitsOf()
    limits.refused({ ...sliceOf(1), table: "graphindex" }, 20)
    expect([limits.most(sliceOf(1)), limits.most({ ...sliceOf(1), table: "graphindex" })]).toEqual([20, 10])
  })
})
