// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A cast", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["(byte) 200", "-56"],
    ["(short) 70000", "4464"],
    ["(int) +1", "1"],
    ["(int) ~5", "-6"],
    ["(boolean) !1", "false"],
    ["(String) -5", "-5"],
    ["(Integer) + 5", "5"],
    ["(Boolean) !true", "false"],
    ["def ix = 1; (Boolean) !ix", "false"],
    ["def A = 3; (A) - 1", "2"],
    ["def Long = 3; (Long) - 1", "2"],
    ["def A = 3; (A) != 1", "true"],
    ["def A = 3; (A) !in [1]", "true"],
    ["(int) 3.9d", "3"],
    ["(long) 3", "3"],
    ["(int) 'a'", "97"],
    ["(char) 65", "A"],
    ["(String) 5", "5"],
    ["(Integer) 5", "5"],
    ["(List) [1]", "[1]"],
    ["(Map) [a:1]", "{a=1}"],
    ["(Object) 1", "1"],
    ["(Date) null", "null"],
    ["(boolean) 1", "true"],
    ["(String) null", "null"],
    ["(int) 3L + 1", "4"],
    ["(double) 1 / 2", "0.5"],
    ["-(int) 3", "-3"],
    ["(BigDecimal) 5", "5"],
    ["200 as byte", "-56"],
    ["128 as byte", "-128"],
    ["'1' as Integer", "1"],
    ["byte b = 200; b", "-56"],
    ["short s = 70000; s", "4464"],
    ["int i = 3000000000L; i", "-1294967296"],
    ["int i = 1e20d; i", "2147483647"],
    ["int i = Double.NaN; i", "0"],
    ["long l = 1e30d; l", "9223372036854775807"],
    ["(int) 1e20d", "2147483647"],
    ["(int) Double.NaN", "0"],
    ["(long) Double.POSITIVE_INFINITY", "9223372036854775807"],
    ["1e20d as int", "2147483647"],
    ["3000000000L as int", "-1294967296"],
    ["(float) 1e300d", "Infinity"],
    ["1e300d as float", "Infinity"],
    ["(2G**70) as long", "0"],
    ["0.1f as double", "0.1"],
    ["(double) 0.1f", "0.10000000149011612"],
    ["double d = 0.1f; d", "0.10000000149011612"],
    ["(new BigDecimal('1e400')) as double", "Infinity"],
    ["1.5d as BigInteger", "1"],
    ["-1.5d as BigInteger", "-1"],
    ["(Set) [1,1]", "[1]"],
    ["(String[]) ['a', 'b']", "[a, b]"],
    ["(int[]) [1,2]", "[1, 2]"],
    ["'12' as byte", "12"],
    ["300L.byteValue()", "44"],
    ["3.7d.intValue()", "3"],
    ["1e20d.longValue()", "9223372036854775807"],
    ["70000.shortValue()", "4464"],
    ["(long) 'a'", "97"],
    ["(byte) 'a'", "97"],
    ["(Integer) 'a'", "97"],
    ["(Integer) '5'", "53"],
    ["(boolean) 'x'", "true"],
    ["(Boolean) null", "null"],
    ["null as Integer", "null"],
    ["(Number) 5", "5"],
    ["(String) [1,2]", "[1, 2]"],
    ["(char) 'a'", "a"],
    ["(Character) 'a'", "a"],
    ["'a' as char", "a"],
    ["(double) 5 ", "5.0"],
    ["(float) 5", "5.0"],
    ["(BigInteger) 5", "5"],
    ["(BigDecimal) 5.5d", "5.5"],
    ["Long x = 5; x", "5"],
    ["Integer x = 5L; x", "5"],
    ["Byte x = 5; x", "5"],
    ["int x = 'a'; x", "97"],
    ["char c = 65; c", "A"],
    ["(['a'] as String[]).class.simpleName", "String[]"],
    ["([1,2] as int[]).class.name", "[I"],
    ["[1,2].toArray() as List", "[1, 2]"]
  ]
  for (const [script, value] of cases) {
    it(`converts as Groovy does: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("refuses what Groovy refuses", () => {
    const refused = ["(int) 'ab'", "(List) 'ab'", "(Map) [1]", "(Number) 'x'", "(int) null", "(Date) 'x'", "'a' as int"]
    for (const script of refused) expect(() => resultOf(script), script).toThrow()
    expect(() => resultOf("(Neo4jVertex) 1")).toThrow("scripts do not have the class Neo4jVertex")
  })

  it("is no cast where an operator follows the parentheses", () => {
    expect(text(resultOf("def a = 5; [(a) - 1, (a) in [5], (a) as String]"))).toBe("[4, true, 5]")
    expect(text(resultOf("def X = [7, 8]; (X)[1]"))).toBe("8")
  })
})
