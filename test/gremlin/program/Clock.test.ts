import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A clock of a script", () => {
  it("calls a closure once more than it is told, and gives the mean time of a call", () => {
    expect(resultOf("n = 0; clock(3) { n++ }; n")).toBe(4)
    expect(resultOf("n = 0; clock { n++ }; n")).toBe(101)
    expect(resultOf("t = clock(2) { 1 }; t instanceof Double && t >= 0 && t < 10000")).toBe(true)
    expect(resultOf("clock(0) { 1 }.isNaN()")).toBe(true)
  })

  it("gives the result of the last call if it is asked for", () => {
    expect(resultOf("n = 0; r = clockWithResult(3) { n++ }; [r.size(), r[0] instanceof Double, r[1]].toString()")).toBe(
      "[2, true, 3]"
    )
  })

  it("passes the error of the closure on", () => {
    expect(
      resultOf("try { clock(2) { throw new RuntimeException('x') } } catch (RuntimeException e) { e.message }")
    ).toBe("x")
  })

  it("takes a number and a closure", () => {
    for (const call of ["clock(3)", "clock('a') { 1 }", "clock(2L) { 1 }", "clock(3, 4) { 1 }", "clock()"]) {
      expect(() => resultOf(call), call).toThrow("clock() takes a number of calls and a closure")
    }
  })

  it("gives way to a function of the script", () => {
    expect(resultOf("def clock(n) { n + 1 }; clock(3)")).toBe(4)
  })
})

describe("The text of an optional", () => {
  it("has the value", () => {
    expect(text(resultOf("[g.V().tryNext().toString()]"))).toMatch(/^\[Optional(?:\.empty|\[.*\])\]$/)
  })
})
