// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("`in`, switch and comparisons with null", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["'a' in 'abc'", "false"],
    ["'abc' in 'abc'", "true"],
    ["12 in '12'", "true"],
    ["12L in '12'", "true"],
    ["switch(12) { case '12': 1; break; default: 2 }", "1"],
    ["switch('12') { case 12: 1; break; default: 2 }", "2"],
    ["switch([1,2]) { case '[1, 2]': 1; break; default: 2 }", "1"],
    ["switch(null) { case 'null': 1; break; default: 2 }", "2"],
    ["switch(true) { case 'true': 1; break; default: 2 }", "1"],
    ["switch([a:1]) { case '{a=1}': 1; break; default: 2 }", "1"],
    ["switch(1.0d) { case '1.0': 1; break; default: 2 }", "1"],
    ["switch('a') { case \"${'a'}\": 1; break; default: 2 }", "1"],
    ["1 in 1", "true"],
    ["1 in 1L", "true"],
    ["1L in 1", "true"],
    ["'a' in [a:1]", "true"],
    ["'b' in [a:0]", "false"],
    ["'a' in [a:0]", "false"],
    ["5 in 5..6", "true"],
    ["5 in null", "false"],
    ["null in [null]", "true"],
    ["1 in [1L]", "false"],
    ["'a' in ~/a/", "true"],
    ["1 in Integer", "true"],
    ["Integer in Number", "true"],
    ["'x' in String", "true"],
    ["[1] in [[1]]", "true"],
    ["!('a' in 'abc')", "true"],
    ["'a' !in 'abc'", "true"],
    ["switch(5) { case { it > 3 }: 'big'; break; default: 'small' }", "big"],
    ["switch(5) { case 1..9: 'r'; break; default: 'd' }", "r"],
    ["switch(5L) { case 1..9: 'r'; break; default: 'd' }", "d"],
    ["switch(5L) { case 5: 'r'; break; default: 'd' }", "r"],
    ["switch(5) { case [5L]: 'r'; break; default: 'd' }", "d"],
    ["switch('abc') { case ~/a.*/: 'r'; break; default: 'd' }", "r"],
    ["switch(3) { case Number: 'n'; break; default: 'd' }", "n"],
    ["switch(3) { case [(3): true]: 'n'; break; default: 'd' }", "n"],
    ["null < 1", "true"],
    ["null >= 1", "false"],
    ["1 > null", "true"],
    ["null <= null", "true"],
    ["null >= null", "true"],
    ["null < null", "false"],
    ["'a' > null", "true"],
    ["null < 'a'", "true"],
    ["[1] > null", "true"],
    ["null > true", "false"],
    ["1 < null", "false"]
  ]
  for (const [script, value] of cases) {
    it(`follow Groovy: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("take no closure on the right side of `in`", () => {
    expect(() => resultOf("1 in { it == 1 }")).toThrow("takes no closure")
  })
})
