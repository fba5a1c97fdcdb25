import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

describe("A step that is called on a traversal in a variable", () => {
  it("continues the traversal itself, as in TinkerPop", () => {
    const cases: ReadonlyArray<readonly [script: string, traversal: string]> = [
      ["t = g.V(); t.out('knows'); t.toString()", 'g.V().out("knows")'],
      ["t = g.V(); if (true) t.has('age'); t.count(); t.toString()", 'g.V().has("age").count()'],
      ["t = g.V(); ['a', 'b'].each { t.out(it) }; t.toString()", 'g.V().out("a").out("b")'],
      ["def f(t) { t.out() }; t = g.V(); f(t); t.toString()", "g.V().out()"],
      ["t = g.V(); u = t.out(); u.in(); t.toString()", "g.V().out().in()"],
      ["t = g.V(); u = t.clone(); t.out(); u.toString()", "g.V()"]
    ]
    for (const [script, traversal] of cases) expect(text(resultOf(script)), script).toBe(traversal)
  })

  it("is refused when the traversal has run", () => {
    for (const run of ["t.hasNext()", "t.toList()", "t.iterate()", "t.count().tryNext()", "t.tryNext()"]) {
      expect(() => resultOf(`t = g.V(); ${run}; t.out()`), run).toThrow("the traversal has run already")
    }
    expect(resultOf("t = g.V(); t.hasNext(); try { t.out() } catch (IllegalStateException e) { 'caught' }")).toBe(
      "caught"
    )
  })

  it("leaves the traversal of another run of the same script alone", () => {
    const script = "t = g.V(); t.out(); t.toString()"
    expect([resultOf(script), resultOf(script)]).toEqual(["g.V().out()", "g.V().out()"])
    expect(resultOf("r = []; for (i in 1..2) { t = g.V(); t.out(); r << t.toString() }; r.unique().size()")).toBe(1)
  })
})
