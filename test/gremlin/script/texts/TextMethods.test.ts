import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

/** Scripts, and the results that Gremlin Server gives for them. */
const results: ReadonlyArray<readonly [script: string, result: string]> = [
  ["'abcd'.take(2) + '|' + 'abcd'.drop(3) + '|' + 'ab'.take(-1)", "ab|d|"],
  ["'abcd'.takeRight(1) + 'abcd'.dropRight(3)", "da"],
  ["'a.b.c'.takeBefore('.') + 'a.b.c'.takeAfter('.')", "ab.c"],
  ["'7'.padLeft(3, '0') + '7'.padRight(3) + '|' + 'ab'.center(5, '-')", "0077  |-ab--"],
  ["'marko'.capitalize() + 'Marko'.uncapitalize()", "Markomarko"],
  ["'abc'.toList()", "[a, b, c]"],
  ["'a b\tc'.tokenize()", "[a, b, c]"],
  ["'a, b;c'.tokenize(', ;')", "[a, b, c]"],
  ["'a1b22c'.split('[0-9]+')", "[a, b, c]"],
  ["'a,b,,'.split(',')", "[a, b]"],
  ["'a,b,c'.split(',', 2)", "[a, b,c]"],
  ["'abc'.split('')", "[a, b, c]"],
  ["''.split(',').size()", "1"],
  ["'a b'.split()", "[a, b]"],
  ["'marko'.replaceAll('[ao]', '_')", "m_rk_"],
  ["'marko 29'.replaceAll('(\\\\w+) (\\\\d+)', '$2-$1')", "29-marko"],
  ["'aXa'.replaceFirst('a', 'b')", "bXa"],
  ["'ab'.replace('', '-')", "-a-b-"],
  ["'marko'.matches('[a-z]+')", "true"],
  ["'a1b2'.find('[0-9]') + 'a1b2'.findAll('[0-9]')", "1[1, 2]"],
  ["'aaaa'.count('aa')", "3"],
  ["'aXbXc'.minus('X')", "abXc"],
  ["'12'.isInteger() && !'x'.isInteger() && '99999999999'.isLong() && !'99999999999'.isInteger()", "true"],
  ["'a\nb\n'.readLines()", "[a, b]"],
  ["[3, 1].average()", "2"],
  ["[b: 1, a: 2].sort()", "{a=2, b=1}"],
  ["[b: 1, a: 2].subMap(['a', 'x'])", "{a=2}"],
  ["Math.max(1, 3L).getClass().getSimpleName() + Math.min(2L, 1).getClass().getSimpleName()", "LongLong"],
  ["['abcabc'.indexOf('c', 3), 'abc'.indexOf('a', -1), 'abc'.indexOf('a', 1), 'abc'.indexOf('', 9)]", "[5, 0, -1, 3]"],
  ["['abab'.lastIndexOf('ab', 1), 'abab'.lastIndexOf('ab', 2), 'a'.lastIndexOf('a', -1)]", "[0, 2, -1]"],
  ["[3L in [3], [3].contains(3L), [3].indexOf(3L), [3].count(3L)]", "[false, false, -1, 1]"],
  ["[[1][3], [1, 2][-1]]", "[null, 2]"]
]

describe("A method of Groovy", () => {
  it("has Groovy's result", () => {
    for (const [script, result] of results) expect(text(resultOf(script)), script).toBe(result)
  })

  it("fails where Groovy's fails", () => {
    for (const script of [
      "[].tail()",
      "[].init()",
      "[].head()",
      "[].first()",
      "[].last()",
      "[][-1]",
      "'ab'[2]",
      "'a'[-2]"
    ]) {
      expect(() => resultOf(script), script).toThrow(/empty collection has no result|out of bounds/)
    }
    expect(() => resultOf("'a'.replaceAll('a', '$1')")).toThrow(/names the group \$1, which the pattern does not have/)
    expect(() => resultOf("'a'.repeat(-1)")).toThrow(/cannot be repeated -1 times/)
  })

  it("is refused when it would make too much", () => {
    expect(() => resultOf("'a'.padLeft(100000000)")).toThrow(/at most 1048576 characters/)
    expect(() => resultOf("('a' * 1000).replaceAll('a', 'b' * 100000)")).toThrow(/at most 1048576 characters/)
    expect(() => resultOf("('a,' * 200000).split(',')")).toThrow(/items in one operation|at most/)
  })
})
