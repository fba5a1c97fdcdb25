import { describe, expect, it } from "vitest"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { text } from "../../../src/structure/texts/Text.ts"
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

  it("has several values in a case of a statement only before an arrow", () => {
    expect(() => parseScript("switch (1) { case 1, 2: 3 }")).toThrow("several values in a case need '->' after them")
  })
})

describe("A switch at the end of a body", () => {
  it.each([
    "def f(x) { switch (x) { case 1: for (i in 1..2) {}; break; default: 'b' } }; f(1)",
    "def f(x) { switch (x) { case 1: if (false) { 'x' }; break; case 2: 'c'; break; default: 'b' } }; f(1)",
    "def f(x) { switch (x) { case 1: assert true; break; default: 'b' } }; f(1)",
    "def f(x) { switch (x) { case 1 -> { while (false) {} }; default -> 'b' } }; f(1)",
    "switch (1) { case 1: for (i in 1..2) {}; break; default: 'b' }"
  ])("has no value, and does not run the next case, after a case without a value: %s", (script) => {
    expect(resultOf(script)).toBe(null)
  })
})

describe("A switch as a value", () => {
  it.each([
    ["def v = switch ('b') { case 'a' -> 1; case 'b' -> 2; default -> 3 }; v", "2"],
    [
      "def f = { x -> switch (x) { case 1 -> 'one'; case 2..5 -> 'few'; case String -> 'text'; default -> 'many' } }; [f(1), f(3), f(''), f(9)]",
      "[one, few, text, many]"
    ],
    [
      "def v = switch (5) { case 1, 2 -> 'low'; case 4, 5 -> { def t = 'mid'; t + 'dle' }; default -> 'high' }; v",
      "middle"
    ],
    ["def v = switch (3) { case 1: yield 'a'; case 2, 3: yield 'c'; default: yield 'z' }; v", "c"],
    ["def v = switch (1) { case 1: if (true) { yield 'x' } else { yield 'y' }; default: yield 'b' }; v", "x"],
    ["def v = switch (3) { case 3 -> { yield 7 }; default -> 0 }; v", "7"],
    ["def v = switch (7) { case 1 -> 'a' }; v", "null"],
    ["def v = switch (1) { case 1 -> { }; default -> 'b' }; v", "null"],
    ["def v = switch (1) { case 1 -> { for (i in 1..2) { if (i == 1) continue; break } }; default -> 'b' }; v", "null"],
    ["def v = switch (1) { case 1 -> switch (2) { case 2 -> 'in'; default -> 'd' }; default -> 'out' }; v", "in"],
    ["def x = 0; def v = switch (2) { case 2 -> { x += 5; x * 2 }; default -> 1 }; [x, v]", "[5, 10]"],
    ["10 + switch (3) { case 3 -> 1; default -> 2 } + 5", "16"],
    [
      "def f(x) { return switch (x) { case null -> 'null'; case List -> 'list'; default -> 'other' } }; [f(null), f([]), f(2)]",
      "[null, list, other]"
    ],
    ["[switch (1) { case 1 -> 'a'; default -> 'b' }, 2]", "[a, 2]"],
    ["(switch (1) { case 1 -> 'a'; default -> 'b' }).toUpperCase()", "A"],
    ["def v = true ? switch (5) { case { it > 3 } -> 'big'; default -> 'no' } : 0; v", "big"],
    ["int n = switch (1) { case 1 -> { [1, 2].collect { return it }.size() }; default -> 2 }; n", "2"],
    [
      "try { def v = switch (1) { case 1 -> throw new IllegalStateException('no'); default -> 2 } } catch (e) { e.message }",
      "no"
    ],
    ["def yield = 4; yield + 1", "5"],
    ["def s = \"v=${switch (2) { case 1 -> 'a'; default -> 'b' }}\"; s", "v=b"]
  ])("has the value of its case: %s", (script, value) => {
    expect(text(resultOf(script))).toBe(value)
  })

  it("is nested at most as deeply as other expressions", () => {
    const nested = (depth: number): string =>
      `def v = ${"switch (1) { case 1 -> (".repeat(depth)}5${") }".repeat(depth)}; v`
    expect(resultOf(nested(5))).toBe(5)
    expect(() => parseScript(nested(20_000))).toThrow(/nested/)
  })
})
