import { describe, expect, it } from "vitest"
import { TraversalError, TraversalInvalid } from "../../../src/process/language/Errors.ts"
import { regularExpression, wholeExpression } from "../../../src/process/predicates/RegularExpression.ts"

/** A pattern, a text that Java matches, and one that it does not match. */
const patterns: ReadonlyArray<readonly [string, string, string]> = [
  ["^mar", "marko", "omar"],
  ["Tinker.*\\u00A9", "Apache TinkerPop©", "Apache TinkerPop"],
  ["\\uD83D\\uDE00", "a😀", "a😁"],
  ["a\\hb", "a\u00a0b", "a\nb"],
  ["a\\Hb", "axb", "a b"],
  ["a\\vb", "a\rb", "a b"],
  ["a[\\h\\v]b", "a\u2028b", "axb"],
  ["a\\sb", "a\u000bb", "a\u00a0b"],
  ["a[\\sx]b", "a\u000bb", "ayb"],
  ["a\\Sb", "axb", "a b"],
  ["a\\Rb", "a\r\nb", "a b"],
  ["^\\p{Alpha}+$", "abc", "äbc"],
  ["^[\\p{Alpha}_]+$", "a_c", "a-c"],
  ["^\\P{Alpha}$", "1", "a"],
  ["^\\p{IsLatin}+$", "äb", "αβ"],
  ["^\\p{script=Greek}+$", "αβ", "ab"],
  ["^\\p{Lu}\\pL$", "Ab", "aB"],
  ["\\Qa.b[\\E", "a.b[", "axb["],
  ["[\\Q^]\\E]", "]", "a"],
  ["a\\e\\cA", "a\u001b\u0001", "a"],
  ["\\0101\\x42", "AB", "ab"],
  ["(?i)MARKO", "marko", "mark"],
  ["(?iu)MARKO", "marko", "mark"],
  ["(?i)müller", "Müller", "MÜLLER"],
  ["(?iu)müller", "MÜLLER", "MULLER"],
  ["(?i)k", "K", "\u212a"],
  ["(?iu)k", "\u212a", "c"],
  ["(?i)\\x4b\\u006C\\0115\\Qn.\\E", "KLMN.", "klmnx"],
  ["(?i)^[a-fx-]$", "F", "\u017f"],
  ["(?i)^[^a-f]$", "g", "F"],
  ["(?i)^[Z-a]$", "A", "b"],
  ["(?i)^[\\t-Z]$", "z", "é"],
  ["(?i)^[\\d\\Qks\\E]+$", "1KS", "1\u212a"],
  ["^[\\w-a]$", "-", "+"],
  ["(?i)\\p{Lower}", "A", "Ä"],
  ["(?i)^[\\p{Lu}]\\p{Ll}\\P{Lu}$", "äÄ1", "äÄa"],
  ["a(?i)b(?-i)c", "aBc", "aBC"],
  ["a(?i:b)c", "aBc", "aBC"],
  ["(?:(?i)a)b", "Ab", "AB"],
  ["(?u:(?i)ä)(?i)ü", "Äü", "ÄÜ"],
  ["(?i)(?<na>a)", "A", "b"],
  ["(?s:.)x.", "\nxy", "yx\n"],
  ["\\bcafe\\b", "un cafe noir", "decafe"],
  ["\\bcafe\\b", "un cafe – noir", "un cafes – noir"],
  ["(?u)a", "a", "A"],
  ["(?<name>a)b", "ab", "ba"],
  ["a.b", "axb", "a\rb"],
  ["(?s)a.b", "a\rb", "ab"],
  ["(?m)^b$", "a\nb\nc", "ab"],
  ["b$", "ab\n", "ab\nc"],
  ["b$", "ab\r\n", "b\n\n"],
  ["[]a]", "]", "b"],
  ["[^]a]", "b", "]"],
  ["[.$]x", "$x", "ax"],
  ["a\\é", "aé", "ae"],
  ["(a|b){2,3}?c", "abc", "ac"]
]

/** Patterns that are refused, with a part of the message. */
const refused: ReadonlyArray<readonly [string, string]> = [
  ["a(?=b)", "look-ahead"],
  ["a(?!b)", "look-ahead"],
  ["(?<=a)b", "look-behind"],
  ["(?<!a)b", "look-behind"],
  ["(?>a)b", "atomic group"],
  ["(a)\\1", "back-reference \\1"],
  ["(?<x>a)\\k<x>", "back-reference \\k"],
  ["a*+b", "possessive quantifier"],
  ["a{2}+b", "possessive quantifier"],
  ["[a-z&&[^b]]", "&&"],
  ["[a-z&&b]", "intersection"],
  ["[a[bc]]", "class inside another"],
  ["[[:alpha:]]", "class inside another"],
  ["(?x)a b", "flag (?x)"],
  ["(?U)a", "flag (?U)"],
  ["a\\Z", "\\Z"],
  ["\\Ga", "\\G"],
  ["\\X", "\\X"],
  ["\\p{InGreek}", "\\p{InGreek}"],
  ["\\p{javaLowerCase}", "\\p{javaLowerCase}"],
  ["\\y", "\\y"],
  ["(a", "missing closing )"],
  ["a{1001}", "invalid repeat count"],
  ["\\p{Nonsense}", "Nonsense"],
  ["(?i)[\\P{Lu}]", "\\P{Lu} with (?i)"],
  ["\\xg", "\\x without"],
  ["a\\", "backslash at its end"]
]

describe("regularExpression", () => {
  it.each(patterns)("matches %s as Java does", (pattern, text, other) => {
    const test = regularExpression(pattern)
    expect(test(text)).toBe(true)
    expect(test(other)).toBe(false)
  })

  it.each(refused)("refuses %s with the construct", (pattern, named) => {
    expect(() => regularExpression(pattern)).toThrow(TraversalInvalid)
    expect(() => regularExpression(pattern)).toThrow(named)
  })

  it("refuses \\b and \\B for a text with letters or digits beyond ASCII", () => {
    for (const text of ["un café noir", "٣", "e\u0301"]) {
      expect(() => regularExpression("\\bcaf")(text)).toThrow("\\b and \\B are not supported")
      expect(() => wholeExpression("a\\Bb")(text)).toThrow(TraversalError)
      expect(regularExpression("\\\\b|[eé٣]")(text)).toBe(true)
    }
  })

  it("takes little time for a pattern with exponential backtracking", () => {
    expect(regularExpression("^(a+)+$")(`${"a".repeat(5000)}b`)).toBe(false)
  })

  it("matches more patterns than it caches", () => {
    for (let i = 0; i < 400; i++) expect(regularExpression(`^x${i}$`)(`x${i}`)).toBe(true)
    expect(regularExpression("^x0$")("x0")).toBe(true)
  })
})
