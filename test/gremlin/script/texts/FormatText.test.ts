// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A format", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["String.format('%s %d', 'a', 5)", "a 5"],
    ["String.format('%5d|%-5d|%05d', 42, 42, 42)", "   42|42   |00042"],
    ["String.format('%05.2f|%.3f|%10.1f|%-8.2f|', 3.14159d, 2.0d, 1.25d, 9.5d)", "03.14|2.000|       1.3|9.50    |"],
    ["String.format('%x %X %o', 255, 255, 8)", "ff FF 10"],
    ["String.format('%x', -1)", "ffffffff"],
    ["String.format('%x', 255L)", "ff"],
    ["String.format('%x', -1L)", "ffffffffffffffff"],
    ["String.format('%,d %,.2f', 1234567, 1234567.891d)", "1,234,567 1,234,567.89"],
    ["String.format('%+d % d %(d', 5, 5, -5)", "+5  5 (5)"],
    ["String.format('%e %.2E', 12345.678d, 0.00012d)", "1.234568e+04 1.20E-04"],
    ["String.format('%b %B %c %C', true, null, 'c' as char, 'x' as char)", "true FALSE c X"],
    ["String.format('%10s|%-10s|%.2s|%10.3s|', 'abc', 'abc', 'abc', 'abcdef')", "       abc|abc       |ab|       abc|"],
    ["String.format('%S', 'abc')", "ABC"],
    ["String.format('%%|%n|')", "%|\n|"],
    ["String.format('%2$s %1$s', 'a', 'b')", "b a"],
    ["String.format('%s %<s %s', 'a', 'b')", "a a b"],
    ["String.format('%h', 'abc')", "17862"],
    ["String.format('%s', null)", "null"],
    ["String.format('%d', null)", "null"],
    ["String.format('%s', [1,2])", "[1, 2]"],
    ["String.format('%s', [a:1])", "{a=1}"],
    ["String.format('%d', 123456789012345678901234567890G)", "123456789012345678901234567890"],
    ["String.format('%f', 3.5)", "3.500000"],
    ["String.format('%.0f %.0f %.0f', 0.5d, 1.5d, 2.5d)", "1 2 3"],
    ["String.format('%.1f %.1f', 0.25d, 0.35d)", "0.3 0.4"],
    ["String.format('%.2f', 1.005d)", "1.01"],
    ["String.format('%s %s', ['a', 'b'] as Object[])", "a b"],
    ["String.format('%s %s', *['a', 'b'])", "a b"],
    ["'%s-%d'.formatted('a', 3)", "a-3"],
    ["sprintf('%d%%', 5)", "5%"],
    ["sprintf('%s %s', ['a', 'b'])", "a b"],
    ["sprintf('%s', 'a')", "a"],
    ["printf('%d', 5)", "null"],
    ["String.format('%08.3f', -3.5d)", "-003.500"],
    ["String.format('%+.1f', 3.0d)", "+3.0"],
    ["String.format('%f', Double.NaN)", "NaN"],
    ["String.format('%5.1f|%-7s|%7s', Double.POSITIVE_INFINITY, 'x', true)", "Infinity|x      |   true"],
    ["String.format('%x', 255G)", "ff"],
    ["String.format('%#x %#o', 255, 8)", "0xff 010"],
    ["String.format('%-5d|', 3)", "3    |"],
    ["String.format('%1$d %1$x', 10)", "10 a"],
    ["String.format(\"%s ${1}\", 'x')", "x 1"],
    ["String.format('%s', 1.0d)", "1.0"],
    ["String.format('%s', 1.0f)", "1.0"],
    ["String.format('%s', 100L)", "100"],
    ["String.format('%d', (byte) 5)", "5"],
    ["String.format('%x', (byte) -1)", "ff"],
    ["String.format('%c', 65)", "A"],
    ["String.format('%,d', -1234567L)", "-1,234,567"],
    ["String.format('%(,.2f', -1234.5d)", "(1,234.50)"],
    ["String.format('%.3e', 0d)", "0.000e+00"],
    ["String.format('%10.3e|', 12345.6789d)", " 1.235e+04|"],
    ["String.format('%5%|%-5%|')", "    %|%    |"]
  ]
  for (const [script, value] of cases) {
    it(`gives the text of Java: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is refused where Java refuses it", () => {
    const wrong = [
      "String.format('%d', 'x')",
      "String.format('%d', 1.5d)",
      "String.format('%f', 1)",
      "String.format('%c', 'ab')",
      "String.format('%s')",
      "String.format('%d %d', 1)",
      "String.format('%q', 1)",
      "String.format('%-d', 1)",
      "String.format('%0d', 1)",
      "String.format('%05s', 'a')",
      "String.format('% s', 1)",
      "String.format('%--5d', 1)",
      "String.format('%-05d', 1)",
      "String.format('%+ d', 1)",
      "String.format('%.2d', 5)",
      "String.format('%5n')",
      "String.format('%')",
      "String.format('a%5')",
      "sprintf('%d', ['a'])"
    ]
    for (const script of wrong) {
      const caught = `try { ${script} } catch (IllegalArgumentException e) { 'refused' }`
      expect(text(resultOf(caught)), script).toBe("refused")
    }
  })

  it("counts all of its conversions as one operation", () => {
    const much = [
      "String.format('%1$h' * 500, 'x' * 1000000)",
      "String.format('%1$h' * 200000, 'x' * 1000000)",
      "String.format('%1$.1s' * 10000, 3g**9999)",
      "String.format('%1$.1s' * 3000, (1..9000).toList())",
      "String.format('%1$.1e' * 3000, (3g**9999) as BigDecimal)",
      "String.format('%n' * 300000)"
    ]
    for (const script of much) expect(() => resultOf(script), script).toThrow(/a format would process \d+ items/)
    expect(text(resultOf("String.format('%d ' * 5000, *(1..5000)).size()"))).toBe("23893")
  })

  it("makes no more of a text than its precision", () => {
    expect(text(resultOf("String.format('%.3s|%.0s', [1, 2, 3], [a: 1])"))).toBe("[1,|")
  })

  it("is shown in part by a message", () => {
    for (const wrong of [
      "'%' + '0' * 500000",
      "'%' + '-' * 500000 + 's'",
      "'%1$' + '5' * 500000 + 'd'",
      "'%5.2' + 's' * 99"
    ]) {
      let message = ""
      try {
        resultOf(`String.format(${wrong})`)
      } catch (error) {
        message = (error as Error).message
      }
      expect(message, wrong).not.toBe("")
      expect(message.length, wrong).toBeLessThan(200)
    }
  })

  it("fails with the exception of Java", () => {
    for (const [call, name] of [
      ["'%q', 1", "UnknownFormatConversionException"],
      ["'%s %s', 'a'", "MissingFormatArgumentException"],
      ["'%d', 'x'", "IllegalFormatConversionException"],
      ["'%-d', 1", "IllegalFormatException"]
    ]) {
      for (const caught of [name, "IllegalFormatException", "IllegalArgumentException"]) {
        const script = `try { String.format(${call}) } catch (${caught} e) { e.class.name }`
        expect(text(resultOf(script))).toBe(`java.util.${name}`)
      }
    }
  })

  it("has a bounded width and precision", () => {
    for (const spec of ["%99999999d", "%9999999d", "%-9999999s", "%09999999d"]) {
      expect(() => resultOf(`String.format('${spec}', 1)`), spec).toThrow(/too large|at most 1048576/)
    }
    for (const spec of ["%.99999999f", "%.9999999f", "%.9999999e", "%99999999999999999999f"]) {
      expect(() => resultOf(`String.format('${spec}', 1.5d)`), spec).toThrow(/too large|at most 1048576/)
    }
    expect(() => resultOf("String.format('%900000s' * 2, 1, 2)")).toThrow("at most 1048576")
    expect(() => resultOf("String.format('%d'.replace('d', 's') * 600000, 'x')")).toThrow(/at most 1048576|no argument/)
  })

  it("has no conversion for dates", () => {
    expect(() => resultOf("String.format('%tY', new Date(0))")).toThrow("conversion %t")
  })

  it("is printed by printf", () => {
    const host = new FakeHost()
    expect(host.run("printf('%05.1f|%s', 2.5d, 'a'); printf('%s-%s', [1, 2])")).toBeNull()
    expect(host.printed).toBe("002.5|a1-2")
  })
})
