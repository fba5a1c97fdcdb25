import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Closure, type ClosureCall, type ClosureProgress } from "../../../src/process/language/Closure.ts"

/** A closure whose call is advanced by a test. */
class TestClosure extends Closure {
  readonly text = "{test}"
  readonly parameterCount = 0
  readonly #advance: () => ClosureProgress
  isClosed = false
  constructor(advance: () => ClosureProgress) {
    super()
    this.#advance = advance
  }
  begin(): ClosureCall {
    return { advance: this.#advance, result: 7, close: () => (this.isClosed = true) }
  }
  test(): boolean {
    return true
  }
  members(): readonly unknown[] {
    return []
  }
}

/** Lets time pass without CPU time, as a machine does that runs other processes. */
const stopped = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe("A closure that gives its value at once", () => {
  it("may be stopped by other processes for longer than its limit", () => {
    // Other threads of the process, such as those of the garbage collector, use CPU time during the stops.
    const usage = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1_000, system: 0 })
    onTestFinished(() => usage.mockRestore())
    let slices = 0
    const closure = new TestClosure(() => {
      stopped(30)
      return ++slices < 3 ? "slice" : "done"
    })
    expect(closure.now([], "withSack()")).toBe(7)
  })

  it("ends with an error when it takes more than 10 ms of CPU time, or waits for a store", () => {
    const endless = new TestClosure(() => "slice")
    expect(() => endless.now([], "withSack()")).toThrow(
      "A closure of withSack() gives its value within 10 ms of CPU time"
    )
    expect(endless.isClosed).toBe(true)
    const waiting = new TestClosure(() => ({ onDone: () => {} }))
    expect(() => waiting.now([], "withSack()")).toThrow("waits for no store")
  })
})
