import { describe, expect, it } from "vitest"
import { RefSet } from "../../../src/process/plan/RefSet.ts"

const columns = [
  ["small integers", new Int32Array(0)],
  ["large numbers", new Float64Array(0)]
] as const

describe.each(columns)("A set of refs that are %s", (_, column) => {
  it.each([1, 16, 17, 500, 1024, 1025, 5000])("has each of %i refs once", (count) => {
    const refs = new RefSet(column)
    const step = column instanceof Int32Array ? 3 : Math.floor(Number.MAX_SAFE_INTEGER / count)
    const added = Array.from({ length: count }, (_, i) => i * step)
    expect(added.map((ref) => refs.add(ref))).toEqual(added.map(() => true))
    expect(added.map((ref) => refs.add(ref))).toEqual(added.map(() => false))
  })

  it("tells refs apart whose last 32 bits are equal", () => {
    const refs = new RefSet(new Float64Array(0))
    const added = Array.from({ length: 40 }, (_, i) => i * 2 ** 32)
    expect(added.map((ref) => refs.add(ref))).toEqual(added.map(() => true))
    expect(added.map((ref) => refs.add(ref))).toEqual(added.map(() => false))
  })

  it("tells the negative refs of ids that are no numbers apart", () => {
    const refs = new RefSet(column)
    expect([-2, -3, 2, 3, -2, -3].map((ref) => refs.add(ref))).toEqual([true, true, true, true, false, false])
  })
})
