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
