import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

/** Checks scripts against the texts of their values. */
const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

describe("Values in collections", () => {
  it("are compared as `==` compares them", () => {
    check([
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [a] == [b]", "true"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [k: a] == [k: b]", "true"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); ([a] as Set) == ([b] as Set)", "true"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [a, b].unique().size()", "1"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [a].intersect([b]).size()", "1"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [a, b].count(a)", "2"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); b << 'y'; [[a]] == [[b]]", "false"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); b << 'y'; [a, b].unique().size()", "2"],
      [
        "def z = OffsetDateTime.parse('2020-01-01T00:00:00Z'); def o = OffsetDateTime.parse('2020-01-01T01:00:00+01:00'); [z] == [o]",
        "false"
      ],
      [
        "def z = OffsetDateTime.parse('2020-01-01T00:00:00Z'); def o = OffsetDateTime.parse('2020-01-01T01:00:00+01:00'); [k: z] == [k: o]",
        "false"
      ],
      [
        "def z = OffsetDateTime.parse('2020-01-01T00:00:00Z'); def o = OffsetDateTime.parse('2020-01-01T01:00:00+01:00'); ([z] as Set) == ([o] as Set)",
        "false"
      ],
      [
        "def z = OffsetDateTime.parse('2020-01-01T00:00:00Z'); def o = OffsetDateTime.parse('2020-01-01T01:00:00+01:00'); [z] == [z]",
        "true"
      ],
      ["['a' as char] == ['a']", "true"],
      ["[k: 'a' as char] == [k: 'a']", "true"],
      ["(['a' as char] as Set) == (['a'] as Set)", "true"],
      ["[1, [2, [a: 3.0d]]] == [1L, [2, [a: 3]]]", "true"],
      ["([[1]] as Set) == ([[1L]] as Set)", "true"],
      ["([[a: 1]] as Set) == ([[a: 1L]] as Set)", "true"],
      ["([1, 1L] as Set) == ([1, 2] as Set)", "false"],
      ["[(1L): 1] == [(1): 1]", "false"],
      ["[1] == ([1] as Set)", "false"],
      ["[a: 1].values() == [1]", "false"],
      ["[P.eq(1)] == [P.eq(1)]", "true"],
      ["[P.eq(1)] == [P.eq(1L)]", "false"]
    ])
  })

  it("are not the same member if Java's equals() differs", () => {
    check([
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [a, b].toSet().size()", "2"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [a].contains(b)", "false"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); [(a): 1, (b): 2].size()", "2"],
      ["def a = new StringBuilder('x'); def b = new StringBuilder('x'); ([a] - [b]).size()", "1"]
    ])
  })
})

describe("NaN", () => {
  it("is equal to itself and greater than integers", () => {
    check([
      ["def x = Double.NaN; x == x", "true"],
      ["[Double.NaN] == [Double.NaN]", "true"],
      ["[Double.NaN].contains(Double.NaN)", "true"],
      ["def x = Double.NaN; [x > 1, x >= 1, x < 1, x <=> 1]", "[true, true, false, 1]"],
      ["def x = Double.NaN; [x > 1d, x < 1d, 1d < x, x <= x]", "[false, false, false, false]"]
    ])
  })
})

describe("Two traversals", () => {
  it("are equal if their steps are", () => {
    check([
      ["def t = g.V().out(); t == t.clone()", "true"],
      ["def t = g.V().out(); t.equals(t.clone())", "true"],
      ["g.V().out() == g.V().out()", "true"],
      ["g.V().out() == g.V().in()", "false"],
      ["__.out() == __.out()", "true"],
      ["[__.out()] == [__.out()]", "true"],
      ["__.out('a', 'b') == __.out('b', 'a')", "true"],
      ["__.where(__.out()) == __.where(__.in())", "false"],
      ["__.has('x', 1) == __.has('x', 1L)", "true"],
      ["g.withSideEffect('a', 1).V() == g.V()", "true"],
      ["def t = g.V(); def u = t.clone(); t.iterate(); t == u", "false"],
      ["g.V() == 1", "false"],
      ["def x = 1; g.V(x) == g.V(1)", "true"],
      ["__.V().out() == g.V().out()", "true"],
      ["g.V() == __.V()", "true"],
      ["within(1, 2) == within(2, 1)", "true"],
      ["g.V().has('age', within(1, 2)) == g.V().has('age', within(2, 1))", "false"],
      ["g.V().has('age', within(1, 2)) == g.V().has('age', within(1, 2))", "true"]
    ])
  })

  it("are refused as keys, because their steps may change", () => {
    for (const script of ["[t, t.clone()].toSet()", "[t].contains(t)", "[t, t].unique()", "[t] as Set"]) {
      expect(() => resultOf(`def t = g.V().out(); ${script}`), script).toThrow("a traversal is no key")
    }
  })
})
