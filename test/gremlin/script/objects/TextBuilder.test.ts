import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A StringBuilder", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["sb = new StringBuilder(); sb.append('a').append(1); sb.toString()", "a1"],
    ["sb = new StringBuilder('x'); sb << 'y' << 3 << null; sb.toString()", "xy3null"],
    ["sb = new StringBuilder('abc'); [sb.length(), sb.reverse().toString(), sb.size()]", "[3, cba, 3]"],
    ["sb = new StringBuilder('abc'); sb.insert(0, 'z').deleteCharAt(1).setLength(2); sb.toString()", "zb"],
    ["new StringBuilder('abc').delete(0, 99).toString()", ""],
    ["new StringBuilder('abc').replace(0, 1, 'zz').toString()", "zzbc"],
    ["new StringBuilder('abc').append(1.5).append([a: 1]).append(true).toString()", "abc1.5{a=1}true"],
    ["new StringBuilder('abc').with { [it.charAt(1), it.indexOf('c'), it.substring(1)] }", "[b, 2, bc]"],
    ["[new StringBuilder() ? 1 : 0, new StringBuilder('a') ? 1 : 0]", "[0, 1]"],
    ["sb = new StringBuilder('a'); sb += 'b'; sb instanceof String", "true"],
    ["new StringBuilder('b') == new StringBuilder('b')", "true"],
    ["new StringBuilder('b').equals(new StringBuilder('b'))", "false"],
    ["new StringBuilder('b') == 'b'", "false"],
    ["new StringBuilder('b') == new StringBuffer('b')", "false"],
    ["new StringBuilder('a') < new StringBuilder('b')", "true"],
    [
      "[new StringBuilder('b') <=> new StringBuilder('a'), new StringBuilder('a').compareTo(new StringBuilder('a'))]",
      "[1, 0]"
    ],
    ["new StringBuilder('a') instanceof Comparable", "true"],
    ["def b = new StringBuffer('a'); [b.getClass().name, b instanceof StringBuffer]", "[java.lang.StringBuffer, true]"],
    [
      "[new StringBuffer('a') instanceof StringBuilder, new StringBuilder('a') instanceof StringBuffer]",
      "[false, false]"
    ],
    ["new StringBuilder(new StringBuilder('a')).append(new StringBuilder(5 as short)).toString()", "a"],
    ["String s = new StringBuilder('b'); s", "b"],
    ["sb = new StringBuilder(16); (1..3).each { sb << it << ',' }; sb.toString()", "1,2,3,"],
    ["new StringBuffer('a').append('b').toString()", "ab"],
    ["import java.lang.StringBuilder; [new StringBuilder('a')].join('-')", "a"],
    ["def f(CharSequence s) { 'c' }; def f(String s) { 's' }; f(new StringBuilder('a'))", "c"]
  ]
  for (const [script, value] of cases) {
    it(`changes its text in place: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("refuses places outside of its text, and a text that is too long", () => {
    const refused: ReadonlyArray<readonly [script: string, problem: string | RegExp]> = [
      ["new StringBuilder('abc').insert(9, 'x')", "out of bounds for length 3"],
      ["new StringBuilder('abc').deleteCharAt(3)", "out of bounds for length 3"],
      ["new StringBuilder('abc').delete(2, 1)", "out of bounds for length 3"],
      ["new StringBuilder('abc').setLength(-1)", "setLength() takes a length of 0 or more"],
      ["new StringBuilder('a').setLength(2000000000)", "at most 1048576 characters"],
      ["sb = new StringBuilder('a' * 1000); while (true) sb.append(sb)", "at most 1048576 characters"],
      ["new StringBuilder('abc').replace(1, 2, null)", "a string was expected, not null"],
      ["new StringBuilder('abc').replace(1, 2, 5)", "a string was expected, not Int"],
      ["new StringBuilder(5L)", "new StringBuilder() takes a text, or a capacity as an Int of 0 or more, not Long"],
      ["new StringBuilder(-1)", "or a capacity as an Int of 0 or more"],
      ["new StringBuilder([1, 2])", "new StringBuilder() takes a text"],
      ["new StringBuffer(null)", "new StringBuffer() takes a text"],
      ["new StringBuilder('abc').startsWith('a')", "StringBuilder has no method startsWith()"],
      ["new StringBuilder('a').each { it }", /StringBuilder with a closure has no method each\(\)$/],
      ["new StringBuilder('a').constructor", "StringBuilder has no property constructor"],
      ["new StringBuilder('a').valueOf()", "StringBuilder has no method valueOf()"]
    ]
    for (const [script, problem] of refused) expect(() => resultOf(script), script).toThrow(problem)
  })
})
