import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A Byte or a Short", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["[(5 as short) & 3, (5 as byte) | 3, (5 as byte) ^ (3 as byte)]", "[1, 7, 6]"],
    ["[(5 as short) << 2, (5 as short) >> 1]", "[20, 2]"],
    ["((5 as short) & 3L).class.simpleName", "Long"],
    ["((5 as short) & 3).class.simpleName", "Integer"],
    ["(-(5 as short)).class.simpleName + (-(5 as byte)).class.simpleName", "ShortByte"],
    ["[-(-128 as byte), -(5 as short)]", "[-128, -5]"],
    ["Math.max(5 as short, 3 as short).class.simpleName", "Integer"],
    ["Math.abs(-5 as short).class.simpleName", "Integer"],
    ["(-5 as short).abs().class.simpleName", "Integer"]
  ]
  for (const [script, value] of cases) {
    it(`is calculated as in Groovy: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }
})

describe("A sort of one member", () => {
  it("calls no closure", () => {
    expect(text(resultOf("def n = 0; [5].sort(false) { n++ }; [5].sort { a, b -> n++ }; n"))).toBe("0")
  })
})
