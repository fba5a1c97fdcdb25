import { describe, expect, it } from "vitest"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { text } from "../../../src/structure/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A switch with arrows", () => {
  it("runs the statement of one case only", () => {
    const f =
      "def f(x) { switch (x) { case 1 -> 'a'; case 2, 3 -> 'b'; case String -> { x + '!' }\ndefault -> 'c' } }; "
    const cases: ReadonlyArray<readonly [script: string, value: string]> = [
      [`${f}[f(1), f(2), f(3), f('s'), f(9)]`, "[a, b, b, s!, c]"],
      ["def r = []; switch (1) { case 1 -> r << 'a'; case 2 -> r << 'b' }; r", "[a]"],
      ["def r = 0; switch (5) { case 1 -> r = 1\ndefault -> r = 2 }; r", "2"],
      ["def n = 1; switch (1) { case n -> 'a'; default -> 'b' }", "a"],
      ["def f(x) { switch (x) { case 1 -> 'a'; default -> throw new RuntimeException('no') } }; f(1)", "a"]
    ]
    for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
  })

  it("has several values in a case only before an arrow, and is no value", () => {
    expect(() => parseScript("switch (1) { case 1, 2: 3 }")).toThrow("several values in a case need '->' after them")
    expect(() => parseScript("def r = switch (1) { case 1 -> 2 }")).toThrow("a switch is a statement and no value")
  })
})
