import { describe, expect, it } from "vitest"
import { SlowRequests } from "../../../src/layers/requests/SlowRequests.ts"
import type { Evaluation } from "../../../src/services/Evaluator.ts"
import type { RequestLog } from "../../../src/services/RequestLog.ts"

const evaluation = (request: string): Evaluation =>
  ({
    requestId: `id of ${request}`,
    elapsed: 1_234.4,
    rows: 3,
    describe: () => ({ request, step: "", state: "ended", user: "marko" })
  }) as unknown as Evaluation

/** A log that counts slow requests. */
const counting = () => {
  const logged: Array<number> = []
  const log = { slow: (_: Evaluation, status: number) => void logged.push(status) }
  return { log: log as unknown as typeof RequestLog.Service, logged }
}

describe("SlowRequests", () => {
  it("keeps the last hundred, for ten minutes", () => {
    const { log, logged } = counting()
    const slow = new SlowRequests(500, log)
    for (let i = 0; i < 150; i++) slow.add(evaluation(`r${i}`), 200, i * 1_000)
    const texts = slow.list(149_000).map(({ request }) => request)
    expect(texts).toEqual(Array.from({ length: 100 }, (_, i) => `r${i + 50}`))
    expect(slow.list(149_000 + 590_000).map(({ endedAt }) => endedAt)).toEqual(
      Array.from({ length: 11 }, (_, i) => 139_000 + i * 1_000)
    )
    expect(slow.list(900_000)).toEqual([])
    expect(logged).toHaveLength(150)
  })

  it("cuts the text, and rounds the time", () => {
    const slow = new SlowRequests(500, counting().log)
    slow.add(evaluation("é".repeat(600)), 0, 5)
    expect(slow.list(5)).toEqual([
      {
        requestId: `id of ${"é".repeat(600)}`,
        user: "marko",
        endedAt: 5,
        elapsed: 1_234,
        status: 0,
        rows: 3,
        request: "é".repeat(500)
      }
    ])
  })

  it("lists requests of a second where the log has no slow requests", () => {
    const { log, logged } = counting()
    const slow = new SlowRequests(0, log)
    expect(slow.threshold).toBe(1_000)
    slow.add(evaluation("r"), 200, 1)
    expect([slow.list(1).length, logged.length]).toEqual([1, 0])
    expect(new SlowRequests(20, log).threshold).toBe(20)
  })
})
