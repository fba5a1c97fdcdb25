// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are those of Groovy.
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1, except for getOriginalValue(), which older versions have.

describe("A predicate", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["P.gt(3).getValue()", "3"],
    ["P.gt(3).value", "3"],
    ["def p = P.gt(3); p.value + p.getOriginalValue() + P.lt(1).originalValue", "7"],
    ["def x = 3; P.gt(x).getValue()", "3"],
    ["P.within(1, 2).getValue()", "[1, 2]"],
    ["P.within(1, 2).getValue().sum()", "3"],
    ["P.between(1, 3).getValue()", "null"],
    ["P.between(1, 3).getPredicates().toString()", "[gte(1), lt(3)]"],
    ["P.inside(1, 3).toString()", "and(gt(1), lt(3))"],
    ["P.outside(1, 3).negate().toString()", "and(not(lt(1)), not(gt(3)))"],
    ["P.gt(1).and(P.lt(3)).toString()", "and(gt(1), lt(3))"],
    ["P.gt(1).and(P.lt(3)).getPredicates().size()", "2"],
    ["P.gt(3).toString()", "gt(3)"],
    ["P.gt(3).negate().toString()", "not(gt(3))"],
    ["P.not(P.gt(3)).toString()", "not(gt(3))"],
    ["P.not(P.within([1])).getValue()", "[1]"],
    ["TextP.startingWith('a').getValue()", "a"],
    ["TextP.containing('a').negate().toString()", "not(containing(a))"],
    ["textContains('abc').getValue() + textContains('abc').toString()", "abctextContains(abc)"],
    ["def p = gt(1); def q = p.and(lt(5)).and(neq(3)); q.toString()", "and(gt(1), lt(5), neq(3))"],
    ["def p = gt(1); lt(0).or(p).toString()", "or(lt(0), gt(1))"],
    ["def p = gt(1); lt(9).and(p).negate().toString()", "or(not(lt(9)), not(gt(1)))"],
    ["def p = gt(1); P.lt(9).and(neq(3).or(p)).toString()", "and(lt(9), or(neq(3), gt(1)))"],
    ["def p = gt(1); TextP.containing('a').or(p).or(lt(0)).toString()", "or(containing(a), gt(1), lt(0))"],
    ["def p = gt(1); not(lt(0)).or(p).toString()", "or(not(lt(0)), gt(1))"],
    ["def p = gt(1); not(lt(0).or(p)).toString()", "and(not(lt(0)), not(gt(1)))"],
    ["def p = gt(0); 3.times { p = P.eq(it).or(p) }; p.toString()", "or(eq(2), eq(1), eq(0), gt(0))"],
    ["def p = gt(1); p.or(lt(0)).negate().toString()", "and(not(gt(1)), not(lt(0)))"],
    ["P.gt(3).clone().toString()", "gt(3)"],
    ["P.gt(3) == P.gt(3)", "true"],
    ["P.gt(3) != P.gt(4)", "true"],
    ["P.gt(3).equals(P.gte(3))", "false"],
    ["P.gt(3).equals(P.lte(3).negate())", "false"],
    ["P.gt(3).negate() == P.gt(3).negate()", "true"],
    ["P.gt(1) == P.gt(1L)", "false"],
    ["P.gt(1).equals(P.gt(1.0))", "false"],
    ["P.eq(Double.NaN) == P.eq(Double.NaN)", "true"],
    ["P.within(1, 2) == P.within(2, 1)", "true"],
    ["P.within(1, 2, 2) == P.within(2, 1, 1)", "false"],
    ["P.within([1, 2] as Set) == P.within(2, 1)", "true"],
    ["P.gt(1).and(P.lt(2)) == P.lt(2).and(P.gt(1))", "false"],
    ["[P.gt(1)] == [P.gt(1)]", "true"],
    ["[P.gt(1)].contains(P.gt(1)) && P.gt(1) in [P.gt(1)]", "true"],
    ["[P.gt(1)].contains(P.gt(1L))", "false"],
    ["[P.gt(1), P.gt(2)].indexOf(P.gt(2))", "1"],
    ["[P.gt(1), P.gt(1)].unique().size()", "1"],
    ["([P.between(1, 2), P.gte(1).and(P.lt(2))] as Set).size()", "1"],
    ["[(P.gt(1)): 2][P.gt(1)]", "2"],
    [
      "'x' + P.between(1, 2) + \"${P.between(1, 2)}\" + [P.inside(1, 2)]",
      "xand(gte(1), lt(2))and(gte(1), lt(2))[and(gt(1), lt(2))]"
    ],
    ["P.between(1, 5).and(P.eq(2)).toString()", "and(gte(1), lt(5), eq(2))"],
    ["P.neq(1).and(P.inside(2, 3)).negate().toString()", "or(not(neq(1)), not(gt(2)), not(lt(3)))"],
    ["P.outside(1, 2).or(P.eq(3)).getPredicates().size()", "3"],
    ["P.gt(3).negate().getValue() + P.gt(3).negate().value", "6"],
    ["P.between(1, 2) == P.gte(1).and(P.lt(2))", "true"],
    ["P.within([1]) == P.within([2])", "false"],
    ["P.gt(3) == 3", "false"]
  ]

  it.each(cases)("%s", (script, value) => {
    expect(text(resultOf(script))).toBe(value)
  })

  it("that is one comparison has no parts, and cannot be changed", () => {
    expect(() => resultOf("P.gt(3).getPredicates()")).toThrow("joins")
    expect(() => resultOf("def p = P.gt(3); p.setValue(4)")).toThrow(
      "has no method setValue() in scripts; it has and, clone"
    )
    expect(() => resultOf("def p = P.gt(3); p.and(4)")).toThrow("and() takes a predicate")
  })
})

