import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
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

describe("A closure that compares two members", () => {
  it("has an Int as its result", () => {
    check([
      ["[[2, 1].sort { a, b -> 0.5d }, [2, 1].sort { a, b -> 4294967296L }]", "[[2, 1], [2, 1]]"],
      ["[[1, 2].max { a, b -> 0.9d }, [1, 2].max { a, b -> 2147483648L }, [1, 2].max { a, b -> 1.9g }]", "[1, 1, 2]"],
      ["[[1, 2].unique { a, b -> 0.5d }, [1, 2].unique { a, b -> 1L }]", "[[1], [1, 2]]"]
    ])
    for (const result of ["null", "true", "'ab'"]) {
      for (const name of ["max", "min", "unique", "sort"]) {
        const script = `[1, 2].${name} { a, b -> ${result} }`
        expect.soft(() => resultOf(script), script).toThrow("compares two members returns a number, not")
      }
    }
  })
})

describe("A character among members", () => {
  it("is equal to its text and to its code, as in Groovy", () => {
    check([
      ["[['a', 'a' as char].unique(), [97, 'a'].unique(), ['aa', 'a'].unique()]", "[[a], [97], [aa, a]]"],
      ["[['a' as char] - 'a', ['a'] - [97], ['b'] - [97], ['a', 'b'] - ['a' as char]]", "[[], [], [b], [b]]"],
      ["[['a', 'b'].intersect(['a' as char]), [97].intersect(['a' as char])]", "[[a], [97]]"],
      ["[['a', 'b'].disjoint(['a' as char]), [['a'], ['a' as char]].unique().size()]", "[false, 1]"]
    ])
  })
})

describe("The list of subList()", () => {
  it("cannot be changed, because it is no view", () => {
    for (const change of [
      "s << 9",
      "s.clear()",
      "s[0] = 9",
      "s.add(9)",
      "s.sort()",
      "s.removeAll { true }",
      "s.removeElement(3)"
    ]) {
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

describe("tr()", () => {
  it("takes the last place of a character, and changes nothing without characters to replace with", () => {
    check([["['hello'.tr('ll', 'xy'), 'hello'.tr('lol', 'xyz'), 'hello'.tr('l', '')]", "[heyyo, hezzy, hello]"]])
  })

  it("counts the characters of ranges and of the text", () => {
    const script = "'x'.tr('\\u0001-\\u2700' * 2000, 'b')"
    expect(() => resultOf(script)).toThrow("tr() would process")
    expect(() => resultOf("('x' * 1000000).tr('x', 'y')")).toThrow("tr() would process")
  })
})

describe("stripIndent()", () => {
  it("is Java's", () => {
    check([
      ["'   a\\n  b\\n'.stripIndent()", "   a\n  b\n"],
      ["'   a  \\r\\n  b '.stripIndent()", " a\nb"],
      ["'   a\\n  b\\n '.stripIndent() + '|'", "  a\n b\n|"],
      ["'   a\\n    \\n  b'.stripIndent()", " a\n\nb"],
      ["'\\u00a0a\\n\\u2003b\\u2003'.stripIndent() + '|'", "\u00a0a\n\u2003b|"],
      ["[''.stripIndent(), ' '.stripIndent(), '\\n'.stripIndent()]", "[, , \n]"]
    ])
  })

  it("removes a number of characters from each line", () => {
    check([
      ["'  a\\r b\\n'.stripIndent(2)", "a\n\n"],
      ["['abc'.stripIndent(-1), ' abc'.stripIndent(0), '  '.stripIndent(1)]", "[abc,  abc, ]"]
    ])
  })
})

describe("stripMargin()", () => {
  it("removes control characters and spaces before the mark, and separates lines by line feeds", () => {
    check([
      ["'  |a\\r\\n\\r\\n  #b'.stripMargin()", "a\n\n  #b"],
      ["['\\u0001|a'.stripMargin(), '\\u00a0|a'.stripMargin(), ' #a'.stripMargin('#' as char)]", "[a, \u00a0|a, a]"]
    ])
  })
})

describe("strip()", () => {
  it("keeps no-break spaces, as in Java", () => {
    check([["'\\u2003\\u00a0a\\u00a0 '.strip() + '|' + '\\u00a0'.stripLeading() + '|'", "\u00a0a\u00a0|\u00a0|"]])
  })
})

describe("trim() and isBlank()", () => {
  it("know the white space of Java", () => {
    check([
      ["'\\u00a0a '.trim() + '|' + '\\u001c\\u0001a\\u2003'.trim() + '|'", "\u00a0a|a\u2003|"],
      ["['\\u00a0'.isBlank(), '\\u2003\\u001c'.isBlank(), '\\u2007'.isAllWhitespace()]", "[false, true, false]"]
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

  it("gives lists that cannot be changed", () => {
    for (const list of ["nCopies(2, 1)", "emptyList()", "singletonList(1)"]) {
      for (const change of ["l << 1", "l[0] = 3", "l.clear()", "l.add(1)", "l.sort()"]) {
        const script = `def l = Collections.${list}; try { ${change} } catch (UnsupportedOperationException e) { 'refused' }`
        expect.soft(resultOf(script), script).toBe("refused")
      }
    }
    check([["def l = Collections.nCopies(2, 1); [l + 3, l.collect { it + 1 } << 5]", "[[1, 1, 3], [2, 2, 5]]"]])
  })

  it("refuses a list that is too long before it makes the list", () => {
    expect(() => resultOf("Collections.nCopies(1000000000, 'a')")).toThrow("Collections.nCopies() would process")
    for (const script of ["Collections.nCopies(2L, 1)", "Collections.swap([1, 2], 0, 1L)"]) {
      expect.soft(() => resultOf(script), script).toThrow("an Integer was expected, not Long")
    }
  })

  it("looks for equal objects of one class", () => {
    check([
      ["[Collections.frequency([1, 1L, 1.0d], 1), Collections.frequency([[1], [1L]], [1])]", "[1, 1]"],
      ["[Collections.frequency(['a' as char], 'a'), Collections.frequency([null, 1], null)]", "[0, 1]"]
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

describe("Integer.toString() with a radix", () => {
  it("takes 10 for a radix that no digits have, as in Java", () => {
    check([["[2, 16, 37, 1, -3].collect { Integer.toString(255, it) }", "[11111111, ff, 255, 255, 255]"]])
    expect(() => resultOf("Integer.toString(255, 'a')")).toThrow("an integer was expected")
    check([[`Integer.parseInt('-${"0".repeat(80)}ff', 16)`, "-255"]])
  })
})

describe("size() of a matcher", () => {
  it("is a Long", () => {
    check([["[('a1b2' =~ /[0-9]/).size().class.simpleName, ('a1' =~ /z/).size()]", "[Long, 0]"]])
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
