// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A range", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["(1..3).toString()", "1..3"],
    ['"${1..3} ${[1..3]}".toString()', "[1, 2, 3] [1..3]"],
    ["[1..3].toString()", "[1..3]"],
    ["(1..3).toList().toString()", "[1, 2, 3]"],
    ["'' + (1..3)", "1..3"],
    ["(1..<4).toString()", "1..<4"],
    ["(3..1).toString()", "3..1"],
    ["(1..3) == [1,2,3]", "true"],
    ["(1..3) + 4", "[1, 2, 3, 4]"],
    ["(1..10).step(3)", "[1, 4, 7, 10]"],
    ["(1..3).from", "1"],
    ["[(1..3).to, (1..3).reverse(), (3..1).reverse()]", "[3, [3, 2, 1], [1, 2, 3]]"],
    ["(1..5).contains(3)", "true"],
    ["3 in 1..5", "true"],
    ["(1..3).class.simpleName", "IntRange"],
    ["def r = 1..3; r[0]", "1"],
    ["(1..0).toList()", "[1, 0]"],
    ["(0..<0).toList()", "[]"],
    ["('aa'..'ad').toList()", "[aa, ab, ac, ad]"],
    ["(1L..3L).toList()", "[1, 2, 3]"],
    ["1..3", "[1, 2, 3]"],
    ["def r = 0..5; r.size()", "6"],
    ["for (x in 5..3) { }; 'ok'", "ok"],
    ["(1..3) as Set", "[1, 2, 3]"],
    ["(1..3).sum()", "6"],
    ["[1,2,3,4,5][1..3].toString()", "[2, 3, 4]"],
    ["(1..3).join(',')", "1,2,3"],
    ["(1..3).isReverse()", "false"],
    ["(1..3L).toList()", "[1, 2, 3]"],
    ["(1L..3).toList()", "[1, 2, 3]"],
    ["(1L..3L).class.name", "groovy.lang.NumberRange"],
    ["(1..3).plus(4).toString()", "[1, 2, 3, 4]"],
    ["def r = 1..<1; r.toString()", "1..<1"],
    ["(1..3).size()", "3"],
    ["[(1..3).from, (1..3).to, (3..1).from, (1..<4).to, (4..<1).to, (4..<1).from]", "[1, 3, 1, 3, 4, 2]"],
    ["(1..3).step(1).toString()", "[1, 2, 3]"],
    ["(1..10).step(-3)", "[10, 7, 4, 1]"],
    ["(10..1).step(3)", "[10, 7, 4, 1]"],
    ["def s = ''; (1..7).step(3) { s += it }; s", "147"],
    ["(1..3).each { }.toString()", "1..3"],
    ["(1..3).reverse().toString()", "[3, 2, 1]"],
    ["(1..3).iterator().next()", "1"],
    ["(1..5)[1..2].toString()", "[2, 3]"],
    ["(1..5)[0,1].toString()", "[1, 2]"],
    ["(1..3).containsWithinBounds(2)", "true"],
    ["(1..3).getFrom()", "1"],
    ["(1..3).findAll{it>1}.toString()", "[2, 3]"],
    ["(1..3).join('-') + (1..2)", "1-2-31..2"],
    ['"x" + [1..3]', "x[1..3]"],
    ["(1..3).first()", "1"],
    ["(1..3).max()", "3"],
    ["x = 1..3; x.getClass().simpleName", "IntRange"],
    ["(1..3) instanceof List", "true"],
    ["(1..3).equals([1,2,3])", "true"],
    ["[1,2,3] == 1..3", "true"],
    ["(1..3).getAt(0)", "1"]
  ]
  for (const [script, value] of cases) {
    it(`is what Groovy makes of it: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("cannot be changed", () => {
    for (const change of ["r << 4", "r.add(4)", "r[0] = 5", "r.remove(0)", "r.sort()", "r.clear()"]) {
      const caught = `def r = 1..3; try { ${change} } catch (UnsupportedOperationException e) { 'unchanged' }`
      expect(text(resultOf(caught)), change).toBe("unchanged")
    }
  })

  it("is stepped by a width that is not 0", () => {
    expect(() => resultOf("(1..3).step(0)")).toThrow("not 0")
    expect(() => resultOf("[1, 2].step(1) { }")).toThrow("method of ranges")
  })
})