describe("A predicate that a loop joins with itself", () => {
  it.each(["p = p.and(p)", "p = p | p", "p = eq(0).or(p.and(p))", "p = p.negate().or(p)"])(
    "is refused when it has too many parts: %s",
    (statement) => {
      expect(() => resultOf(`def p = gt(1); for (i in 0..<40) { ${statement} }; 1`)).toThrow(
        "would process 100002 items in one operation; the limit for scripts is 100000"
      )
    }
  )

  it("is refused when its parts nest too deep", () => {
    expect(() => resultOf("def p = gt(1); for (i in 0..<150) { p = eq(0).or(p.and(eq(1))) }; 1")).toThrow(
      "nest at most 100 levels deep"
    )
  })
})

describe("A predicate that is joined with a variable", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["not(gt(0).and(p)).or(eq(3))", "or(not(gt(0)), not(lt(3)), eq(3))"],
    ["not(gt(0).and(p)).and(lt(4))", "and(or(not(gt(0)), not(lt(3))), lt(4))"],
    ["P.not(gt(0).and(p))", "or(not(gt(0)), not(lt(3)))"],
    ["P.not(p).or(eq(5))", "or(not(lt(3)), eq(5))"],
    ["gt(0).and(p).negate().negate()", "and(gt(0), lt(3))"]
  ]

  it.each(cases)("%s", (script, value) => {
    expect(text(resultOf(`def p = lt(3); x = ${script}; x`))).toBe(value)
  })

  it("nests no deeper when one operator joins many", () => {
    const many = (first: string, joined: string): string =>
      `def p = lt(3); x = ${first}${joined.repeat(600)}; x.getPredicates().size()`
    expect(resultOf(many("eq(7)", ".or(p)"))).toBe(601)
    expect(resultOf(many("eq(7).or(p)", ".or(eq(8))"))).toBe(602)
  })
})

describe("The operators & and | of predicates", () => {
  it("are and() and or()", () => {
    expect(text(resultOf("gt(28) & lt(33)"))).toBe("and(gt(28), lt(33))")
    expect(text(resultOf("def p = gt(33); p = p | lt(28); p"))).toBe("or(gt(33), lt(28))")
    expect(() => resultOf("gt(1) & 2")).toThrow("and() takes a predicate such as gt(1)")
  })
})
