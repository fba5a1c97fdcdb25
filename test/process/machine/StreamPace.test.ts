import { describe, expect, it } from "vitest"
import { StreamPace } from "../../../src/process/machine/StreamPace.ts"

describe("The child of a stream", () => {
  it("does not pause before it has a result", () => {
    expect(new StreamPace(0, 0).pausesNow(1_000_000, 0, true)).toBe(false)
  })

  it("pauses after many results, after many calls of steps, or at its first result if that is urgent", () => {
    expect(new StreamPace(0, 0).pausesNow(1, 4095, false)).toBe(false)
    expect(new StreamPace(0, 0).pausesNow(1, 4096, false)).toBe(true)
    expect(new StreamPace(0, 0).pausesNow(63, 1, false)).toBe(false)
    expect(new StreamPace(0, 0).pausesNow(64, 1, false)).toBe(true)
    expect(new StreamPace(0, 0).pausesNow(1, 1, true)).toBe(true)
  })

  it("counts results and calls from its last resumption", () => {
    const pace = new StreamPace(0, 0)
    expect([pace.pausesNow(64, 5000, false), pace.isPaused]).toEqual([true, true])
    pace.resume(100, 5000)
    expect([pace.pausesNow(150, 5001, false), pace.isPaused]).toEqual([false, false])
    expect(pace.pausesNow(164, 5001, false)).toBe(true)
  })
})
