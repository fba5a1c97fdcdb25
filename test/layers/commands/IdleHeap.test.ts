import { getHeapSpaceStatistics } from "node:v8"
import { describe, expect, it } from "vitest"
import { IdleHeap, oldGenerationBytes } from "../../../src/layers/commands/IdleHeap.ts"
import { HeapRoom } from "../../../src/structure/memory/HeapRoom.ts"

const MB = 1_048_576

/** A process with an old generation of this size that does what the test says. */
const heapOf = (oldBytes: number) => {
  const process = { utilization: 0, oldBytes }
  const reducing: Array<boolean> = []
  const heap = new IdleHeap({
    utilization: () => process.utilization,
    oldBytes: () => process.oldBytes,
    setReducing: (isReducing) => reducing.push(isReducing)
  })
  heap.collected()
  return { process, reducing, heap }
}

describe("The heap of an idle process", () => {
  it("is reduced when nothing runs after a full collection, for a limited time", () => {
    const { reducing, heap } = heapOf(1_000 * MB)
    expect(heap.check()).toBe(true)
    expect(reducing).toEqual([])
    let checks = 1
    while (heap.check()) checks++
    expect(reducing).toEqual([true, false])
    expect(checks).toBeGreaterThan(20)
  })

  it("is not reduced while requests run", () => {
    const { reducing, heap, process } = heapOf(1_000 * MB)
    process.utilization = 0.3
    for (let i = 0; i < 100; i++) expect(heap.check()).toBe(true)
    expect(reducing).toEqual([])
    process.utilization = 0
    for (let i = 0; i < 3; i++) heap.check()
    expect(reducing).toEqual([true])
    process.utilization = 0.3
    expect(heap.check()).toBe(true)
    expect(reducing).toEqual([true, false])
  })

  it("is not reduced when it is small", () => {
    const { reducing, heap } = heapOf(40 * MB)
    heap.check()
    expect(heap.check()).toBe(false)
    expect(reducing).toEqual([])
  })

  it("is small if only its young generation is large", () => {
    const spaces = [
      { space_name: "new_space", space_size: 64 * MB },
      { space_name: "new_large_object_space", space_size: 40 * MB },
      { space_name: "old_space", space_size: 30 * MB },
      { space_name: "code_space", space_size: 2 * MB },
      { space_name: "large_object_space", space_size: 3 * MB }
    ]
    expect(oldGenerationBytes(spaces)).toBe(35 * MB)
  })

  it("has a young generation by the names of this V8", () => {
    const spaces = getHeapSpaceStatistics()
    const total = spaces.reduce((sum, space) => sum + space.space_size, 0)
    expect(oldGenerationBytes(spaces)).toBeLessThan(total)
  })

  it("is checked after each full collection until the listener is removed", () => {
    const room = new HeapRoom(1_000 * MB)
    let told = 0
    const forget = room.whenCollected(() => told++)
    room.collected(10 * MB)
    forget()
    room.collected(10 * MB)
    expect(told).toBe(1)
  })
})
