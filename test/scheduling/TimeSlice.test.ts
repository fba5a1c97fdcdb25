import { assert, describe, it, vi } from "vitest"
import { CHUNK_ITEMS, mayBeSlow, TimeSlice } from "../../src/scheduling/TimeSlice.ts"

describe("A time slice", () => {
  it("without an end is never over, and reads no clock", () => {
    const clock = vi.spyOn(performance, "now")
    const slice = new TimeSlice()
    for (let call = 0; call < 1_000; call++) assert.isFalse(slice.isOver() || slice.isOverNow())
    assert.equal(clock.mock.calls.length, 0)
    clock.mockRestore()
  })

  it("whose end has passed is over until it is restarted", () => {
    const slice = new TimeSlice(0)
    assert.isTrue(slice.isOver())
    assert.isTrue(slice.isOver())
    slice.restart(Number.POSITIVE_INFINITY)
    assert.isFalse(slice.isOver())
  })

  it("reads the clock once in 64 calls while operations are fast", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1)
    const slice = new TimeSlice(1_000)
    for (let call = 0; call < 6_400; call++) slice.isOver()
    assert.isBelow(clock.mock.calls.length, 110)
    clock.mockRestore()
  })

  it("reads the clock at each call while operations are slow", () => {
    let now = 0
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 0.1))
    const slice = new TimeSlice(1_000)
    for (let call = 0; call < 100; call++) slice.isOver()
    assert.equal(clock.mock.calls.length, 100)
    clock.mockRestore()
  })

  it("reads the clock at each call again when operations become slow", () => {
    let now = 1
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now)
    const slice = new TimeSlice(1_000)
    for (let call = 0; call < 1_000; call++) slice.isOver()
    const slow = (count: number): void => {
      for (let call = 0; call < count; call++) {
        now += 0.1
        slice.isOver()
      }
    }
    // The first reading after the change may be 64 calls away.
    slow(64)
    clock.mockClear()
    slow(100)
    assert.equal(clock.mock.calls.length, 100)
    clock.mockRestore()
  })

  it("asks a task to yield after each chunk of items", () => {
    const slice = new TimeSlice()
    assert.isFalse(slice.isOverAfter(CHUNK_ITEMS - 1))
    assert.isTrue(slice.isOverAfter(CHUNK_ITEMS))
  })

  it("reads the clock after an item that may be slow", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1)
    const slice = new TimeSlice(1_000)
    for (let done = 1; done <= 100; done++) slice.isOverAfter(done, [1])
    assert.equal(clock.mock.calls.length, 100)
    clock.mockRestore()
  })
})

describe("Values that may be slow", () => {
  it("are collections and long texts", () => {
    assert.deepEqual([[1], { a: 1 }, "a".repeat(2_000)].map(mayBeSlow), [true, true, true])
    assert.deepEqual([1, 2n, true, null, undefined, "short"].map(mayBeSlow), [false, false, false, false, false, false])
  })
})
