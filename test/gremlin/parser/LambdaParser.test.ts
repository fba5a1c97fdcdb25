import { describe, expect, it } from "vitest"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A closure in Java's form", () => {
  it("is a closure wherever an expression stands", () => {
    const cases: ReadonlyArray<readonly [script: string, value: string]> = [
      ["[1, 2].collect(x -> x + 1)", "[2, 3]"],
      ["[1, 2].collect((x) -> x + 1)", "[2, 3]"],
      ["[1, 2].collect((x) -> { def y = x; y + 1 })", "[2, 3]"],
      ["[1, 2].inject(0, (a, b) -> a + b)", "3"],
      ["[1, 2].inject(0, (int a, int b) -> a + b)", "3"],
      ["def f = x -> x * 2; f(3)", "6"],
      ["def f = () -> 7; f()", "7"],
      ["def f = (a, b) -> a - b; f(5, 3)", "2"],
      ["[a: 1].collect((k, v) -> k + v)", "[a1]"],
      ["[1, 2].stream().map(x -> x + 1).collect(java.util.stream.Collectors.toList())", "[2, 3]"],
      ["def c = 4; def f = { a, b = c -> a + b }; f(1)", "5"],
      ["def f = { a -> a + 1 }; f(1)", "2"],
      ["def f = (a, b = 10) -> a + b; [f(1), f(1, 2)]", "[11, 3]"],
      ["def f = (a = 1) -> a + 1; [f(), f(5)]", "[2, 6]"],
      ["def f = (String s, n = s.size()) -> s * n; f('ab')", "abab"],
      ["[3, 1].collect((x, y = (1 + 1)) -> x * y)", "[6, 2]"],
      ["(3) - 1", "2"]
    ]
    for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
  })

  it("is an argument of a step that takes a closure, and is refused in another one", () => {
    expect(() => parseScript("g.V().filter(x -> x.get().value('age') > 30).map((x) -> { x.get().id() })")).not.toThrow()
    expect(() => parseScript("g.V().order().by((a, b) -> a <=> b)")).not.toThrow()
    expect(() => parseScript("g.V().has('name', x -> x)")).toThrow("a closure cannot stand here")
    expect(() => parseScript("g.V().map((a, b) -> a)")).toThrow("the closure of map() takes one argument")
  })
})
