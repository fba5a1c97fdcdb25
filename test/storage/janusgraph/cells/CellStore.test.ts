import { setFlagsFromString } from "node:v8"
import { describe, expect, it } from "vitest"
import type { SliceQuery } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { reversed, sliceOf, withLimit } from "../../../../src/storage/janusgraph/cells/Slices.ts"

/** True if V8 has the same description of both objects. The syntax is known only while a flag is set. */
const haveSameForm = (a: object, b: object): boolean => {
  setFlagsFromString("--allow-natives-syntax")
  try {
    return (new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean)(a, b)
  } finally {
    setFlagsFromString("--no-allow-natives-syntax")
  }
}

const key = Buffer.from("key")
const start = Buffer.from("a")
const end = Buffer.from("b")

describe("Slices of cells", () => {
  it("have one form for V8, whatever they ask for", () => {
    const whole = sliceOf("edgestore", key)
    const others = [
      sliceOf("graphindex", key, undefined, end),
      sliceOf("edgestore", key, start, end, 1),
      withLimit(whole, 7),
      reversed(sliceOf("engine_ranges", key, start, end))
    ]
    expect(others.map((other) => haveSameForm(whole, other))).toEqual(others.map(() => true))
    const other: SliceQuery = { table: "edgestore", key }
    expect(haveSameForm(whole, other)).toBe(false)
  })

  it("with another limit, or read from the end, differ in nothing else", () => {
    const slice = sliceOf("edgestore", key, start, end, 5)
    expect(withLimit(slice, 6)).toEqual({ table: "edgestore", key, start, end, limit: 6, reverse: undefined })
    expect(reversed(slice)).toEqual({ table: "edgestore", key, start, end, limit: 5, reverse: true })
    expect(withLimit(reversed(slice), undefined)).toEqual({
      table: "edgestore",
      key,
      start,
      end,
      limit: undefined,
      reverse: true
    })
  })
})
