import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

/** Checks scripts against the texts of their values. */
const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

describe("A method of collections", () => {
  it("gives parts as Groovy does", () => {
    check([
      ["[1, 2, 3, 4, 5].collate(2, false)", "[[1, 2], [3, 4]]"],
      ["[1, 2, 3, 4, 5].collate(3, 1)", "[[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5], [5]]"],
      ["[1, 2, 3].collate(2, 1, false)", "[[1, 2], [2, 3]]"],
      ["[1, 2, 3].collate(5)", "[[1, 2, 3]]"],
      ["[1, 2].inits()", "[[1, 2], [1], []]"],
      ["[1, 2].tails()", "[[1, 2], [2], []]"],
      ["[[1, 2], [3, 4]].collectEntries()", "{1=2, 3=4}"],
      ["[[a: 1], [b: 2]].collectEntries()", "{a=1, b=2}"],
      ["(1..3).collect()", "[1, 2, 3]"],
      ["[1, 2, 3].removeElement(3)", "true"],
      ["def l = [3, 1]; [l.removeElement(3), l, l.removeElement(5)]", "[true, [1], false]"]
    ])
  })

  it("calls closures as Groovy does", () => {
    check([
      ["[1, 2, 3, 4].groupBy({ it % 2 }, { it > 2 })", "{1={false=[1], true=[3]}, 0={false=[2], true=[4]}}"],
      ["[1, 2].groupBy({ it }, { it }, { it })", "{1={1={1=[1]}}, 2={2={2=[2]}}}"],
      ["[a: 1, b: 2, c: 1].groupBy({ it.value }, { it.key })", "{1={a={a=1}, c={c=1}}, 2={b={b=2}}}"],
      ["[a: 1, b: 2].max { x, y -> x.value <=> y.value }.key", "b"],
      ["[a: 1, b: 2].min { x, y -> x.value <=> y.value }.key", "a"],
      ["['a', 'A', 'b'].unique { x, y -> x.toLowerCase() <=> y.toLowerCase() }", "[a, b]"],
      ["[1, 2].average { it * 2 }", "3"],
      ["def l = [1, 2]; l.replaceAll { it * 2 }; l", "[2, 4]"]
    ])
  })
})

describe("The list of subList()", () => {
  it("cannot be changed, because it is no view", () => {
    for (const change of ["s << 9", "s.clear()", "s[0] = 9", "s.add(9)", "s.sort()", "s.removeAll { true }"]) {
      const script = `def l = [4, 3, 2, 1]; def s = l.subList(1, 3); ${change}; l`
      expect.soft(() => resultOf(script), script).toThrow("subList()")
    }
    check([
      [
        "def l = [4, 3, 2, 1]; def s = l.subList(1, 3); [s, s.sum(), s + 5, s.toList() << 9]",
        "[[3, 2], 5, [3, 2, 5], [3, 2, 9]]"
      ]
    ])
  })
})

describe("A method of strings", () => {
  it("works on characters as Groovy's does", () => {
    check([
      ["'az'.next() + 'abc'.previous()", "a{abb"],
      ["def s = 'a'; s++; s", "b"],
      ["'hello'.tr('el', 'ip')", "hippo"],
      ["'hello'.tr('a-y', 'b-z')", "ifmmp"],
      ["'hello'.tr('helo', 'x')", "xxxxx"],
      ["'abc'.tr('c-a', 'A-C')", "CBA"],
      ["'abc'.collectReplacements { it == 'b' ? '<b>' : null }", "a<b>c"],
      ["'  a\\n    b'.stripIndent()", "a\n  b"],
      ["'|a\\n  |b\\nc'.stripMargin()", "a\nb\nc"],
      ["'abc'.subSequence(0, 2)", "ab"],
      ["'abc' as List", "[a, b, c]"],
      ["('abc' as String[]).length", "3"],
      ["('a1b2' =~ /[a-z]/).collect()", "[a, b]"],
      ["('a1b2' =~ /([a-z])(\\d)/).findAll()", "[[a1, a, 1], [b2, b, 2]]"]
    ])
  })

  it("gives a StringBuffer for `<<`", () => {
    check([
      ["def s = 'a'; def b = s << 'b'; b << 'c'; [s, b.toString(), b.class.simpleName]", "[a, abc, StringBuffer]"],
      ["('a' << 'b') == 'ab'", "false"],
      ["def s = 'a'; s <<= 'b'; s.toString()", "ab"]
    ])
  })
})

describe("trunc()", () => {
  it("leaves further decimal places out", () => {
    check([["[3.99d.trunc(), (-3.99d).trunc(), 3.999d.trunc(2), 3.999g.trunc(2)]", "[3.0, -3.0, 3.99, 3.99]"]])
  })
})

describe("A method of Collections", () => {
  it("works as Java's does", () => {
    check([
      ["def l = [3, 1, 2]; Collections.sort(l); l", "[1, 2, 3]"],
      ["def l = [3, 1, 2]; Collections.reverse(l); l", "[2, 1, 3]"],
      ["def l = [3, 1, 2]; Collections.swap(l, 0, 2); l", "[2, 1, 3]"],
      ["Collections.nCopies(3, 'a')", "[a, a, a]"],
      ["Collections.frequency([1, 2, 1], 1)", "2"],
      ["[Collections.max([3, 1]), Collections.min(['b', 'a'])]", "[3, a]"]
    ])
  })

  it("compares values of one class", () => {
    for (const script of ["Collections.sort([1, 'a'])", "Collections.max([1, 2L])", "Collections.sort([[1], [2]])"]) {
      expect.soft(() => resultOf(script), script).toThrow(/one class|does not take/)
    }
    expect(() => resultOf("Collections.max([])")).toThrow("no largest member")
  })
})

describe("Integer.parseInt() with a radix", () => {
  it("reads digits of the radix", () => {
    check([
      [
        "[Integer.parseInt('ff', 16), Integer.parseInt('-ff', 16), Integer.valueOf('101', 2), Long.parseLong('zz', 36)]",
        "[255, -255, 5, 1295]"
      ],
      [
        "try { Integer.parseInt('fg', 16) } catch (NumberFormatException e) { e.message }",
        'For input string: "fg" under radix 16'
      ]
    ])
  })
})

describe("The conversion %g", () => {
  it("writes a number of digits", () => {
    check([
      [
        "String.format('%g %g %.3g %g', 12345.678d, 0.0001234d, 1234567d, 0.00001234d)",
        "12345.7 0.000123400 1.23e+06 1.23400e-05"
      ],
      [
        "String.format('%,.8g %10.3g| %G %g', 1234567.5d, 3.14159d, 1e10d, 999999.96d)",
        "1,234,567.5       3.14| 1.00000E+10 1.00000e+06"
      ],
      ["String.format('%g %.0g %g', 0d, 5.5d, -2.5d)", "0.00000 6 -2.50000"]
    ])
  })
})
