import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("The sign before a number", () => {
  it("is applied after a power and after a call", () => {
    for (const [script, value] of [
      ["-2**2", "-4"],
      ["(-2)**2", "4"],
      ["def x = 2; -x**2", "-4"],
      ["def x = 2; (-x)**2", "4"],
      ["2*-3**2", "-18"],
      ["2**3**2", "64"],
      ["~2**2", "9"],
      ["2**-1**2", "0.5"],
      ["2**+1**2**2", "2"],
      ["def x = 2; 16 * 2**-x**2 * 2", "2.0"],
      ["2**-(1)**2 + 1", "1.5"],
      ["-5.abs()", "-5"],
      ["- 5.abs()", "-5"],
      ["-5.abs() + 1", "-4"],
      ["(-5).abs()", "5"],
      ["1-5.abs()", "-4"],
      ["[-1, -2]", "[-1, -2]"],
      ["(-5..-3).toList()", "[-5, -4, -3]"]
    ] as const)
      expect.soft(text(resultOf(script)), script).toBe(value)
  })
})

describe("A power of a BigInteger", () => {
  it("is a BigInteger for a Long or a BigInteger as the exponent", () => {
    for (const [script, value] of [
      ["[(2g**3L).class.simpleName, 2g**3g]", "[BigInteger, 8]"],
      ["[2g**-1L, 2g**-1, 2L**3L]", "[0, 0.5, 8]"]
    ] as const)
      expect.soft(text(resultOf(script)), script).toBe(value)
    expect(() => resultOf("2g**9223372036854775807L")).toThrow("the exponent of an exact power is at most 9999")
  })
})

describe("A binary literal", () => {
  it("is a number", () => {
    expect(resultOf("0b11 + -0B1")).toBe(2)
    expect(resultOf("0b1111_0000L")).toBe(240n)
    expect(() => resultOf("0b2")).toThrow("0b2")
    expect(() => resultOf("0b_1")).toThrow("'_' may stand only between digits")
  })
})
