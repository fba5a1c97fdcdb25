import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const expectAll = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect(text(resultOf(script)), script).toBe(value)
}

describe("The branches of a conditional expression", () => {
  it("of primitive types have the wider one", () => {
    const cases = [
      ["(true ? (5 as short) : 3)", "Integer"],
      ["(true ? (5 as byte) : 3L)", "Long"],
      ["(false ? (long) 5 : 3)", "Long"],
      ["((5 as short) ?: 3)", "Integer"],
      ["short s = 5; (true ? s : 3)", "Integer"],
      ["int i = 5; long j = 3; (true ? i : j)", "Long"],
      ["def s = 5 as short; (true ? s : 3)", "Short"],
      ["(true ? 5 : null)", "Integer"],
      ["(true ? 5 : 'a')", "Integer"]
    ] as const
    expectAll(cases.map(([script, type]) => [`${script}.class.simpleName`, type]))
  })
})

describe("The variable of a loop", () => {
  it("has the type that it declares", () => {
    expectAll([
      ["r = []; for (int x in [1.5, 2L]) r << x; r", "[1, 2]"],
      ["r = []; for (String x : [1.5, 2]) r << x; r.every { it instanceof String }", "true"],
      ["r = []; for (long x in 1..3) r << x; r.every { it instanceof Long }", "true"],
      ["r = []; for (Integer x in [null, 1]) r << x; r", "[null, 1]"],
      ["r = []; for (char c in 'ab') r << c; r.every { it instanceof Character }", "true"]
    ])
    expect(() => resultOf("for (int x in ['ab']) { }")).toThrow("Line 1, column 1: String cannot be converted to int")
  })
})

describe("The class of a primitive type", () => {
  it("is no class of an object and no constant of GType", () => {
    expectAll([
      ["int.class.name", "int"],
      ["[long.class.simpleName, boolean.name, void.class.name]", "[long, boolean, void]"],
      ["x = int; x.toString()", "int"],
      ["[int.class == int, int.class == Integer.class]", "[true, false]"],
      ["int[].class.simpleName", "int[]"],
      ["int1 = 3; int1", "3"]
    ])
    expect(text(resultOf("g.inject(1).is(typeOf(int)).toString()"))).toContain("GType.INT")
  })
})

describe("A variable that is declared with a type", () => {
  it("converts later values, also when it has no first value", () => {
    expectAll([
      ["int n; n = 3.7; n", "3"],
      ["long n; n = 5; n instanceof Long", "true"],
      ["Integer n; n = 3.7; n", "3"],
      ["String s; s = 5; s instanceof String", "true"],
      ["int n = 1, m; m = 2.5; m", "2"],
      ["double d; d = 1; d", "1.0"],
      ["Set s; s = [1, 1]; s", "[1]"],
      ["def f() { long n; n = 5; n instanceof Long }; f()", "true"],
      ["int n; [1.5, 2.5].each { n += it }; n", "3"]
    ])
    expect(() => resultOf("int n; n = null")).toThrow("cannot be converted to int")
    expect(() => resultOf("List l; l = [1] as Set")).toThrow("LinkedHashSet cannot be converted to List")
  })

  it("has zero or false before the first value if the type is primitive, and null otherwise", () => {
    expectAll([
      ["int n; n += 1; n", "1"],
      ["long n; n instanceof Long && n == 0", "true"],
      ["double d; d", "0.0"],
      ["boolean b; b", "false"],
      ["char c; (int) c", "0"],
      ["Integer n; n", "null"],
      ["List l; l", "null"],
      ["def f = { int n; n += 1; n }; f()", "1"]
    ])
  })

  it("has its own type beside other variables of one list", () => {
    expectAll([
      ["def (long a, long b) = [1, 2]; [a instanceof Long, b instanceof Long]", "[true, true]"],
      ["def (long a, b) = [1, 2]; [a instanceof Long, b instanceof Integer]", "[true, true]"],
      ["def (int a, String b) = [1.7, 2]; [a, b instanceof String]", "[1, true]"],
      ["def (int a, b) = [1, 2]; a = 7.5; a", "7"]
    ])
    expect(() => resultOf("def (int a, int b) = [1]")).toThrow("null cannot be converted to int")
  })
})
