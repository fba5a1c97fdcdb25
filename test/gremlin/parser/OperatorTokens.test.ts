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

  it.each([
    ["names = null ?: []\n['a', 'b'].each { names << it }\nnames", ["a", "b"]],
    ["n = false ? 1 : 2\n-1\nn", 2],
    ["n = true ? 1 : few\n(1..3).each { n += it }\nn", 7],
    ["n = 0\nok = !n\n(1..3).each { n += it }\nn", 6],
    ["c = 5\nn = (int) c\n[1, 2].each { n += it }\nn", 8],
    ["n = 1\nf = x -> x\n(1..3).each { n += it }\nf(n)", 7],
    ["i = 1\nx = !i\n++i\ni", 2],
    ["i = 1\n++i\n[1].each { i += it }\ni", 3],
    ["i = 1\nx = -i\n[1].each { i += it }\ni + x", 1],
    ["def f(a) {\n  def b = a ?: []\n  [1].each { b << it }\n  b\n}\nf(null)", [1]],
    ["x = 2\ny = 3**-x\n[1].size()", 1]
  ])("ends a statement after an operand that has no bracket: %s", (script, value) => {
    expect(resultOf(script)).toEqual(value)
  })

  it("is white space in brackets around such an operand", () => {
    expect(resultOf("x = (true ? 1 : 2\n - 1)\nx")).toBe(1)
    expect(resultOf("x = [true ? 1 : 2\n - 1, !true\n]\nx")).toEqual([1, false])
  })

  it("may stand before the value of a declaration", () => {
    expect(resultOf("def x\n    = 3\nint y\n= 4\nx + y")).toBe(7)
    expect(resultOf("def (a, b)\n    = [1, 2]\na + b")).toBe(3)
  })
})
