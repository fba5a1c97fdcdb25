// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../src/structure/Text.ts"
import { resultOf } from "./FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A closure that is made of others", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def f = { a -> { b -> a + b } }; f(1)(2)", "3"],
    ["def m = [f: { it * 2 }]; m.f(3)", "6"],
    ["def m = [f: { it * 2 }]; m['f'](3)", "6"],
    ["def l = [{ it + 1 }]; l[0](3)", "4"],
    ["({ it + 1 })(4)", "5"],
    ['def f = { a, b -> "$a $b".toString() }; f.curry(1)(2)', "1 2"],
    ['def f = { a, b -> "$a $b".toString() }; f.rcurry(1)(2)', "2 1"],
    ["def f = { a, b, c -> [a,b,c] }; f.ncurry(1, 9)(7, 8)", "[7, 9, 8]"],
    ["def f = { a, b, c -> [a,b,c] }; f.curry(1,2)(3)", "[1, 2, 3]"],
    ["def f = { a, b, c -> [a,b,c] }; f.curry(1).curry(2).call(3)", "[1, 2, 3]"],
    ["def f = { it + 1 }; def g2 = { it * 2 }; (f >> g2)(3)", "8"],
    ["def f = { it + 1 }; def g2 = { it * 2 }; (f << g2)(3)", "7"],
    ["def f = { a, b -> a + b }; def g2 = { it * 2 }; (f >> g2)(3, 4)", "14"],
    ["[1,2].collect({it+1} >> {it*2})", "[4, 6]"],
    ["def f = { it }.memoize(); f(3)", "3"]
  ]
  for (const [script, value] of cases) {
    it(`has the value of Groovy: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is called once for equal arguments by memoize()", () => {
    expect(text(resultOf("def n = 0; def f = { n++; it * 2 }.memoize(); [f(3), f(3), f(4), n]"))).toBe("[6, 6, 8, 2]")
  })

  it("nests as deep as calls do", () => {
    const script = "def f = { it }; 2000.times { f = f.curry() }; f(1)"
    expect(() => resultOf(script)).toThrow("levels deep")
    expect(() => resultOf("def f = { it }; 2000.times { f = f >> { it } }; f(1)")).toThrow("levels deep")
  })

  it("keeps the delegate of with()", () => {
    expect(text(resultOf("def f = { a, b -> [a, b] }; [1, 2].with(f.curry(7))"))).toBe("[7, [1, 2]]")
  })
})
