import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("An operator before a list", () => {
  it("gives the list of the values for its members", () => {
    expect(shown("[-[1, 2L, 1.5m, [3.5d]], +[1, [2L]], ~[1, 2L, [3]]]")).toBe(
      "[[-1, -2, -1.5, [-3.5]], [1, [2]], [-2, -3, [-4]]]"
    )
    expect(shown("def a = [1]; def b = +a; b << 2; a")).toBe("[1]")
  })

  it("refuses members without a value", () => {
    expect(() => resultOf("-[1, 'a']")).toThrow(/- takes a number, not String/)
    expect(() => resultOf("~[1, 1.5]")).toThrow(/~ takes an integer, a string or a list of these/)
    expect(() => resultOf("+'a'")).toThrow(/\+ takes a number, not String/)
  })

  it("counts a member as often as the list has it", () => {
    const large = "def b = [[1] * 900] * 100; def c = []; for (i in 1..50) c << b; "
    for (const operator of ["-", "+", "~"]) {
      expect(() => resultOf(`${large}${operator}c`)).toThrow(/would process \d+ items/)
    }
  })
})

describe("A list that is repeated", () => {
  it("counts its members for each time", () => {
    expect(() => resultOf("def b = [[1] * 900] * 100; def c = [b] * 100000; c.size()")).toThrow(
      /adding collections would process/
    )
    expect(shown("([[1] * 900] * 100).size()")).toBe("100")
  })
})

describe("The absolute value of a number", () => {
  it("is that of Java: the least Int and Long stay negative, and zero has no sign", () => {
    expect(shown("[Integer.MIN_VALUE.abs(), Math.abs(Integer.MIN_VALUE), (-5 as short).abs()]")).toBe(
      "[-2147483648, -2147483648, 5]"
    )
    expect(shown("[Long.MIN_VALUE.abs(), Math.abs(Long.MIN_VALUE)]")).toBe(
      "[-9223372036854775808, -9223372036854775808]"
    )
    expect(shown("[(-1.25d * 0).abs(), Math.abs(-1.25d * 0), (-2147483648d).abs()]")).toBe("[0.0, 0.0, 2.147483648E9]")
  })
})
