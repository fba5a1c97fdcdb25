import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A call with a closure only", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def f(c) { c() }; f { 5 }", "5"],
    ["f = { c -> c(3) }; f { it * 2 }", "6"],
    ["def f(Closure c) { c() }; def x = f { -> 7 }; x", "7"],
    ["def f(Closure c) { c() }; f { 7 } + 1", "8"],
    ["def f(Closure c) { c() }; [f { 7 }, f { 8 }]", "[7, 8]"],
    ["def f(Closure c) { c() }\nf {\n  def y = 3\n  y + 1\n}", "4"],
    ["def x = 5; if (x) { 6 }", "6"],
    ["r = 0; for (y in [1, 2]) { r += y }; r", "3"]
  ]
  for (const [script, value] of cases) {
    it(`passes it to the function: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is refused for a name that is no function", () => {
    expect(() => resultOf("x = 5; x { 3 }")).toThrow("Line 1, column 8: there is no step, predicate or function x()")
    expect(() => resultOf("frobnicate { 3 }")).toThrow("there is no step, predicate or function frobnicate()")
    expect(() => resultOf("constructor { 3 }")).toThrow("there is no step, predicate or function constructor()")
  })
})

describe("The result of a closure in parentheses", () => {
  it("may be the argument of a step", () => {
    for (const argument of [
      "({ p, q -> p }).rcurry(1).call(29)",
      "({ it + 1 })(28)",
      "({ -> 5 })()",
      "({ it -> 7 } >> { it -> 1 }).call(-1)"
    ]) {
      expect(() => resultOf(`g.inject(${argument}).toString()`), argument).not.toThrow()
    }
    expect(() => resultOf("g.inject({ it + 1 })")).toThrow("a closure")
  })
})
