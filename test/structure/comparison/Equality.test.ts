import { describe, expect, it } from "vitest"
import { equals } from "../../../src/structure/comparison/Equality.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"

describe("equality of elements", () => {
  it("holds between two copies of one element, and between no others", () => {
    const copies = new Detached()
    const marko = copies.addVertex(1, "person")
    const again = copies.addVertex(1, "person")
    const vadas = copies.addVertex(2, "person")
    expect(equals(marko, again)).toBe(true)
    expect(equals(marko, vadas)).toBe(false)
    expect(equals(marko, new Detached().addVertex(1, "person"))).toBe(true)
  })
})
