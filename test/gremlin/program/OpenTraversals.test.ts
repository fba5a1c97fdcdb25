import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../FakeHost.ts"

// As on Gremlin Server 3.8.1, unless a comment says otherwise.

/** The traversals that a script runs. */
const traversals = (script: string): readonly string[] => {
  const host = new FakeHost(() => [])
  host.run(script)
  return host.calls
}

describe("An anonymous traversal in a variable", () => {
  it("is continued by a step", () => {
    for (const [script, traversal] of [
      ["def t = __.out(); t.in(); g.V().where(t).toList()", "__.out().in()"],
      ["def t = __.identity(); (1..2).each { t.out() }; g.V().where(t).toList()", "__.identity().out().out()"],
      ["def t = __.out(); def u = t.has('x'); g.V().where(t).toList()", '__.out().has("x")'],
      ["def t = __.out(); def u = t.clone(); u.has('x'); g.V().where(t).toList()", "__.out()"],
      ["def n = 'x'; def t = __.has(n); t.out(); g.V().where(t).toList()", '__.has("x").out()'],
      ["def l = [__.out()]; l[0].in(); g.V().where(l[0]).toList()", "__.out().in()"],
      ["def m = [a: __.out()]; m.a.in(); g.V().where(m.a).toList()", "__.out().in()"],
      ["def f = { __.out() }; f().in(); def t = f(); g.V().where(t).toList()", "__.out()"],
      ["def t = __.out(); t = t.V(); g.V().where(t).toList()", "__.out().V()"],
      ["def t = __.out(); def n = 'x'; t.V().has(n); g.V().where(t).toList()", '__.out().V().has("x")'],
      [
        "def t = __.identity(); (1..2).each { t = t.addV('a') }; g.V().map(t).toList()",
        '__.identity().addV("a").addV("a")'
      ],
      // There a traversal of a source also sees later steps.
      ["def t = __.out(); def u = g.V().where(t); t.in(); u.toList()", "__.out()"]
    ] as const) {
      expect.soft(traversals(script).join(), script).toContain(`=${traversal}`)
    }
  })
})

it("An anonymous traversal in a variable has no results", () => {
  const refused = "an anonymous traversal has no toList(): only one that begins with g has results"
  expect(() => resultOf("def t = __.out(); t.V().toList()")).toThrow(refused)
})

describe("A traversal of a source in a variable", () => {
  it("is continued by a step that also begins traversals", () => {
    for (const [script, traversal] of [
      [
        "def t = g; for (i in 1..2) { t = t.addV('a').property('n', i) }; t.iterate()",
        '.addV("a").property("n", i).addV("a").property("n", 2) i=1'
      ],
      ["t = g.inject(0); (1..2).each { t = t.addV('c') }; t.iterate()", '.inject(0).addV("c").addV("c")'],
      ["t = g.addV('d'); t.addV('e'); t.iterate()", '.addV("d").addV("e")'],
      ["t = g.V(); u = t.V(); u.toList()", ".V().V()"],
      ["t = g.V(); n = 'x'; t.addV(n); n = 'y'; t.toList()", '.V().addV("x")'],
      ["t = g; [[1, 2], [3, 4]].each { a, b -> t = t.inject(a, b) }; t.toList()", ".inject(1, 2).inject(3, 4)"],
      ["def t = g.V(); t.E().hasNext()", ".V().E()"]
    ] as const) {
      expect.soft(traversals(script).join(), script).toContain(traversal)
    }
  })
})

describe("A predicate in a variable", () => {
  it("has the members that its list has when a traversal takes it", () => {
    for (const [script, predicate] of [
      ["def l = [1]; def p = within(l); l << 2; p", "within([1, 2])"],
      ["def l = [1]; def p = within(l); l.clear(); p", "within([])"],
      ["def l = [1]; def p = without(l).and(neq(5)); l << 2; p", "and(without([1, 2]), neq(5))"],
      ["def l = [1]; def p = P.eq(l); l << 2; p", "eq([1, 2])"],
      ["def l = [1]; def p = P.eq(l); l << 2; p.getValue()", "[1, 2]"]
    ] as const) {
      expect.soft(text(resultOf(script)), script).toBe(predicate)
    }
    const [taken] = traversals("def l = [1]; def p = within(l); l << 2; def t = g.V().has('x', p); l << 3; t.toList()")
    expect(taken).toContain("within([1, 2])")
  })
})
