import { expect, it } from "vitest"
import { FrameSpace } from "../../../../src/storage/cassandra/direct/FrameSpace.ts"

it("The buffer of a large frame leaves with it, and that of small ones takes further frames", () => {
  const space = new FrameSpace()
  space.room(10)
  space.bytes.fill(1, 0, 10)
  const small = space.bytes
  expect(space.take().length).toBe(10)
  expect(space.room(5)).toBe(10)
  expect(space.bytes).toBe(small)
  space.cut(0)
  const at = space.room(100_000)
  space.bytes.fill(2, at, at + 100_000)
  const large = space.take()
  expect([space.bytes.length, space.length]).toEqual([0, 0])
  expect(space.room(20)).toBe(0)
  space.bytes.fill(3, 0, 20)
  expect(space.take()).toEqual(Buffer.alloc(20, 3))
  expect(large).toEqual(Buffer.alloc(100_000, 2))
})
