import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { FakeHost } from "../../FakeHost.ts"

const host = () =>
  new FakeHost((call) => (call.kind === "traversal" ? [1] : call.kind === "transaction" ? true : undefined))

describe("with() and tap()", () => {
  it.each([
    ["def c = { size() }; x = [1, 2]; x.with(c)", "2"],
    ["x = [1, 2]; c = { it.size() }; [x.with(c), x.tap(c)]", "[2, [1, 2]]"],
    ["x = [1, 2]; [x.with({ 1 }), x.with(n -> n.size()), x.with((n) -> n.size() + 1)]", "[1, 2, 3]"],
    ["graph.tx().with { isOpen() }", "true"],
    ["tx = graph.tx(); c = { it.isOpen() }; [tx.with(c), tx.tap(c) == tx]", "[true, true]"],
    ["graph.query().with { vertices().toList() }", "[1]"],
    ["Math.with { abs(-1) }", "1"],
    ["Mapping.STRING.with { name() }", "STRING"],
    ["h = g; h.with({ it.V().toList() })", "[1]"],
    ["t = g.V(); t.with { it.toList() }", "[1]"],
    ["c = { it }; c.with { it(3) }", "3"],
    ["x = new StringJoiner('-'); x.with { add('a'); add('b') }; x.toString()", "a-b"]
  ])("call a closure on any value: %s", (script, result) => {
    expect(text(host().run(script))).toBe(result)
  })

  it("configure a traversal source with a string of a variable", () => {
    const asked = host()
    asked.run("o = 'x'; h = g.withPath(); h.with(o).V().toList(); g.with(o).V().toList()")
    expect(asked.calls).toEqual(['list g.withPath().with("x").V()', "list g.with(o).V() o=x"])
  })

  it("keep the values that with() of a variable has been given", () => {
    const asked = host()
    asked.run(
      "h = g; l = ['a']; k = h.with('x', l); l << 'b'; k.V().toList(); h.with('x', Optional.of(7)).V().toList()"
    )
    expect(asked.calls).toEqual(['list g.with("x", ["a"]).V()', 'list g.with("x", 7).V()'])
    for (const value of ["h", "t", "{ it }", "graph"]) {
      expect(() => asked.run(`h = g; t = g.V(); h.with('x', ${value}).V().toList()`), value).toThrow()
    }
  })

  it.each([
    ["g.with((String) o, 1).V()", "list g.with(#, 1).V() #=x"],
    ["g.with((o)).V()", "list g.with(o).V() o=x"],
    ["g.with(('x'), 1).V()", 'list g.with("x", 1).V()'],
    ["h.with((String) o, 1).V()", 'list g.with("x", 1).V()'],
    ["h.with((o)).V()", 'list g.with("x").V()'],
    ["h.with(['x'][0], 1).V()", 'list g.with("x", 1).V()'],
    ["h.with(c).V()", "list g.V()"]
  ])("configure a source with a value in parentheses, which is no closure: %s", (script, call) => {
    const asked = host()
    asked.run("o = 'x'; h = g; c = { it }")
    asked.run(`o = 'x'; h = g; c = { it }; ${script}.toList()`)
    expect(asked.calls).toEqual([call])
  })

  it("configure the last step of a traversal in a variable", () => {
    const asked = host()
    asked.run("t = g.V().valueMap(); t.with(WithOptions.tokens).toList()")
    asked.run("t = g.V().valueMap(); t.with('x', 1).unfold().toList()")
    asked.run("t = g.V().valueMap(); t.with('x', 1).with('y', outE()).with('z').unfold().toList()")
    asked.run("h = g; h.with('x', 1).with('y', 2).with('z').V().toList()")
    expect(asked.calls).toEqual([
      'list g.V().valueMap().with("~tinkerpop.valueMap.tokens")',
      'list g.V().valueMap().with("x", 1).unfold()',
      'list g.V().valueMap().with("x", 1).with("y", __.outE()).with("z").unfold()',
      'list g.with("x", 1).with("y", 2).with("z").V()'
    ])
  })
})
