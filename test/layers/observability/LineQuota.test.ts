import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { FailureQuotas, LineQuota } from "../../../src/layers/observability/LineQuota.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe("A quota of log lines", () => {
  it("allows twenty lines a second, and tells the next line how many were omitted", () => {
    const quota = new LineQuota()
    const first = Array.from({ length: 50 }, () => quota.take())
    expect(first).toEqual(Array.from({ length: 50 }, (_, i) => (i < 20 ? 0 : undefined)))
    vi.advanceTimersByTime(1_000)
    expect([quota.take(), quota.take()]).toEqual([30, 0])
  })

  it("reports omitted lines by itself a second after the first of them, and again after the next", () => {
    const reports: Array<number> = []
    const quota = new LineQuota((left) => reports.push(left))
    for (let i = 0; i < 25; i++) quota.take()
    expect(reports).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(reports).toEqual([5])
    for (let i = 0; i < 21; i++) quota.take()
    vi.advanceTimersByTime(1_000)
    expect(reports).toEqual([5, 1])
  })
})

describe("The quotas of failures", () => {
  it("are kept for 64 kinds, and shared by all further kinds", () => {
    const omitted: Array<string> = []
    const quotas = new FailureQuotas((kind) => omitted.push(kind))
    const kind = (name: string): Error => Object.assign(new Error(), { name, stack: "" })
    for (let i = 0; i < 64; i++) expect(quotas.take(kind(`Kind${i}`))).toBe(true)
    const further = Array.from({ length: 30 }, (_, i) => quotas.take(kind(`Further${i}`)))
    expect(further).toEqual(further.map((_, i) => i < 20))
    expect(quotas.take(kind("Kind1"))).toBe(true)
    vi.advanceTimersByTime(1_000)
    expect(omitted).toEqual(["others"])
  })
})
