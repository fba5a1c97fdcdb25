// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A character", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["'abc'.charAt(1)", "b"],
    ["Character.isDigit('5' as char)", "true"],
    ["Character.isLetter('a' as char)", "true"],
    ["Character.toUpperCase('a' as char)", "A"],
    ["Character.getNumericValue('5' as char)", "5"],
    ["'abc'.charAt(0) == 'a'", "true"],
    ["'abc'.charAt(0) + 1", "98"],
    ["'x' + 'abc'.charAt(0)", "xa"],
    ["'abc'.charAt(0) < 'b'", "true"],
    ["'abc'.charAt(0) < 98", "true"],
    ["switch('abc'.charAt(0)) { case 'a': 1; break; default: 2 }", "1"],
    ["['a','b'].contains('abc'.charAt(0))", "false"],
    ["('abc'.charAt(0) as int)", "97"],
    ["(int) 'abc'.charAt(0)", "97"],
    ["'abc'.charAt(0).toString()", "a"],
    ["def c = 'abc'.charAt(0); [(c): 1]['a']", "null"],
    ["'abc'.charAt(0) in ['a']", "false"],
    ["\"${'abc'.charAt(0)}\".toString()", "a"],
    ["'abc'.charAt(0).isDigit()", "false"],
    ["'5'.charAt(0).isDigit()", "true"],
    ["Character.isDigit('5'.charAt(0))", "true"],
    ["def s=''; for (int i=0;i<3;i++) { s += 'abc'.charAt(i) }; s", "abc"],
    ["'abc'.charAt(2) - 'abc'.charAt(0)", "2"],
    ["'abc'.toCharArray()[0] == 'a'", "true"],
    ["'abc'.charAt(0).equals('a')", "false"],
    ["'abc'.charAt(0).compareTo('b' as char)", "-1"],
    ["'abc'.charAt(0) <=> 'b'", "-1"],
    ["'abc'.charAt(0).class.name", "java.lang.Character"],
    ["'abc'.charAt(0) as String", "a"],
    ["'abc'.charAt(0).toUpperCase()", "A"],
    ["'a'.charAt(0) * 2", "194"],
    ["'a' == ('a' as char)", "true"],
    ["('a' as char) == 97", "true"],
    ["('a' as char) == 'ab'", "false"],
    ["('a' as char) <=> 'ab'", "-1"],
    ["('a' as char) < 'ab'", "true"],
    ["('a' as char) == 97L", "true"],
    ["('a' as char) + ('b' as char)", "195"],
    ["('a' as char) / 2", "48.5"],
    ["1 + ('a' as char)", "98"],
    ["'x' - ('x' as char)", ""],
    ["('a' as char).next()", "b"],
    ["('a' as char) as boolean", "true"],
    ["('a' as char) ? 1 : 2", "1"],
    ["('5' as char) as int", "53"],
    ["('a' as char).isLetter()", "true"],
    ["('a' as char).isLetterOrDigit()", "true"],
    ["('A' as char).isUpperCase()", "true"],
    ["('A' as char).toLowerCase()", "a"],
    ["(' ' as char).isWhitespace()", "true"],
    ["Character.isWhitespace(' ' as char)", "true"],
    ["Character.toString('a' as char)", "a"],
    ["'a' as char == 'a' as char", "true"],
    ["['b','a']*.charAt(0).sort()", "[a, b]"],
    ["'hello'.toCharArray().collect { it as int }.sum()", "532"],
    ["('a' as char).compareTo('c' as char)", "-1"],
    ["('a' as char) == null", "false"],
    ["null == ('a' as char)", "false"],
    ["('a' as char) != 'b'", "true"],
    ["('a' as char) >= 'a'", "true"],
    ["def m = ['a': 1]; m['a' as char]", "null"],
    ["['a' as char].join('')", "a"]
  ]
  for (const [script, value] of cases) {
    it(`behaves as in Groovy: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("has no operators that Groovy does not have", () => {
    for (const script of ["('a' as char) + 'x'", "('a' as char) % 2", "('a' as char) ** 2", "Character.isDigit('5')"]) {
      expect(() => resultOf(script), script).toThrow()
    }
  })

  it("is followed by the next one with ++", () => {
    expect(text(resultOf("def c = 'a' as char; c++; [c, c.class.simpleName, c--, --c, ++c]"))).toBe(
      "[b, Character, b, `, a]"
    )
    expect(text(resultOf("def c = 'a' as char; c += 1; c"))).toBe("98")
    expect(text(resultOf("def l = ['a' as char]; l[0]++; l"))).toBe("[b]")
    expect(text(resultOf("def n = 1; def d = 2.5d; def b = 3G; n++; d--; b++; [n, d, b, n++ + ++n]"))).toBe(
      "[2, 1.5, 4, 6]"
    )
    for (const value of ["[1]", "[a: 1]"]) {
      expect(() => resultOf(`def x = ${value}; x++; x`), value).toThrow(/has no method next\(\)/)
    }
  })
})
