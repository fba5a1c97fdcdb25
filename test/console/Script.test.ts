import { describe, expect, it } from "vitest"
import { endedBy, onlyReads, scriptOn, traversalOf } from "../../console/query/Script.ts"
import { parseScript } from "../../src/gremlin/Parser.ts"

/** The script that explains a query. */
const explaining = (query: string): string => endedBy(traversalOf(query) ?? "", "explain")

describe("A query that the console explains", () => {
  it("ends with explain() in place of its own last method, whatever its comments contain", () => {
    for (const query of [
      "g.V().hasLabel('tmp').drop()",
      "g.V().hasLabel('tmp').drop() // clean up",
      "g.V().hasLabel('tmp').drop(); // clean up",
      "g.V().hasLabel('tmp').drop().iterate() // see .iterate()",
      "g.V().hasLabel('tmp').drop() /* .next() */ . iterate ( ) ; /* .iterate() */",
      "// g.V()\ng.V() // all\n  .hasLabel('tmp') // .toList()\n  .drop() // end\n  .next(2)\n// .next(2)\n",
      "g.V().hasLabel('tmp').drop().toList();;"
    ]) {
      const { terminal, traversal } = parseScript(explaining(query))
      expect([query, terminal?.name]).toEqual([query, "explain"])
      expect([query, traversal?.stepInstructions.map(({ operator }) => operator)]).toEqual([
        query,
        ["V", "hasLabel", "drop"]
      ])
    }
    for (const query of ["(g.V())", "( (g.V() ) );", "// all\n(/* of */ (g.V()))", "(g.V().toList())"]) {
      const { terminal, traversal } = parseScript(explaining(query))
      expect([query, terminal?.name, traversal?.stepInstructions.length]).toEqual([query, "explain", 1])
    }
    expect(explaining("g.V().has('name', 'a//b')")).toMatch(/^g\.V\(\)\.has\('name', 'a\/\/b'\)\n?\.explain\(\)$/)
    expect(explaining("g.V().out().toList();")).toBe("g.V().out().explain()")
  })

  it("is a single traversal", () => {
    for (const query of ["", "1 + 1", "g.V(); g.E()", "x = g.V()", "(g.V(); 1)", "g.V().nothing()"]) {
      expect([query, traversalOf(query)]).toEqual([query, undefined])
    }
  })
})

describe("A query in a session", () => {
  it("only reads if it is a traversal without changes and without code of the user", () => {
    const reads = (query: string): boolean => onlyReads(query, new Set(["name"]))
    for (const query of ["g.V()", "(g.V().count())", "g.V().has('name', name).toList()", "g.V().has('a', 'drop()')"]) {
      expect([query, reads(query)]).toEqual([query, true])
    }
    for (const query of [
      "g.addV()",
      "g.V().drop()",
      "make()",
      "x = g.V().next()",
      "g.V(); make()",
      "g.V().map(f)",
      "g.V().map{make()}",
      "g.call('service')",
      "g.V().has('name', other)"
    ]) {
      expect([query, reads(query)]).toEqual([query, false])
    }
  })

  it("keeps the source that the user has given to g, with Read only and after it", () => {
    const sent = (text: string, isReadOnly: boolean, session = "s"): string => scriptOn(text, session, isReadOnly)
    const [wrapped, restored] = [
      "g = g.withStrategies(ReadOnlyStrategy)\n",
      "g = g.withoutStrategies(ReadOnlyStrategy)\n"
    ]
    expect(sent("g.V()", false)).toBe("g.V()")
    expect(sent("g.V()", true)).toBe("g = console_g.withStrategies(ReadOnlyStrategy)\ng.V()")
    expect(sent("g == 1; x.g = 2; 'g = 3'", false)).toBe("g = console_g\ng == 1; x.g = 2; 'g = 3'")
    expect(sent("g = g.with('a')", false)).toBe("g = console_g\ng = g.with('a')")
    expect(sent("g.V()", false)).toBe("g.V()")
    expect(sent("g.V()", true)).toBe(`${wrapped}g.V()`)
    expect(sent("g.V()", false)).toBe(`${restored}g.V()`)
    for (const declaring of ["def g = graph.traversal()", "final GraphTraversalSource g = graph.traversal()"]) {
      sent(declaring, false, "u")
      expect(sent("g.V()", true, "u")).toBe("g = console_g.withStrategies(ReadOnlyStrategy)\ng.V()")
      sent("g.V()", false, "u")
    }
    const refusing = "g = g.withStrategies(ReadOnlyStrategy)"
    sent(refusing, false, "t")
    expect(sent("g.V()", true, "t")).toBe(`${wrapped}g.V()`)
    expect(sent("g.V()", false, "t")).toBe("g.V()")
  })
  it.each([
    ["if (x) return 1\nelse g = graph.traversal()", true],
    ["return (g = graph.traversal())", true],
    ["switch (1) { case 1 -> g = graph.traversal() }", true],
    ["[1].each { it -> g = graph.traversal() }", true],
    ["returned g = graph.traversal()", false],
    ["List<Integer> g = [1]", false],
    ["Object[] g = [1]", false],
    ["var g = graph.traversal()", false]
  ])("takes %j for an assignment to g: %s", (script, isAssignment) => {
    scriptOn(script, script, false)
    const source = isAssignment ? "g" : "console_g"
    expect(scriptOn("g.V()", script, true)).toBe(`g = ${source}.withStrategies(ReadOnlyStrategy)\ng.V()`)
  })
})
