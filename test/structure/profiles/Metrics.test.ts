import { describe, expect, it } from "vitest"
import { Double } from "../../../src/structure/numbers/Numbers.ts"
import { Metrics, TraversalExplanation, TraversalMetrics } from "../../../src/structure/profiles/Metrics.ts"

describe("The text of a profile or an explanation", () => {
  it("is a table", () => {
    const step = new Metrics({
      id: "1",
      name: "VertexStep(OUT)",
      duration: 1_500_000n,
      counts: new Map([
        ["traverserCount", 4n],
        ["elementCount", 5n]
      ]),
      annotations: new Map<string, unknown>([
        ["percentDur", new Double(25)],
        ["index", "byName"]
      ]),
      nested: []
    })
    const lines = String(new TraversalMetrics(6_000_000n, [step])).split("\n")
    expect(lines[0]).toBe("Traversal Metrics")
    expect(lines[3]).toMatch(/^VertexStep\(OUT\) +5 +4 +1\.500 +25\.00$/)
    expect(lines[4]).toBe("  \\_index=byName")
    expect(lines[5]).toMatch(/>TOTAL +- +- +6\.000 +-$/)
    expect(
      String(new TraversalExplanation(["A"], [{ strategy: "S", category: "OptimizationStrategy", steps: ["B"] }]))
    ).toMatch(/^Traversal Explanation\nOriginal Traversal +\[A\]\nS +\[O\] +\[B\]\nFinal Traversal +\[B\]$/)
  })
})
