import { describe, expect, it } from "vitest"
import { cacheRoom } from "../../../src/process/compiler/CacheRoom.ts"
import { HeapRoom } from "../../../src/structure/memory/HeapRoom.ts"

const MB = 1_048_576

describe("Room in the heap", () => {
  it("is refused before V8 runs out of heap", () => {
    const room = new HeapRoom(1_024 * MB)
    const graph = { heap: 0 }
    const other = { heap: 200 * MB }
    room.add(graph)
    room.add(other)
    expect(room.kept).toBe(200 * MB)
    expect(room.hasRoomFor(400 * MB)).toBe(true)
    expect(room.hasRoomFor(500 * MB)).toBe(false)
    graph.heap = 450 * MB
    expect(room.hasRoomFor(100 * MB)).toBe(false)
    room.remove(other)
    expect(room.hasRoomFor(100 * MB)).toBe(true)
  })

  it("is computed again after a full collection if the estimates were too small", () => {
    const room = new HeapRoom(1_024 * MB)
    const graph = { heap: 400 * MB }
    room.add(graph)
    room.collected(700 * MB)
    expect(room.hasRoomFor(10 * MB)).toBe(true)
    graph.heap += 60 * MB
    expect(room.hasRoomFor(10 * MB)).toBe(false)
    room.collected(460 * MB)
    expect(room.hasRoomFor(10 * MB)).toBe(true)
  })

  it("is not refused to small graphs when other data fills the heap", () => {
    const room = new HeapRoom(1_024 * MB)
    room.add({ heap: 10 * MB })
    room.collected(1_000 * MB)
    expect(room.hasRoomFor(10 * MB)).toBe(true)
  })

  it("limits the caches that clients fill", () => {
    expect(cacheRoom(1_000, 8_192 * MB)).toBe(1_000)
    expect(cacheRoom(1_000, 1_024 * MB)).toBe(250)
    expect(cacheRoom(1, 64 * MB)).toBe(1)
  })
})
