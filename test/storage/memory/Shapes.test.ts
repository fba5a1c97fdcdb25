import { describe, expect, it } from "vitest"
import { Shapes } from "../../../src/storage/memory/Shapes.ts"

describe("The shapes of elements", () => {
  it("share a number for the same keys in the same order", () => {
    const shapes = new Shapes()
    const ab = shapes.with(shapes.with(0, 7), 3)
    expect(shapes.keys(ab)).toEqual([7, 3])
    expect(shapes.with(ab, 7)).toBe(ab)
    expect(shapes.without(shapes.with(ab, 1), 1)).toBe(ab)
    expect(shapes.keys(shapes.without(ab, 7))).toEqual([3])
    expect(shapes.without(shapes.without(ab, 7), 3)).toBe(0)
  })
})
