import { describe, expect, it } from "vitest"
import { VertexRefs } from "../../../../src/storage/janusgraph/rows/Refs.ts"
import { largestMap } from "../../../LargestMap.ts"

describe("The refs of vertices with text ids", () => {
  it("lead to their ids, and are in no Map that grows in a long turn of the event loop", () => {
    const refs = new VertexRefs(5)
    const largest = largestMap()
    const given = Array.from({ length: 100_000 }, (_, id) => refs.of(`v${id}`))
    expect(largest()).toBeLessThan(40_000)
    expect(new Set(given).size).toBe(given.length)
    for (const [id, ref] of given.entries()) {
      if (refs.id(ref) !== `v${id}` || refs.of(`v${id}`) !== ref) expect.fail(`v${id} has another ref`)
    }
    expect(refs.heldBytes).toBeGreaterThan(100 * given.length)
  })

  it("are not given again after they were forgotten", () => {
    const refs = new VertexRefs(5)
    refs.forget()
    const given: Array<number> = []
    for (let round = 0; round < 3; round++) {
      for (let id = 0; id < 20_000; id++) given.push(refs.of(`v${id}`))
      for (let id = 0; id < 20_000; id++) {
        if (refs.id(given[round * 20_000 + id]!) !== `v${id}`) expect.fail(`v${id} has another ref`)
      }
      refs.forget()
      expect(refs.heldBytes).toBe(0)
      expect(() => refs.id(given.at(-1)!)).toThrow("has no vertex with the number")
    }
    expect(new Set(given).size).toBe(given.length)
    refs.of("another")
    for (const ref of given) if (ref === refs.of("another")) expect.fail("a ref was given again")
    expect(refs.of(512)).toBe(512)
  })
})
