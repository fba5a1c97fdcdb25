import { expect, it } from "vitest"
import { CommitSize } from "../../../../src/storage/janusgraph/management/CommitSize.ts"

it("Commits become smaller while they delay others, and larger again", () => {
  const size = new CommitSize(3, 20)
  const after = (milliseconds: number): number => {
    size.delayed(milliseconds)
    return size.value
  }
  expect(size.value).toBe(20)
  expect([11, 11, 11, 11].map(after)).toEqual([10, 5, 3, 3])
  expect([10, 3].map(after)).toEqual([3, 3])
  expect([2, 0, 2, 2].map(after)).toEqual([6, 12, 20, 20])
})
