import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { typeName } from "../../../src/structure/texts/TypeNames.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("Of several functions of one name", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def f(String s) { 's' }; def f(Object o) { 'o' }; [f('a'), f(1), f(null)]", "[s, o, o]"],
    ["def f(Object o) { 'o' }; def f(List a) { 'l' }; [f([1]), f(1), f(null)]", "[l, o, o]"],
    ["def f(Collection o) { 'c' }; def f(List s) { 'l' }; [f([1]), f([1] as Set)]", "[l, c]"],
    ["def f(Iterable a) { 'it' }; def f(Collection b) { 'c' }; f([1])", "c"],
    ["def f(Range a) { 'r' }; def f(List b) { 'l' }; [f(1..2), f([1])]", "[r, l]"],
    ["def f(HashMap a) { 'h' }; def f(Map b) { 'm' }; f([a: 1])", "m"],
    ["def f(HashMap a) { 'h' }; def f(LinkedHashMap b) { 'l' }; f([a: 1])", "l"],
    ["def f(Closure c) { 'c' }; def f(Object s) { 'o' }; [f({ it }), f(1)]", "[c, o]"],
    ["def f(Number a) { 'n' }; def f(Comparable b) { 'c' }; f(1)", "c"],
    ["def f(Comparable a) { 'c' }; def f(long b) { 'l' }; f(1)", "c"],
    ["def f(Number a) { 'n' }; def f(long b) { 'l' }; f(1)", "l"],
    ["def f(int a) { 'i' }; def f(Integer b) { 'I' }; f(1)", "I"],
    ["def f(Exception a) { 'e' }; def f(Throwable b) { 't' }; f(new RuntimeException('x'))", "e"],
    ["def f(Date e) { 'd' }; def f(Comparable o) { 'c' }; [f(new Date()), f(UUID.randomUUID())]", "[d, c]"],
    ["def f(Integer a) { 'i' }; def f(String a) { 's' }; f(null)", "s"],
    ["def f(Number a) { 'n' }; def f(Integer a) { 'i' }; f(null)", "n"],
    ["def f(List a) { 'l' }; def f(String a) { 's' }; f(null)", "l"],
    ["def f(int x, List l) { 'l' }; def f(int x, Object l) { 'o' }; f(1, null)", "l"],
    ["def f(Object[] e) { 'a' }; def f(Object o) { 'o' }; [f(1), f([1] as Object[]), f(null)]", "[o, a, o]"],
    ["def f(a, Object... b) { 'a' }; def f(Object... b) { 'b' }; [f(1), f()]", "[a, b]"]
  ]
  for (const [script, value] of cases) {
    it(`the one with the nearest types is called: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("none is called if several are equally near", () => {
    const refused = [
      "def f(List a) { 'l' }; def f(Set a) { 's' }; f(null)",
      "def f(String a, Object b) { 'so' }; def f(Object a, String b) { 'os' }; f('a', 'b')",
      "def f(Comparable a) { 'c' }; def f(CharSequence b) { 'cs' }; f('a')",
      "def f(Number a) { 'n' }; def f(String a) { 's' }; f(null)"
    ]
    for (const script of refused) {
      expect(() => resultOf(script), script).toThrow("several functions f() take these arguments equally well")
    }
    const caught =
      "def f(List a) { 'l' }; def f(Set a) { 's' }; try { f(null) } catch (GroovyRuntimeException e) { 'caught' }"
    expect(resultOf(caught)).toBe("caught")
  })
})

describe("The result of a function", () => {
  const cases: ReadonlyArray<readonly [script: string, type: string, value: string]> = [
    ["int f(x) { x }; f(3.7)", "Integer", "3"],
    ["int f(x) { return x ? 1L : 2.5 }; f(0)", "Integer", "2"],
    ["int f(x) { 'a' }; f(1)", "Integer", "97"],
    ["long f(n) { n <= 1 ? 1 : n * f(n - 1) }; f(20)", "Long", "2432902008176640000"],
    ["short f(x) { x }; f(70000)", "Short", "4464"],
    ["String f(x) { x }; f(3)", "String", "3"],
    ["boolean f(x) { x }; f([])", "Boolean", "false"],
    ["Set f(x) { x }; f([1, 1, 2])", "LinkedHashSet", "[1, 2]"],
    ["double f(x) { def y = x }; f(2)", "Double", "2.0"],
    ["double f(x) { x = 2 }; f(1)", "Double", "2.0"],
    ["int f(x) { try { 2.5 } finally { 7.5 } }; f(1)", "Integer", "2"],
    ["int f(x) { switch (x) { case 1: return 2.5; default: 3.5 } }; f(2)", "Integer", "3"],
    ["int f(x) { def c = { -> return 'abc' }; c().size() }; f(1)", "Integer", "3"],
    ["Integer f(x) { x }; f(3L)", "Integer", "3"],
    ["def int f(x) { x }; f(1.5)", "Integer", "1"],
    ["private static int f(x) { x }; f(1.5)", "Integer", "1"],
    ["static f(x) { x }; f('a')", "String", "a"]
  ]
  for (const [script, type, value] of cases) {
    it(`has the declared type: ${script}`, () => {
      const result = resultOf(script)
      expect([typeName(result), text(result)]).toEqual([type, value])
    })
  }

  it("of void is null", () => {
    for (const script of ["void f(x) { x }; f(3)", "void f(x) { if (x) return; x = 1 }; f(1)"]) {
      expect(resultOf(script), script).toBeNull()
    }
    expect(() => resultOf("void f(x) { return 5 }; f(1)")).toThrow("a void function returns nothing")
  })

  it("is 0 or false if the last `if` or `switch` has no branch for the value", () => {
    expect(resultOf("int f(x) { if (x) return 1 }; f(0)")).toBe(0)
    expect(resultOf("boolean f(x) { if (x) { true } else if (x == 5) { true } }; f(0)")).toBe(false)
    expect(resultOf("int f(x) { switch (x) { case 5: 2; break } }; f(1)")).toBe(0)
    expect(resultOf("int f(x) { if (x) { if (x > 1) { 5 } } else { 3 } }; f(1)")).toBe(0)
    expect(resultOf("Integer f(x) { if (x) { 1 } }; f(0)")).toBeNull()
  })

  it("is refused if it cannot have the type", () => {
    const refused: ReadonlyArray<readonly [script: string, problem: string]> = [
      ["int f(x) { x }; f(null)", "Line 1, column 12: null cannot be converted to int"],
      ["int f(x) { while (false) {} }; f(1)", "null cannot be converted to int"],
      ["char f(x) { }; f(1)", "null cannot be converted to char"],
      ["Date f(x) { x }; f(3)", "Integer cannot be converted to Date"],
      ["List f(x) { x }; f([1] as Set)", "LinkedHashSet cannot be converted to List"],
      ["Vertex f() { 1 }; f()", "Integer cannot be converted to Vertex"]
    ]
    for (const [script, problem] of refused) expect(() => resultOf(script), script).toThrow(problem)
  })

  it("and not a variable is void, static or private", () => {
    for (const [script, word] of [
      ["void x = 1", "void"],
      ["static x = 1", "static"],
      ["private int x = 1", "private"]
    ]) {
      expect(() => resultOf(script!), script).toThrow(`only a function is ${word}`)
    }
  })
})

describe("instanceof", () => {
  it("knows ranges, characters, and all values that Java orders", () => {
    const cases: ReadonlyArray<readonly [script: string, value: boolean]> = [
      ["(1..3) instanceof Range", true],
      ["(1..3) instanceof IntRange", true],
      ["(1L..3L) instanceof IntRange", false],
      ["[1] instanceof Range", false],
      ["('a' as char) instanceof Character", true],
      ["'a' instanceof Character", false],
      ["new Date() instanceof Comparable", true],
      ["UUID.randomUUID() instanceof Comparable", true],
      ["java.time.LocalDate.now() instanceof Comparable", true],
      ["'a'.charAt(0) instanceof Comparable", true],
      ["[] instanceof Comparable", false]
    ]
    for (const [script, value] of cases) expect(resultOf(script), script).toBe(value)
  })
})
