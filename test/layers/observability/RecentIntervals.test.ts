import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  type ActivityTotals,
  RecentIntervals,
  recentActivity
} from "../../../src/layers/observability/RecentIntervals.ts"

afterEach(() => void vi.useRealTimers())

const totals = (count: number, seconds: number): ActivityTotals => ({
  operations: [
    { op: "eval", count, seconds },
    { op: "bytecode", count: 3, seconds: 1 }
  ],
  gauges: [["engine_server_sessions", count]]
})

describe("RecentIntervals", () => {
  it("have the requests of each interval by op, and the gauges at its end", () => {
    let now = totals(2, 4)
    const intervals = new RecentIntervals(() => now)
    intervals.end(10_000)
    now = totals(7, 5)
    intervals.end(20_000)
    intervals.end(30_000)
    const found = intervals.list(30_000)
    expect(found.map(({ at, operations }) => [at, operations])).toEqual([
      [10_000, { eval: { count: 2, seconds: 4 }, bytecode: { count: 3, seconds: 1 } }],
      [20_000, { eval: { count: 5, seconds: 1 } }],
      [30_000, {}]
    ])
    expect(found.map(({ gauges }) => gauges.engine_server_sessions)).toEqual([2, 7, 7])
    expect(found[0]?.gauges.nodejs_heap_size_used_bytes).toBeGreaterThan(1_000_000)
  })

  it("are those of the last ten minutes", () => {
    const intervals = new RecentIntervals(() => totals(0, 0))
    for (let at = 10_000; at <= 1_000_000; at += 10_000) intervals.end(at)
    expect(intervals.list(1_000_000).map(({ at }) => at)).toEqual(
      Array.from({ length: 60 }, (_, i) => 410_000 + i * 10_000)
    )
    expect(intervals.list(1_600_000)).toEqual([])
    // Older ones are not kept, whatever the clock says.
    expect(intervals.list(0).length).toBe(60)
  })

  it("end at multiples of ten seconds, until the server ends", async () => {
    vi.useFakeTimers({ now: 1_004_321 })
    const ended: Array<number> = []
    const reading = recentActivity(() => {
      ended.push(Date.now())
      return totals(0, 0)
    })
    const list = await Effect.runPromise(
      Effect.scoped(
        Effect.map(reading, (read) => {
          vi.advanceTimersByTime(30_000)
          return read().map(({ at }) => at)
        })
      )
    )
    expect(list).toEqual([1_010_000, 1_020_000, 1_030_000])
    vi.advanceTimersByTime(60_000)
    expect(ended).toHaveLength(3)
  })
})
