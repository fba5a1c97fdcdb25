import { describe, expect, it } from "vitest"
import { makeRunQueue } from "../../../src/layers/requests/RunQueue.ts"
import type { Sliced } from "../../../src/services/RunQueue.ts"

/** Work of so many slices, each of which uses its whole time. */
const work = (
  slices: number,
  onSlice: () => void = () => {}
): { readonly work: Sliced; readonly end: Promise<void> } => {
  let end: () => void
  let left = slices
  return {
    end: new Promise((resolve) => {
      end = resolve
    }),
    work: {
      slice: (until) => {
        onSlice()
        left--
        if (left > 0) while (performance.now() < until);
        else end()
        return left > 0
      }
    }
  }
}

describe("A run queue", () => {
  it("finishes short work in the caller's turn", () => {
    const queue = makeRunQueue()
    let slices = 0
    queue.start(work(1, () => slices++).work)
    expect(slices).toBe(1)
    expect(queue.length()).toBe(0)
  })

  it("queues long work after its first slice, and ends it in later turns", async () => {
    const queue = makeRunQueue()
    const { end, work: long } = work(3)
    queue.start(long)
    expect(queue.length()).toBe(1)
    await end
    expect(queue.length()).toBe(0)
  })

  it("serves one slice in each turn, so that sockets are read between any two slices", async () => {
    const queue = makeRunQueue()
    let slices = 0
    const all = Array.from({ length: 16 }, () => work(4, () => slices++))
    // Each work starts in its own turn: this test is about the later slices.
    for (const { work } of all) {
      queue.start(work)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const served: Array<number> = []
    while (queue.length() > 0) {
      const before = slices
      await new Promise((resolve) => setImmediate(resolve))
      served.push(slices - before)
    }
    expect(slices).toBe(64)
    // One slice in each turn; two when the queue has its turn before and after the callback of this test.
    expect(Math.max(...served.slice(0, 8))).toBeLessThanOrEqual(2)
  })

  it("starts no more work in a turn whose share of first slices is used up, and starts the rest in order", async () => {
    const queue = makeRunQueue()
    const order: Array<number> = []
    const all = Array.from({ length: 4 }, (_, i) => {
      let first = true
      return work(2, () => {
        if (first) order.push(i)
        first = false
      })
    })
    for (const { work } of all) queue.start(work)
    expect(order).toEqual([0])
    expect(queue.hasTime()).toBe(false)
    await Promise.all(all.map(({ end }) => end))
    expect(order).toEqual([0, 1, 2, 3])
  })

  it("resumes work that has waited", async () => {
    const queue = makeRunQueue()
    const { end, work: waiting } = work(1)
    queue.resume(waiting)
    await end
  })
})
