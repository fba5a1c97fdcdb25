// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { ScriptMemory } from "../../src/gremlin/script/budget/ScriptMemory.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "./FakeHost.ts"

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

  it("is refused when it is made too deep, and not only when it is called", () => {
    for (const script of [
      "def c = { it }; 20000.times { c = c.curry() }; c.maximumNumberOfParameters",
      "def c = { it }; 20000.times { c = c >> { it } }; [1].with(c)",
      "def c = { it }; 20000.times { c = c << { it } }; 1",
      "def c = { it }; 20000.times { c = c.memoize() }; c.maximumNumberOfParameters",
      "def c = { it }; 20000.times { c = c.rightShift { it } }; c.parameterTypes"
    ]) {
      expect(() => resultOf(script), script).toThrow(/made of others more than 500 levels deep/)
    }
  })

  it("passes the object of with() and tap() on to its parts when they run, and copies none", () => {
    for (const method of ["with", "tap"]) {
      const script = `def c = { throw new Exception('it runs') }; 200.times { c = c >> c }; [1].${method}(c)`
      expect(() => resultOf(script), method).toThrow(/it runs/)
    }
    expect(text(resultOf("def f = { size() } >> { [it, size()] }; [7, 8].with(f)"))).toBe("[2, 2]")
    expect(text(resultOf("def f = { size() } >> { [it, size()] }; [7, 8].with(f >> { it << first() })"))).toBe(
      "[2, 2, 7]"
    )
    expect(text(resultOf("def f = { a, b -> size() + a }.curry(1); [7, 8].with(f)"))).toBe("3")
  })

  it("counts in the memory of the script", () => {
    for (const made of ["d = d.curry()", "d = d >> c", "d = d << c", "d = d.memoize()", "d = d.rcurry(1)"]) {
      const host = new FakeHost()
      const memory = new ScriptMemory(host.scope.variables, false)
      const loop = `for (int i = 0; i < 10000; i++) { def d = c; ${made} }`
      host.run(`def c = { it }; ${loop}`, new TimeSlice(), memory)
      expect(memory.madeBytes, made).toBeGreaterThan(1_000_000)
    }
  })

  it("keeps the delegate of with()", () => {
    expect(text(resultOf("def f = { a, b -> [a, b] }; [1, 2].with(f.curry(7))"))).toBe("[7, [1, 2]]")
  })
})
