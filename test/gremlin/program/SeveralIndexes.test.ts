// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("Several indexes", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def x=[1,2,3,4]; x[0, 2]", "[1, 3]"],
    ["def x=[1,2,3,4]; x[0, 2..3]", "[1, 3, 4]"],
    ["def x=[1,2,3,4]; x[0, -1, 1]", "[1, 4, 2]"],
    ["'hello'[0, 2]", "hl"],
    ["'hello'[0, 2..3]", "hll"],
    ["def m = [a:1,b:2]; m['a','b']", "null"],
    ["def l = [1,2,3,4]; l[0..1] = [9]; l", "[9, 3, 4]"],
    ["def l = [1,2,3,4]; l[0..1] = [7,8,9]; l", "[7, 8, 9, 3, 4]"],
    ["def l = [1,2,3,4]; l[1..-1] = 5; l", "[1, 5]"],
    ["def l = [1,2,3,4]; l[-2..-1] = [6]; l", "[1, 2, 6]"],
    ["def l = [1,2,3,4]; l[0,1] = [8, 9]; l", "[8, 9, 3, 4]"],
    ["def l = [1,2,3,4]; l[5] = 1; l", "[1, 2, 3, 4, null, 1]"],
    ["def l = [1,2,3,4]; l[-1] = 1; l", "[1, 2, 3, 1]"],
    ["def l = [1,2,3]; l[3..4] = [1,2]; l", "[1, 2, 3, 1, 2]"],
    ["def l = [1,2,3]; l[0..<0] = [9]; l", "[9, 1, 2, 3]"]
  ]
  for (const [script, value] of cases) {
    it(`read or change several members: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("need as many values as there are indexes", () => {
    expect(() => resultOf("def l = [1, 2, 3]; l[0, 1] = [9]")).toThrow("2 values")
    expect(() => resultOf("def l = [1, 2, 3]; l[-5..-4] = [9]")).toThrow("begins before the list")
  })

  it("may be a spread list", () => {
    expect(text(resultOf("def l = [1, 2, 3]; [l[*[0, 1]], l[0, *[1, 2]], l[*0..1]]"))).toBe(
      "[[1, 2], [1, 2, 3], [1, 2]]"
    )
    expect(text(resultOf("def l = [1, 2, 3]; l[*[0, 1]] = [7, 8]; l"))).toBe("[7, 8, 3]")
  })
})
