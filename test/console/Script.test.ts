import { describe, expect, it } from "vitest"
import { endedBy, traversalOf } from "../../console/query/Script.ts"
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
