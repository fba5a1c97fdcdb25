import { describe, expect, it } from "vitest"
import { FakeHost, resultOf } from "../FakeHost.ts"

describe("An operator at the beginning of a line", () => {
  it.each([
    ["def x = true\n  ? 'a'\n  : 'b'\nx", "a"],
    ["x = null\n  ?: 'b'\nx", "b"],
    ["true\n && false", false],
    ["false\n || true", true],
    ["1\n == 1", true],
    ["1\n != 1", false],
    ["1\n <=> 2", -1],
    ["1\n < 2", true],
    ["2\n >= 3", false],
    ["'ab'\n ==~ /a./", true],
    ["1\n in [1]", true],
    ["1\n !in [1]", false],
    ["1\n instanceof Integer", true],
    ["'7'\n as int", 7],
    ["6\n * 7", 42],
    ["7\n % 4", 3],
    ["1\n << 3", 8],
    ["6\n & 3", 2],
    ["6\n | 1", 7],
    ["(1\n..3).size()", 3],
    ["x = 1\nx\n+= 2\nx", 3],
    ["return true // why\n  && // another\n  false", false]
  ])("continues the line before it: %s", (script, value) => {
    expect(resultOf(script)).toBe(value)
  })

  it("continues a statement of a block", () => {
    expect(resultOf("[1, 2].findAll { n ->\n  n > 1\n    && n < 3\n}")).toEqual([2])
    expect(
      resultOf("def f(a) {\n  if (a) return a > 1\n    ? 'many'\n    : 'one'\n  'none'\n}\nf(2) + f(1) + f(0)")
    ).toBe("manyonenone")
  })

  it("begins a statement when it is a sign or a string in slashes, as in Groovy", () => {
    expect(resultOf("x = 1\n-2")).toBe(-2)
    expect(resultOf("x = 1\n+2\nx")).toBe(1)
    expect(resultOf("x = 1\n++x")).toBe(2)
    expect(resultOf("x = 'a'\n/b/")).toBe("b")
    expect(resultOf("x = 1\n!x")).toBe(false)
    expect(() => resultOf("2\n**2")).toThrow("Line 2, column 1")
  })

  it("begins a statement when it is the name of a variable", () => {
    expect(resultOf("x = 1\nas = 3\nas")).toBe(3)
    expect(resultOf("x = 1\nin = 3\nin + x")).toBe(4)
  })

  it("does not divide a traversal from its next line", () => {
    const host = new FakeHost(() => [])
    host.run("g.V()\n  .out()\n  .toList()\n  ?: 1")
    expect(host.calls.filter((call) => call !== "begun")).toEqual(["list g.V().out()"])
  })
})
