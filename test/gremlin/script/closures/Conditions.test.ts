import { describe, expect, it } from "vitest"
import { GremlinMap } from "../../../../src/structure/collections/Collections.ts"
import { Tree } from "../../../../src/structure/collections/Tree.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

/** The value of a script whose traversals have the results 1, 2 and 3, except those that iterate() ends. */
const shown = (script: string): string => {
  const host = new FakeHost((call) => (call.kind === "traversal" && call.want !== "none" ? [1, 2, 3] : undefined))
  return text(host.run(script))
}

describe("A traversal as a condition", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def t = g.V(); if (t) { 1 } else { 2 }", "1"],
    ["def t = g.V(); t.toList(); if (t) { 1 } else { 2 }", "2"],
    ["def t = g.V(); def n = 0; while (t) { n += t.next() }; n", "6"],
    ["def t = g.V(); do { t.next() } while (t); t.hasNext()", "false"],
    ["def n = 0; for (def t = g.V(); t; t.next()) { n++ }; n", "3"],
    ["def t = g.V(); [!t, t && true, true && t, false || t, t ? 1 : 2, t.next()]", "[false, true, true, true, 1, 1]"],
    ["def t = g.V().iterate(); [!t, t && true, t ? 1 : 2, t as boolean, t ?: 3]", "[true, false, 2, false, 3]"],
    ["def t = g.V(); [t as boolean, (boolean) t, t.asBoolean(), t.toList()]", "[true, true, true, [1, 2, 3]]"],
    ["boolean b = g.V(); Boolean c = g.V().iterate(); [b, c]", "[true, false]"],
    ["boolean f(t) { t }; [f(g.V()), f(g.V().iterate())]", "[true, false]"],
    ["def t = g.V(); t.hasNext(); (t ?: 3).next()", "1"],
    ["assert g.V(); 1", "1"],
    ["try { assert g.V().iterate() } catch (AssertionError e) { 'failed' }", "failed"],
    ["[1, 2].findAll { g.V() } + [3].findAll { g.V().iterate() }", "[1, 2]"],
    ["[[1].any { g.V().iterate() }, [1].every { g.V() }, [1].find { g.V() }]", "[false, true, 1]"],
    ["[[1, 2].split { g.V().iterate() }, 'ab'.takeWhile { g.V() }]", "[[[], [1, 2]], ab]"],
    ["switch (1) { case { g.V().iterate() }: 1; break; case { g.V() }: 2; break }", "2"]
  ]
  it.each(cases)("is true if it has a result that is not taken: %s", (script, value) => {
    expect(shown(script)).toBe(value)
  })

  it("may be in a variable of a type whose values may be traversals", () => {
    for (const type of ["GraphTraversal", "Traversal", "Iterator", "Object"]) {
      const given = `${type} t = g.V(); { ${type} u -> u ? t ? 1 : 2 : 3 }.call(g.V())`
      expect(shown(given), type).toBe("1")
    }
    expect(() => shown("List t = g.V(); t")).toThrow("List")
  })

  it("is chosen by ?: and ?= if it has a result that is not taken", () => {
    expect(shown("def t = g.V(); (t ?: 3).next() + t.next()")).toBe("3")
    expect(shown("def t = g.V(); t ?= 3; t.toList()")).toBe("[1, 2, 3]")
    expect(shown("t = g.V().iterate(); t ?= 3; t")).toBe("3")
    expect(shown("g.V().iterate() ?: g.V().iterate() ?: 4")).toBe("4")
  })

  it("is refused in an element that ?= changes, if it has not run", () => {
    const refused = /^Line 1, column .*write hasNext\(\) after it/
    expect(() => shown("def t = g.V(); def m = [t: 1]; m.t = t; m.t ?= 3")).toThrow(refused)
  })

  it("is the value of the last variable of a chain of assignments, whatever the others hold", () => {
    expect(shown("boolean b = false; def t; t = b = g.V(); [t, b]")).toBe("[true, true]")
    const refused = /^Line 1, column .*write hasNext\(\) after it/
    expect(() => shown("boolean b = false; def t; b = t = g.V(); t")).toThrow(refused)
  })

  it("gives one result at most if no variable holds it", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [1] : undefined))
    for (const condition of [
      "if (g.V()) 1",
      "if (g.V().iterator()) 1",
      "while (g.V()) break",
      "!g.V()",
      "g.V() && true",
      "g.V() ? 1 : 2",
      "g.V() as boolean",
      "boolean b = g.V()",
      "boolean b; b = g.V()",
      "boolean f() { g.V() }; f()",
      "[1].findAll { g.V() }",
      "[1].any { if (it > 1) { false } else { def n = it; return g.V() } }",
      "[1].find({ a, b -> g.V() }.curry(2))",
      "switch (1) { case { g.V() }: 1 }"
    ]) {
      host.calls.length = 0
      host.run(condition)
      expect(host.calls, condition).toEqual(["list g.V() limit 1"])
    }
  })

  it("gives all results if a variable may hold it", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [1, 2, 3] : undefined))
    for (const script of [
      "def t = g.V(); if (t) t.toList()",
      "def t = g.V(); [1].any { t } ? t.toList() : []",
      "def t = g; [1].any { if (t == g) { t = g.V(); t } else g.V() }; t.toList()",
      "def f = { g.V() }.memoize(); [1].any(f); f(1).toList()",
      "def t = g.inject(1); [1].any { t.V() }; t.toList()"
    ]) {
      host.calls.length = 0
      expect(text(host.run(script)), script).toBe("[1, 2, 3]")
      expect(host.calls.length, script).toBe(1)
    }
  })

  it("is evaluated once", () => {
    const host = new FakeHost((call) => (call.kind === "traversal" ? [1] : undefined))
    expect(host.run("n = 0; def f() { n++; g.V() }; if (f() && !f()) { n = 10 } else if (f()) { n += 5 }; n")).toBe(8)
    expect(host.calls.length).toBe(3)
  })
})

it("An empty tree is false, as an empty map is", () => {
  const tree = (children: GremlinMap) => resultOf("def t = g.V().tree().next(); t ? 1 : 2", [new Tree(children)])
  expect([tree(new GremlinMap()), tree(new GremlinMap([["a", new Tree(new GremlinMap())]]))]).toEqual([2, 1])
})
