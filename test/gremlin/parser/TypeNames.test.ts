import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

describe("Types of members", () => {
  it.each([
    ["{ Map<String, List<Integer>> m -> m.a }([a: [1]])", "[1]"],
    ["[[a: [1]]].collect { Map<String, List<Integer>> m -> m.a }", "[[1]]"],
    ["{ Map<String, Map<String, List<Integer>>> m, int x -> x }([:], 2)", "2"],
    ["{ Map.Entry<String, List<Integer>> e -> e.value }([a: [1]].entrySet().first())", "[1]"],
    ["{ List<int[]> x -> x }([])", "[]"],
    ["def f(Map<String, List<Integer>> m = [b: []]) { m }; f()", "{b=[]}"],
    ["f = (Map<String, List<Integer>> m) -> m; f([:])", "{}"],
    ["r = 0; for (Map<String, List<Integer>> m in [[a: 1]]) { r += m.a }; r", "1"],
    ["r = 0; for (Map<String, List<Integer>> m : [[a: 1]]) { r += m.a }; r", "1"],
    ["x = [:] as Map<String, List<Integer>>; x", "{}"],
    ["List<int[]> x = [1]; x", "[1]"],
    ["final Map<String, List<Integer>> x = [:]; x", "{}"]
  ])("may have types of members themselves: %s", (script, value) => {
    expect(text(resultOf(script))).toBe(value)
  })

  it("leave comparisons as they are", () => {
    expect(text(resultOf("a = 1; b = 2; [a < b, b > a]"))).toBe("[true, true]")
    expect(text(resultOf("def f = { a, b -> a < b ? b > 1 : false }; f(1, 2)"))).toBe("true")
  })
})
