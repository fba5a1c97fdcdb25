import { describe, expect, it } from "vitest"
import { ScriptMemory } from "../../../../src/gremlin/script/budget/ScriptMemory.ts"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { bytesOf } from "../../../../src/structure/memory/HeldBytes.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

const LINE = "line = Geoshape.getShapeFactory().lineString(); 20000.times { line.pointXY(it / 1000, 1) }; "
const COLLECTION = `${LINE}all = Geoshape.getGeometryCollectionBuilder(); `

describe("A builder of shapes", () => {
  it("counts the places of its parts, so that one call cannot check millions", () => {
    expect(resultOf(`${COLLECTION}4.times { all.add(line) }; all.build().toString().size() > 0`)).toBe(true)
    expect(() => resultOf(`${COLLECTION}6.times { all.add(line) }`)).toThrow("at most 100000 places")
    expect(() => resultOf(`${COLLECTION}shape = line.build(); 6.times { all.add(shape) }`)).toThrow(
      "at most 100000 places"
    )
    expect(() =>
      resultOf(
        `${COLLECTION}3.times { all.add(line) }; two = Geoshape.getGeometryCollectionBuilder(); 2.times { two.add(all) }`
      )
    ).toThrow("at most 100000 places")
  })

  it("counts the places of what it builds as work and as memory of the script", () => {
    const made = (script: string): number => {
      const host = new FakeHost()
      const memory = new ScriptMemory(host.scope.variables, false)
      host.run(`${script}; 100.times { it + 1 }`, new TimeSlice(), memory)
      return memory.madeBytes
    }
    const line = made(`${LINE}0`)
    const built = made(`${LINE}line.build()`)
    expect(built - line).toBeGreaterThan(20_000 * 60)
    expect(made(`${COLLECTION}all.add(line)`) - line).toBeGreaterThan(20_000 * 60)
  })

  it("is as large as its places for a session that keeps it, and so is a shape", () => {
    const host = new FakeHost()
    host.run(`${COLLECTION}all.add(line); shape = all.build(); null`)
    for (const name of ["line", "all", "shape"]) {
      expect.soft(bytesOf(host.scope.variables.get(name)), name).toBeGreaterThan(20_000 * 60)
    }
    expect(bytesOf(Geoshape.point(1, 2))).toBeLessThan(200)
  })
})
