import * as fc from "effect/FastCheck"
import { afterEach, assert, describe, it, vi } from "vitest"
import { EvaluationClock } from "../../../src/layers/evaluation/EvaluationClock.ts"

afterEach(() => void vi.restoreAllMocks())

/** The events of a request after its arrival, in any possible order. */
type Happening = "plan" | "client" | "storage" | "run again"

describe("The times of a request", () => {
  it("are never negative and add up to the total, however often the request waits and is run again", () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom<Happening>("plan", "client", "storage", "run again"), fc.nat(50), fc.nat(50)),
      { maxLength: 12 }
    )
    fc.assert(
      fc.property(steps, fc.boolean(), fc.boolean(), fc.nat(50), (happenings, isQueued, endsWaiting, first) => {
        let now = 1_000
        vi.spyOn(performance, "now").mockImplementation(() => now)
        const clock = new EvaluationClock(0)
        const known = { queued: 0, client: 0, storage: 0 }
        now += first
        if (isQueued) clock.start()
        if (isQueued) known.queued = first
        clock.plan()
        let isWaiting = false
        for (const [what, worked, waited] of happenings) {
          if (isWaiting) clock.resume()
          isWaiting = false
          now += worked
          if (what === "run again") clock.start()
          if (what === "plan" || what === "run again") clock.plan()
          else {
            clock.wait(what)
            isWaiting = true
            now += waited
            known[what] += waited
          }
        }
        if (isWaiting && !endsWaiting) clock.resume()
        const running = clock.times()
        clock.end()
        now += 7
        const { total, ...parts } = clock.times()
        assert.deepEqual({ total, ...parts }, running.total === 0 ? { total, ...parts } : running)
        assert.strictEqual(
          Object.values(parts).reduce((sum, part) => sum + part, 0),
          total
        )
        assert.isTrue(
          Object.values(parts).every((part) => part >= 0),
          JSON.stringify(parts)
        )
        assert.deepInclude(parts, known)
      })
    )
  })
})

describe("The time limit of a request", () => {
  it("does not count the time that is excused, also with a limit that the traversal sets meanwhile", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    try {
      const clock = new EvaluationClock(500)
      let passed = 0
      clock.arm(() => passed++)
      vi.advanceTimersByTime(400)
      clock.excuse()
      vi.advanceTimersByTime(10_000)
      assert.strictEqual(clock.deadline, Number.POSITIVE_INFINITY)
      clock.count()
      vi.advanceTimersByTime(99)
      assert.strictEqual(passed, 0)
      vi.advanceTimersByTime(1)
      assert.strictEqual(passed, 1)
      clock.limit(700)
      vi.advanceTimersByTime(199)
      assert.strictEqual(passed, 1)
      vi.advanceTimersByTime(1)
      assert.strictEqual(passed, 2)
    } finally {
      vi.useRealTimers()
    }
  })
})
