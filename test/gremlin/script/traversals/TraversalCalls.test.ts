import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

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

describe("A traversal in a variable", () => {
  /** The value of a script whose traversal has the results 1, 2 and 3, and the number of runs. */
  const outcome = (script: string): string => {
    const host = new FakeHost((call) => (call.kind === "traversal" && call.want !== "none" ? [1, 2, 3] : undefined))
    return `${text(host.run(script))} after ${host.calls.length}`
  }

  it("runs once, and each terminal method takes what those before it have left", () => {
    const cases: ReadonlyArray<readonly [script: string, value: string]> = [
      ["def t = g.V(); t.next(); def u = t.iterate(); [t.hasNext(), u.toList()]", "[false, []] after 1"],
      ["def t = g.V(); t.iterate(); t.iterate(); [t.hasNext(), t.next(2)]", "[false, []] after 1"],
      ["def t = g.V(); [t.tryNext().get(), t.next(), t.toList()]", "[1, 2, [3]] after 1"],
      ["def t = g.V(); [t.toSet(), t.tryNext().isPresent(), t.hasNext()]", "[[1, 2, 3], false, false] after 1"],
      [
        "def t = g.V(); [t.next(-1), t.next(0), t.next(2), t.next(5), t.hasNext()]",
        "[[], [], [1, 2], [3], false] after 1"
      ],
      ["def t = g.V(); def l = []; t.next(); t.fill(l); [l, t.hasNext()]", "[[2, 3], false] after 1"],
      [
        "def t = g.V(); def l = []; t.next(); t.forEachRemaining { l << it }; [l, t.hasNext()]",
        "[[2, 3], false] after 1"
      ],
      ["def t = g.V(); [t.V().next(), t.toList()]", "[1, [2, 3]] after 1"],
      ["def t = g.V(); def u = t.V().iterate(); [t.hasNext(), u.toList()]", "[false, []] after 1"]
    ]
    for (const [script, value] of cases) expect.soft(outcome(script), script).toBe(value)
  })

  it("cannot be explained or continued by a step after it has run", () => {
    expect(() => resultOf("def t = g.V(); t.hasNext(); t.explain()")).toThrow("so that it cannot be explained")
    expect(() => resultOf("def t = g.V(); t.V(t.next())", [1])).toThrow("begin a new one for V()")
  })
})
